// @ts-check
/**
 * Keeps the last press on the board of the front page until the code of the page runs, and repeats it then. On a slow line a visitor
 * sees the board a while before, so the mark is drawn at once.
 */
export {}; // A module, so that its names are its own.

const html = document.documentElement;
const board = document.querySelector(".own-game .board");
/** The press, with the place of the board and what was drawn on it. @type {{ event: MouseEvent, left: number, top: number, marks: number } | null} */
let early = null;
/** @type {PointerEvent | null} */
let down = null;
/** The mark of the press, in a group of its own: the code of the page takes up the others as the server has drawn them. @type {Element | null} */
let drawn = null;

const press = (/** @type {Event} */ event) => (down = /** @type {PointerEvent} */ (event));
const countMarks = () => board?.querySelector(".dots")?.childElementCount ?? 0;
function keep(/** @type {Event} */ event) {
  const { left, top } = /** @type {Element} */ (board).getBoundingClientRect();
  early = { event: /** @type {MouseEvent} */ (event), left, top, marks: countMarks() };
  draw(/** @type {MouseEvent} */ (event));
}

function draw(/** @type {MouseEvent} */ { clientX, clientY }) {
  drawn?.remove();
  const matrix = /** @type {SVGSVGElement} */ (board).getScreenCTM();
  if (!matrix) return;
  const { x, y } = new DOMPoint(clientX, clientY).matrixTransform(matrix.inverse());
  // A tap chooses, and the second one plays.
  const markup = markAt(x / 10, y / 10, down?.pointerType === "touch" ? "red ghost" : "red");
  drawn = document.createElementNS("http://www.w3.org/2000/svg", "g");
  drawn.setAttribute("class", "dots");
  drawn.innerHTML = markup;
  /** @type {Element} */ (board).append(drawn);
}

/** Returns the mark of a press at these columns and rows as `picture.rs` draws it; nothing where no move is. */
function markAt(/** @type {number} */ column, /** @type {number} */ row, /** @type {string} */ side) {
  const paper = board?.querySelector(".paper");
  const [columns, rows] = ["width", "height"].map((name) => Number(paper?.getAttribute(name)) / 10 - 1);
  const isTaken = (/** @type {string} */ mark) => board?.querySelector(`.dots ${mark}`);
  if (board?.querySelector(".peg")) {
    const isAcross = Math.abs(row - Math.round(row)) < Math.abs(column - Math.round(column));
    const [x, y] = isAcross ? [Math.floor(column), Math.round(row)] : [Math.round(column), Math.floor(row)];
    const isOnBoard = x >= 0 && y >= 0 && x < columns + Number(!isAcross) && y < rows + Number(isAcross);
    const path = isAcross ? `M${x * 10 + 2} ${y * 10}h6` : `M${x * 10} ${y * 10 + 2}v6`;
    return isOnBoard && !isTaken(`[d="${path}"]`) ? `<g class="bar ${side}"><path d="${path}"/></g>` : "";
  }
  const [x, y] = [Math.round(column), Math.round(row)];
  const place = `[cx="${x * 10}"][cy="${y * 10}"]`;
  const isOnBoard = x >= 0 && y >= 0 && x <= columns && y <= rows;
  // Only in Reversi the board shows where one may move.
  const isLegal = !board?.querySelector(".open > *") || board.querySelector(`.open ${place}`);
  if (!isOnBoard || !isLegal || isTaken(place)) return "";
  const [kind, radius] = board?.closest(".stones") ? ["dot stone", 4.2] : ["dot", 3.4];
  return `<circle class="${kind} ${side}" cx="${x * 10}" cy="${y * 10}" r="${radius}"/>`;
}

function repeat() {
  if (!("hydrated" in html.dataset)) return;
  observer.disconnect();
  board?.removeEventListener("pointerdown", press);
  board?.removeEventListener("click", keep);
  drawn?.remove();
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
