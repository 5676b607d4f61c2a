// @ts-check
/** `public/late_start.js`, which fetches and starts the code of a page once it is painted. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run, settled } from "./page.js";

const LINKS =
  '<link rel="modulepreload" href="/a.js" crossorigin="" media="not all"><link rel="preload" as="fetch" href="/a.wasm" media="not all">';

/** Loads the page. Returns what a browser calls: of the next frame, and of each timer. @param {string} code */
async function open(code) {
  /** @type {(() => void)[]} */
  const frames = [];
  /** @type {Map<number, () => void>} */
  const timers = new Map();
  /** @type {unknown[][]} */
  const failures = [];
  Object.assign(globalThis, { lateStarts: 0 });
  load(`<html><head>${LINKS}<link rel="stylesheet" href="/a.css"></head><body><script id="start" data-start="${code}"></script>`, {
    requestAnimationFrame: (/** @type {() => void} */ callback) => frames.push(callback),
    fallback: { fail: (/** @type {unknown[]} */ ...failure) => failures.push(failure) },
  });
  const real = globalThis.setTimeout;
  // Only while the script runs: the test runner has timers, too.
  const late = (/** @type {() => void} */ callback, time = 0) => timers.set(time, callback);
  globalThis.setTimeout = /** @type {any} */ (late);
  await run("late_start.js");
  const paint = () => {
    globalThis.setTimeout = /** @type {any} */ (late);
    for (const frame of frames) frame();
    globalThis.setTimeout = real;
    timers.get(0)?.();
  };
  globalThis.setTimeout = real;
  return { paint, wait: (/** @type {number} */ time) => timers.get(time)?.(), failures };
}

const starts = () => /** @type {any} */ (globalThis).lateStarts;
const late = () => document.querySelectorAll("link[media]").length;
let opened = 0;
/** A script of its own for each page: one that is imported twice runs once. */
const script = () => `data:text/javascript,globalThis.lateStarts++;//${(opened += 1)}`;

async function turns() {
  for (let turn = 0; turn < 5; turn += 1) await settled();
}

test("nothing is fetched before the page is painted, and all of it then, once", async () => {
  const page = await open(script());
  await turns();
  assert.deepEqual([late(), starts()], [2, 0]);
  page.paint();
  await turns();
  assert.deepEqual([late(), starts()], [0, 1]);
  const links = [...document.querySelectorAll("link")].map((link) => link.outerHTML);
  assert.deepEqual(links, [
    '<link rel="modulepreload" href="/a.js" crossorigin="">',
    '<link rel="preload" as="fetch" href="/a.wasm">',
    '<link rel="stylesheet" href="/a.css">',
  ]);
  page.wait(2_000);
  await turns();
  assert.equal(starts(), 1);
});

test("a page that is not painted starts after a while", async () => {
  const page = await open(script());
  page.wait(2_000);
  await turns();
  assert.deepEqual([late(), starts()], [0, 1]);
});

test("a start that cannot be loaded is told", async () => {
  const page = await open("data:text/javascript,throw new Error('blocked')");
  page.paint();
  await turns();
  assert.equal(page.failures[0][0], "not_started");
});
