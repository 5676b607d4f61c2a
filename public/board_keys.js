// @ts-check
/** The list of keys in a dialog: what the page `/keys` has. `board.js` loads it with the first question mark. */

/** The dialog, once it is being fetched. @type {Promise<HTMLDialogElement | null> | undefined} */
let making;

/** Shows the list; without a connection that of the service worker, if there is any. @param {string | undefined} close */
export async function show(close = "") {
  const dialog = await (making ??= make(close));
  if (!dialog) making = undefined;
  else if (!dialog.open) dialog.showModal();
}

/** @param {string} close */
async function make(close) {
  const answer = await fetch("/keys").catch(() => null);
  if (!answer?.ok) return null;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const list = page.querySelector(".keys");
  if (!list) return null;
  const dialog = document.createElement("dialog");
  dialog.className = "card settings";
  dialog.setAttribute("aria-labelledby", "keys-title");
  const form = document.createElement("form");
  form.method = "dialog";
  const button = document.createElement("button");
  button.className = "quiet close";
  button.textContent = "×";
  button.setAttribute("aria-label", close);
  form.append(button);
  dialog.append(form, list);
  document.body.append(dialog);
  return dialog;
}
