// @ts-check
/** On the account page: proposes the time zone of this browser, as long as the player has chosen none. */
const zones = /** @type {HTMLSelectElement} */ (document.getElementById("zone"));
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
if (zones.value === "" && [...zones.options].some(({ value }) => value === own)) zones.value = own;
