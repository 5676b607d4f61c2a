// @ts-check
/**
 * Keeps the last press on the board of the front page until the code of the page runs, and repeats it then. On a slow line a visitor
 * sees the board a while before.
 */
export {}; // A module, so that its names are its own.

const html = document.documentElement;
const board = document.querySelector(".own-game .board");
/** The press, with the place of the board and what was drawn on it. @type {{ event: MouseEvent, left: number, top: number, marks: number } | null} */
let early = null;
/** @type {PointerEvent | null} */
let down = null;

const press = (/** @type {Event} */ event) => (down = /** @type {PointerEvent} */ (event));
const countMarks = () => board?.querySelector(".dots")?.childElementCount ?? 0;
function keep(/** @type {Event} */ event) {
  const { left, top } = /** @type {Element} */ (board).getBoundingClientRect();
  early = { event: /** @type {MouseEvent} */ (event), left, top, marks: countMarks() };
}

function repeat() {
  if (!("hydrated" in html.dataset)) return;
  observer.disconnect();
  board?.removeEventListener("pointerdown", press);
  board?.removeEventListener("click", keep);
  // A game that goes on is another board than the one that was pressed.
  if (!board || early?.marks !== countMarks()) return;
  const now = board.getBoundingClientRect();
  const [clientX, clientY] = [early.event.clientX + now.left - early.left, early.event.clientY + now.top - early.top];
  const place = { clientX, clientY, bubbles: true, cancelable: true };
  const pointer = { ...place, isPrimary: true, pointerType: down?.pointerType ?? "mouse" };
  for (const name of ["pointerdown", "pointerup"]) board.dispatchEvent(new PointerEvent(name, pointer));
  board.dispatchEvent(new MouseEvent("click", place));
}

const observer = new MutationObserver(repeat);
observer.observe(html, { attributeFilter: ["data-hydrated"] });
board?.addEventListener("pointerdown", press);
board?.addEventListener("click", keep);
repeat();
