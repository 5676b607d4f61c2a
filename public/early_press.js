// @ts-check
/**
 * Keeps the last press on the board of the front page until the code of the page runs, and repeats it then. On a slow line a visitor
 * sees the board a while before.
 */
export {}; // A module, so that its names are its own.

const html = document.documentElement;
const board = document.querySelector(".own-game .board");
/** @type {MouseEvent | null} */
let early = null;
/** @type {PointerEvent | null} */
let down = null;

const press = (/** @type {Event} */ event) => (down = /** @type {PointerEvent} */ (event));
const keep = (/** @type {Event} */ event) => (early = /** @type {MouseEvent} */ (event));

function repeat() {
  if (!("hydrated" in html.dataset)) return;
  observer.disconnect();
  board?.removeEventListener("pointerdown", press);
  board?.removeEventListener("click", keep);
  if (!early) return;
  const { clientX, clientY } = early;
  const place = { clientX, clientY, bubbles: true, cancelable: true };
  const pointer = { ...place, isPrimary: true, pointerType: down?.pointerType ?? "mouse" };
  for (const name of ["pointerdown", "pointerup"]) board?.dispatchEvent(new PointerEvent(name, pointer));
  board?.dispatchEvent(new MouseEvent("click", place));
}

const observer = new MutationObserver(repeat);
observer.observe(html, { attributeFilter: ["data-hydrated"] });
board?.addEventListener("pointerdown", press);
board?.addEventListener("click", keep);
repeat();
