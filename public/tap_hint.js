// @ts-check
/** The hint at the aim of a tap: that another tap there makes the move. `board.js` loads it with the first tap. */

/**
 * What the hint needs of the board's `View`.
 *
 * @typedef {{ frame: HTMLElement, aim: Element | null, isAtAim: boolean, pitch: number, scale: number, moveHint: () => void }} View
 */

/** The number of moves by two taps after which the hint is known, and where the browser keeps it. */
const TAPS_TO_LEARN = 2;
const LEARNED_KEY = "taps-learned";

/** The hint that is shown. @type {HTMLElement | null} */
let hint = null;

/** Called after a tap, when the board has answered it. @param {View} view @param {string | undefined} text */
export function show(view, text) {
  hint?.remove();
  hint = null;
  view.moveHint = () => {};
  const learned = Number(remembered());
  if (learned >= TAPS_TO_LEARN) return;
  if (view.aim && text) {
    hint = document.createElement("p");
    hint.className = "tap-again";
    hint.textContent = text;
    view.frame.append(hint);
    view.moveHint = () => place(view);
    place(view);
  } else if (view.isAtAim && !view.aim) remember(learned + 1);
}

/** Puts the hint above the aim, or below it at the upper edge, and inside of the frame. @param {View} view */
function place({ frame, aim, pitch, scale }) {
  if (!hint || !aim) return;
  const [outer, inner] = [frame.getBoundingClientRect(), aim.getBoundingClientRect()];
  const [x, y] = [inner.left + inner.width / 2 - outer.left, inner.top + inner.height / 2 - outer.top];
  const { style, offsetWidth, offsetHeight } = hint;
  const far = 0.8 * pitch * scale;
  const above = y - far - offsetHeight;
  style.left = `${Math.max(0, Math.min(x - offsetWidth / 2, outer.width - offsetWidth))}px`;
  style.top = `${above < 0 ? y + far : above}px`;
}

/** The number of moves that were made by two taps. A browser may keep nothing. */
function remembered() {
  try {
    return localStorage.getItem(LEARNED_KEY);
  } catch {
    return null;
  }
}

/** @param {number} count */
function remember(count) {
  try {
    localStorage.setItem(LEARNED_KEY, String(count));
  } catch {
    // The hint is shown once more.
  }
}
