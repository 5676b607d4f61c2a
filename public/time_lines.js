// @ts-check
/**
 * On the page of a match by correspondence: what the server words there of its time, and the links for the side that waits, follow the
 * moves, and the vacations of the players.
 */

/** How old the words are at most when a reader comes back to the page. */
const MAX_AGE_MS = 60_000;
/** A move that is on its way is not on the page of the server yet. */
const RETRY_MS = 1000;
const MAX_TRIES = 10;

/** @param {Document} page */
const countMoves = (page) => page.querySelectorAll(".moves .part li").length;

let linesAsked = 0;
let areLinesStale = false;
let shownAt = Date.now();
let shownMoves = countMoves(document);

/** @param {number} [tries] */
async function renewLines(tries = 1) {
  const mine = (linesAsked += 1);
  areLinesStale = false;
  const response = await fetch(location.href).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  // Of two changes the later answer alone is known to have both. After a failure the next page says it.
  if (!html || mine !== linesAsked) return;
  const page = new DOMParser().parseFromString(html, "text/html");
  if (countMoves(page) !== countMoves(document) && tries < MAX_TRIES) {
    setTimeout(() => mine === linesAsked && renewLines(tries + 1), RETRY_MS);
    return;
  }
  shownAt = Date.now();
  shownMoves = countMoves(page);
  document.getElementById("time-lines")?.replaceChildren(...(page.getElementById("time-lines")?.childNodes ?? []));
}

/** Renews them now, or when somebody looks at the page. */
const noteMatchChange = () => {
  areLinesStale = true;
  if (!document.hidden) renewLines();
};

document.addEventListener("vacation_changed", noteMatchChange);
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && (areLinesStale || Date.now() - shownAt > MAX_AGE_MS)) renewLines();
});
const moves = document.querySelector(".moves .parts");
if (moves) new MutationObserver(() => countMoves(document) !== shownMoves && noteMatchChange()).observe(moves, { childList: true, subtree: true });
