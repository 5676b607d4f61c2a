// @ts-check
/**
 * The form of a new tournament: the start is typed in the time of the place, and without scripts in UTC.
 */
{
  const form = /** @type {HTMLFormElement} */ (document.querySelector(".new-tournament form"));
  const offset = /** @type {HTMLInputElement} */ (form.elements.namedItem("offset"));
  const start = /** @type {HTMLInputElement} */ (form.elements.namedItem("starts_at"));
  const zone = /** @type {HTMLElement} */ (document.getElementById("zone"));
  zone.textContent = zone.dataset.own ?? "";

  /** Minutes east of UTC at the time that was typed: in summer they are others. */
  const writeOffset = () => {
    const at = start.value ? new Date(start.value) : new Date();
    offset.value = String(-at.getTimezoneOffset());
  };
  writeOffset();

  // A time that was typed is the start, also without scripts: who chooses another takes it back.
  form.addEventListener("change", ({ target }) => {
    const { name, value } = /** @type {HTMLInputElement} */ (target);
    if (name === "begin" && value !== "at") start.value = "";
  });
  start.addEventListener("input", () => {
    writeOffset();
    /** @type {HTMLInputElement} */ (form.querySelector('[name="begin"][value="at"]')).checked = true;
  });
}
