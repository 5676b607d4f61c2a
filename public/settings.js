/** The settings panel with scripts: a choice counts at once, on this document and at the server. */
for (const form of document.querySelectorAll("form.settings-form")) {
  const status = form.querySelector("[role=status]");
  form.addEventListener("change", async ({ target: { name, value, options } }) => {
    // What stands first is the default, which needs no attribute.
    if (value === options[0].value) delete document.documentElement.dataset[name];
    else document.documentElement.dataset[name] = value;
    status.textContent = "";
    const body = new URLSearchParams({ [name]: value });
    const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
    if (!answer?.ok) return;
    status.textContent = status.dataset.saved;
    if (name === "language") location.reload();
  });
}
