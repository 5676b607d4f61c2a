// @ts-check
/** Forms on every page: what its scripts send them with, and the settings panel. A classic script, because `chat.js` is one. */

/**
 * Sends fields as a form does, or JSON as a blob of its type. `ok` is whether the server accepts it, undefined without a
 * connection, and `answer` is the JSON of its answer, if there is any.
 *
 * @param {string} address @param {URLSearchParams | Blob} body @param {AbortSignal} [signal]
 * @returns {Promise<{ ok: boolean | undefined, answer: any }>}
 */
async function send(address, body, signal) {
  const headers = { accept: "application/json" };
  const response = await fetch(address, { method: "POST", body, headers, signal }).catch(() => null);
  return { ok: response?.ok, answer: await response?.json().catch(() => null) };
}

// The badge of the app is that of an account: whoever is signed out has none. Offline the page of an account has none of its parts.
if (!document.querySelector(".bell") && navigator.onLine) navigator.clearAppBadge?.().catch(() => {});

// A changed setting takes effect on this document at once, and is saved by the server.
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.settings-form"))) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  /** The save under way. Saves are made one by one: the cookie has all settings, and the last change must be the last saved. */
  let saving = /** @type {Promise<unknown>} */ (Promise.resolve());
  form.addEventListener("change", async ({ target }) => {
    const { name, type, checked, value: chosen } = /** @type {HTMLInputElement} */ (target);
    const value = type === "checkbox" && !checked ? "off" : chosen;
    document.documentElement.dataset[name] = value;
    status.textContent = "";
    const saved = saving.then(() => send(form.action, new URLSearchParams(/** @type {Record<string, string>} */ ({ ...form.dataset, [name]: value }))));
    saving = saved;
    const { ok } = await saved;
    if (!ok) return;
    status.textContent = status.dataset.saved ?? "";
    // Pages kept for use offline have the theme and the language of this browser.
    navigator.serviceWorker?.controller?.postMessage("refresh");
    const here = new URL(location.href);
    if (name === "language" && here.searchParams.has("lang")) {
      // The address names another language.
      here.searchParams.delete("lang");
      location.replace(here);
    } else if (name === "language") {
      location.reload();
    }
  });
}

// The board that shows the settings is fetched when they are first opened.
document.getElementById("settings")?.addEventListener(
  "toggle",
  async () => {
    const form = document.querySelector("#settings form");
    const preview = await fetch("/settings_preview.svg").catch(() => null);
    if (preview?.ok) form?.insertAdjacentHTML("beforebegin", await preview.text());
  },
  { once: true },
);
