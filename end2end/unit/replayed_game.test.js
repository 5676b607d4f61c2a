// @ts-check
/** `public/replayed_game.js`: a finished game goes on by itself, from the differences that the server has drawn. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { load, run } from "./page.js";

const dot = (/** @type {number} */ x, more = "") => `<circle class="dot${more}" cx="${x}"/>`;
const frames = [
  { areas: [0, []], marks: [0, []], last: "", score: "0 : 0" },
  { areas: [0, []], marks: [1, [[0, dot(1)]]], last: "", score: "0 : 0" },
  { areas: [1, [[0, '<path class="area"/>']]], marks: [2, [[0, dot(1, " dead")], [1, dot(2)]]], last: '<circle class="last"/>', score: "0 : 1" },
];
const page = `<html><figure class="replayed"><svg><g class="areas"><path class="area"/></g>
  <g class="dots">${dot(1, " dead")}${dot(2)}</g><g class="ring"></g></svg>
  <div class="board-tools"><button name="out">−</button></div><figcaption><span class="score">0 : 1</span>
  <button data-replay="Replay" data-pause="Pause">Replay</button></figcaption></figure>
  <script type="application/json" id="frames">${JSON.stringify(frames)}</script>`;

/** @param {boolean} isReduced */
async function open(isReduced) {
  mock.timers.enable({ apis: ["setInterval"] });
  load(page, { matchMedia: () => ({ matches: isReduced }) });
  await run("replayed_game.js");
  const count = (/** @type {string} */ selector) => document.querySelectorAll(selector).length;
  const seen = () => [count(".dots > *"), count(".areas > *"), count(".last"), document.querySelector(".score")?.textContent];
  return { seen, button: /** @type {HTMLButtonElement} */ (document.querySelector("figcaption button")) };
}

test("the game goes on by itself, from its beginning to its end and over again", async () => {
  const { seen, button } = await open(false);
  assert.deepEqual([...seen(), button.textContent], [0, 0, 0, "0 : 0", "Pause"]);
  mock.timers.tick(800);
  assert.deepEqual(seen(), [1, 0, 0, "0 : 0"]);
  mock.timers.tick(800);
  assert.deepEqual(seen(), [2, 1, 1, "0 : 1"]);
  assert.ok(document.querySelector(".dot.dead.fresh"));
  mock.timers.tick(6 * 800);
  assert.deepEqual(seen(), [2, 1, 1, "0 : 1"]);
  mock.timers.tick(800);
  assert.deepEqual(seen(), [0, 0, 0, "0 : 0"]);
  mock.timers.tick(800);
  button.click();
  mock.timers.tick(8_000);
  assert.deepEqual([...seen(), button.textContent], [1, 0, 0, "0 : 0", "Replay"]);
  mock.timers.reset();
});

test("nothing moves by itself for those who prefer that", async () => {
  const { seen, button } = await open(true);
  mock.timers.tick(8_000);
  assert.deepEqual([...seen(), button.textContent], [2, 1, 0, "0 : 1", "Replay"]);
  button.click();
  assert.deepEqual(seen(), [0, 0, 0, "0 : 0"]);
  mock.timers.reset();
});
