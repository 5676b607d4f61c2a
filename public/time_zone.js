// @ts-check
/**
 * Tells the server the time zone of this browser, by a cookie: it is kept once the player begins a game by correspondence. The account page
 * proposes it as long as none is known.
 */
const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
if (own) {
  const secure = location.protocol === "https:" ? "; secure" : "";
  try {
    document.cookie = `zone=${own}; path=/; samesite=lax${secure}`;
  } catch {
    // A browser may refuse cookies. The zone can still be chosen in the account.
  }
}
const zones = /** @type {HTMLSelectElement | null} */ (document.getElementById("zone"));
if (zones?.value === "" && [...zones.options].some(({ value }) => value === own)) zones.value = own;
