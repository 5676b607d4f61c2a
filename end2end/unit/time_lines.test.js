// @ts-check
/** `public/time_lines.js`: the lines of a match follow its moves, and the vacations of its players. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, run, settled } from "./page.js";

/** The answers of the server that are still to come. @type {((html: string | undefined) => void)[]} */
let pending = [];
let hidden = false;

const change = () => document.dispatchEvent(new CustomEvent("vacation_changed", { detail: "{}" }));
const lines = () => document.getElementById("time-lines")?.textContent;
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await settled();
};
/** @param {number} index @param {string} [html] No page: there is no connection. */
const answer = async (index, html) => {
  pending[index](html);
  await settle();
};
/** @param {string} text @param {number} [moves] */
const page = (text, moves = 1) =>
  `<main><div id="time-lines"><p>${text}</p></div><div class="moves"><div class="parts"><ol class="part">${"<li>1</li>".repeat(moves)}</ol></div></div></main>`;
const place = async () => {
  document.querySelector(".part")?.append(document.createElement("li"));
  await settle();
};

beforeEach(async () => {
  pending = [];
  hidden = false;
  load(page("before"), {
    fetch: () =>
      new Promise((done, fail) => pending.push((html) => (html === undefined ? fail(new TypeError("offline")) : done(new Response(html))))),
  });
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  await run("time_lines.js");
});

test("the lines are those of the page as it is now", async () => {
  change();
  await answer(0, page("away for two days"));
  assert.equal(lines(), "away for two days");
  change();
  await answer(1, `<div class="moves"><ol class="part"><li>1</li></ol></div>`);
  assert.equal(lines(), "", "the match is over");
});

test("without an answer they stay", async () => {
  change();
  await answer(0);
  assert.equal(lines(), "before");
});

test("an answer that comes after a later one changes nothing", async () => {
  change();
  change();
  await answer(1, page("later"));
  await answer(0, page("earlier"));
  assert.equal(lines(), "later");
});

test("a move renews them, once the server has it", async (context) => {
  context.after(() => mock.timers.reset());
  mock.timers.enable({ apis: ["setTimeout"] });
  await place();
  assert.equal(pending.length, 1);
  await answer(0, page("before"));
  assert.equal(pending.length, 1);
  mock.timers.tick(1000);
  await answer(1, page("the night", 2));
  assert.equal(lines(), "the night");
  await place();
  assert.equal(pending.length, 3);
});

test("a page that nobody sees is renewed when its reader comes back", async () => {
  hidden = true;
  await place();
  assert.equal(pending.length, 0);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await answer(0, page("in the morning", 2));
  assert.equal(lines(), "in the morning");
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(pending.length, 1, "as it was a moment ago");
});
