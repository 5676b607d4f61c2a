// @ts-check
/** `public/tap_hint.js`: the aim says what another tap does, until that was done twice. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

test("the hint is at the aim until two moves were made by a second tap", async () => {
  /** @type {Map<string, string>} */
  const kept = new Map();
  const localStorage = {
    getItem: (/** @type {string} */ key) => kept.get(key) ?? null,
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept.set(key, value),
  };
  load('<html><div class="frame"><i class="ghost"></i></div>', { localStorage });
  const { show } = await import(await run("tap_hint.js"));
  const frame = /** @type {HTMLElement} */ (document.querySelector(".frame"));
  const ghost = /** @type {Element} */ (document.querySelector(".ghost"));
  const hints = () => document.querySelectorAll(".tap-again").length;
  const view = { frame, aim: /** @type {Element | null} */ (ghost), isAtAim: false, pitch: 24, scale: 1, moveHint() {} };
  const aim = () => show(Object.assign(view, { aim: ghost, isAtAim: false }), "again");
  const move = () => show(Object.assign(view, { aim: null, isAtAim: true }), "again");
  aim();
  assert.equal(hints(), 1);
  // A tap elsewhere moves the aim, and teaches nothing.
  aim();
  assert.equal(hints(), 1);
  move();
  assert.equal(hints(), 0);
  aim();
  assert.equal(hints(), 1);
  move();
  aim();
  assert.equal(hints(), 0);
});
