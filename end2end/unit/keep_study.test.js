// @ts-check
/** `public/keep_study.js`, on a page with links to analyses, as `crates/pages/src/ui/records/sgf_page.rs` draws them. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

const PAGE = `<a href="/analysis?kept=a1" data-kept="a1" data-study="moves=1,1">One</a>
  <a href="/analysis?kept=b2" data-kept="b2" data-study="moves=2,2">Another</a>
  <a href="/analysis?moves=3,3">One whose address has room for all of it</a>`;

test("what an address has no room for is kept in this tab", async () => {
  /** @type {Record<string, string>} */
  const kept = {};
  const setItem = (/** @type {string} */ key, /** @type {string} */ value) => void (kept[key] = value);
  load(PAGE, { sessionStorage: { setItem } });
  await run("keep_study.js");
  assert.deepEqual(kept, { "study-a1": "moves=1,1", "study-b2": "moves=2,2" });
});

test("an analysis for which there is no room leaves the others kept", async () => {
  /** @type {string[]} */
  const kept = [];
  const setItem = (/** @type {string} */ key) => {
    if (key === "study-a1") throw new Error("there is no room");
    kept.push(key);
  };
  load(PAGE, { sessionStorage: { setItem } });
  await run("keep_study.js");
  assert.deepEqual(kept, ["study-b2"]);
});
