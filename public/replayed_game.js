// @ts-check
/**
 * Shows a finished game move by move on the front page, from differences that the server has drawn
 * (`crates/pages/src/ui/front/finished_game.rs`). It begins by itself, unless the visitor prefers reduced motion.
 */
export {}; // A module, so that its names are its own.

/** @typedef {[number, [number, string][]]} Changes The number of elements, and those that are others, each with its place. */
/** @typedef {{ areas: Changes, marks: Changes, last: string, score: string }} Frame */

/** The interval of the moves, and the number of intervals for which the end is shown. */
const STEP_MS = 800;
const STEPS_AT_END = 6;

const figure = /** @type {HTMLElement} */ (document.querySelector(".replayed"));
/** @type {Frame[]} */
const frames = JSON.parse(document.getElementById("frames")?.textContent || "[]");
const [areas, marks, ring, score] = [".areas", ".dots", ".ring", ".score"].map(
  (selector) => /** @type {Element} */ (figure.querySelector(selector)),
);
// Those of `board.js` are in the figure, too.
const button = /** @type {HTMLButtonElement} */ (figure.querySelector("figcaption button"));

/** The frame that is shown, which goes on beyond the last one while the end is. */
let at = frames.length - 1;
/** @type {ReturnType<typeof setInterval> | undefined} */
let timer;

/** @param {Element} group @param {Changes} changes */
function change(group, [count, changed]) {
  for (const [place, markup] of changed) {
    const fresh = markup.replace('class="', 'class="fresh ');
    const old = group.children[place];
    if (old) old.outerHTML = fresh;
    else group.insertAdjacentHTML("beforeend", fresh);
  }
  while (group.children.length > count) group.lastElementChild?.remove();
}

function step() {
  at = at >= frames.length - 1 + STEPS_AT_END ? 0 : at + 1;
  const frame = frames[at];
  if (!frame) return;
  if (at === 0) for (const group of [areas, marks]) group.replaceChildren();
  change(areas, frame.areas);
  change(marks, frame.marks);
  ring.innerHTML = frame.last;
  score.textContent = frame.score;
}

/** @param {boolean} isPlaying */
function play(isPlaying) {
  clearInterval(timer);
  timer = isPlaying ? setInterval(step, STEP_MS) : undefined;
  button.textContent = (isPlaying ? button.dataset.pause : button.dataset.replay) ?? "";
  // From the beginning at once, where the end is seen.
  if (isPlaying && at >= frames.length - 1) {
    at = frames.length - 1 + STEPS_AT_END;
    step();
  }
}

button.addEventListener("click", () => play(!timer));
if (!matchMedia("(prefers-reduced-motion: reduce)").matches) play(true);
