// @ts-check
/**
 * On the pages of a player without an event stream: when the reader comes back to the page, and the session has ended
 * elsewhere or is another's, the page is loaded again, and shows so.
 */
const script = /** @type {HTMLElement} */ (document.getElementById("session-check"));

const check = async () => {
  if (document.hidden) return;
  const response = await fetch("/api/whoami").catch(() => null);
  // Without an answer nothing is known.
  if (!response?.ok) return;
  const account = await response.json().catch(() => undefined);
  if (account !== undefined && String(account?.id) !== script.dataset.me) location.reload();
};

document.addEventListener("visibilitychange", check);
// The browser may keep a page that was left, and show it again as it was.
addEventListener("pageshow", (event) => event.persisted && check());
