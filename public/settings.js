// @ts-check
/** The settings panel: a changed setting takes effect on this document at once, and is saved by the server. */
for (const form of /** @type {NodeListOf<HTMLFormElement>} */ (document.querySelectorAll("form.settings-form"))) {
  const status = /** @type {HTMLElement} */ (form.querySelector("[role=status]"));
  form.addEventListener("change", async ({ target }) => {
    const { name, value, options } = /** @type {HTMLSelectElement} */ (target);
    // The first option is the default, which needs no attribute.
    if (value === options[0].value) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
    status.textContent = "";
    const body = new URLSearchParams({ [name]: value });
    const headers = { accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    if (!response?.ok) return;
    status.textContent = status.dataset.saved ?? "";
    // Pages kept for use offline have the theme and the language of this browser.
    navigator.serviceWorker?.controller?.postMessage("refresh");
    // The sheet of black and white stones comes with the page.
    if (name === "language" || value === "stones") location.reload();
  });
}
