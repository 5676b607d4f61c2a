// @ts-check
/** `public/vacation_lines.js`: the lines of a match follow the vacations of its players. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** The answers of the server that are still to come. @type {((html: string | undefined) => void)[]} */
let pending = [];

const change = () => document.dispatchEvent(new CustomEvent("vacation_changed", { detail: "{}" }));
const lines = () => document.getElementById("time-lines")?.textContent;
/** @param {number} index @param {string} [html] No page: there is no connection. */
const answer = async (index, html) => {
  pending[index](html);
  for (let turn = 0; turn < 10; turn += 1) await settled();
};
/** @param {string} text */
const page = (text) => `<main><div id="time-lines"><p>${text}</p></div></main>`;

beforeEach(async () => {
  pending = [];
  load(page("before"), {
    fetch: () =>
      new Promise((done, fail) => pending.push((html) => (html === undefined ? fail(new TypeError("offline")) : done(new Response(html))))),
  });
  await run("vacation_lines.js");
});

test("the lines are those of the page as it is now", async () => {
  change();
  await answer(0, page("away for two days"));
  assert.equal(lines(), "away for two days");
  change();
  await answer(1, "<main></main>");
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
