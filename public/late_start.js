// @ts-check
/**
 * In place of `start.js` on a page that is read first (`crates/pages/src/ui/shell/start.rs`): fetches the code of the page, and starts it,
 * once the page is painted. Before that, the code would take the line from the stylesheet.
 */
export {}; // A module, so that its names are its own.

/** The time after which the code is fetched though nothing was painted: a page in the background is not. */
const PAINT_TIMEOUT_MS = 2_000;

let isBegun = false;

function begin() {
  if (isBegun) return;
  isBegun = true;
  // A link that is put in anew is followed at once in all browsers; of one whose `media` changes not all take notice.
  for (const link of document.querySelectorAll("link[media='not all']")) {
    const now = /** @type {Element} */ (link.cloneNode());
    now.removeAttribute("media");
    link.replaceWith(now);
  }
  const { start = "" } = /** @type {HTMLElement} */ (document.getElementById("start")).dataset;
  import(start).catch((error) => fallback.fail("not_started", error?.stack ?? error));
}

// A frame is asked for before it is painted, and no frame before the stylesheet has come.
requestAnimationFrame(() => setTimeout(begin));
setTimeout(begin, PAINT_TIMEOUT_MS);
