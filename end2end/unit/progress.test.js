// @ts-check
/** `public/progress.js`: the bar of a page that is being loaded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

test("the bar shows how many of the page's files have come", async () => {
  /** @type {Set<string>} */
  const come = new Set();
  let tell = () => {};
  load(
    `<html><link rel="preload" href="/a.wasm"><link rel="modulepreload" href="/b.js"><link rel="stylesheet" href="/c.css"><progress></progress>`,
    {
      performance: { getEntriesByName: (/** @type {string} */ name) => (come.has(new URL(name).pathname) ? [{}] : []) },
      PerformanceObserver: class {
        /** @param {() => void} changed */
        constructor(changed) {
          tell = changed;
        }
        observe() {}
      },
    },
  );
  await run("progress.js");
  const bar = /** @type {HTMLProgressElement} */ (document.querySelector("progress"));
  tell();
  assert.deepEqual([bar.value, bar.max], [0, 2]);
  come.add("/a.wasm");
  tell();
  assert.equal(bar.value, 1);
  come.add("/b.js").add("/c.css");
  tell();
  assert.equal(bar.value, 2);
});
