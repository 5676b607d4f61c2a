// @ts-check
/** The page that shows new recovery codes, or a new token: copies, downloads and prints them. */

const list = /** @type {HTMLElement} */ (document.getElementById("recovery-codes"));
const said = /** @type {HTMLElement} */ (document.getElementById("codes-done"));
const secrets = [...list.querySelectorAll("code")].map((code) => code.textContent).join("\n");
const text = `${list.dataset.title}\n\n${secrets}\n`;

/** @type {(id: string, act: (button: HTMLElement) => void | Promise<void>) => void} */
const on = (id, act) => {
  const button = /** @type {HTMLElement} */ (document.getElementById(id));
  button.hidden = false;
  button.addEventListener("click", () => act(button));
};

on("copy-codes", async (button) => {
  try {
    // A single one is copied as it is pasted.
    await navigator.clipboard.writeText(list.classList.contains("single") ? secrets : text);
    said.textContent = button.dataset.done ?? "";
  } catch {
    // Without permission they can still be selected and copied by hand.
    getSelection()?.selectAllChildren(list);
    said.textContent = button.dataset.else ?? "";
  }
});
on("download-codes", () => {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = list.dataset.file ?? "codes.txt";
  link.click();
  URL.revokeObjectURL(link.href);
});
on("print-codes", () => print());
