// @ts-check
/** `public/session.js`: a page is loaded again when the session of its reader has ended elsewhere. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** The server's answer to a question for the caller, or nothing. @type {Response | undefined} */
let answer;
let reloads = 0;
/** @type {((event: { persisted: boolean }) => void) | undefined} */
let pageshow;

beforeEach(async () => {
  [answer, reloads] = [undefined, 0];
  load(`<html lang="en"><script id="session-check" data-me="7"></script>`, {
    fetch: async () => answer ?? Promise.reject(new TypeError("no connection")),
    location: { reload: () => (reloads += 1) },
    addEventListener: (/** @type {string} */ name, /** @type {typeof pageshow} */ handle) => {
      if (name === "pageshow") pageshow = handle;
    },
  });
  await run("session.js");
});

/** Lets the reader come back to the page, and returns the number of reloads so far. @param {Response} [whoami] */
async function comeBack(whoami) {
  answer = whoami;
  document.dispatchEvent(new Event("visibilitychange"));
  for (let turn = 0; turn < 3; turn += 1) await settled();
  return reloads;
}

test("the page is reloaded when the session has ended or another account is signed in", async () => {
  assert.equal(await comeBack(), 0, "no connection");
  assert.equal(await comeBack(new Response("", { status: 503 })), 0);
  assert.equal(await comeBack(new Response("<html>")), 0, "no answer of ours");
  assert.equal(await comeBack(Response.json({ id: 7, name: "ann", guest: false })), 0);
  assert.equal(await comeBack(Response.json({ id: 8, name: "bob", guest: false })), 1);
  assert.equal(await comeBack(Response.json(null)), 2);
});

test("a page restored from the back/forward cache is checked, too", async () => {
  answer = Response.json(null);
  pageshow?.({ persisted: false });
  await settled();
  assert.equal(reloads, 0);
  pageshow?.({ persisted: true });
  for (let turn = 0; turn < 3; turn += 1) await settled();
  assert.equal(reloads, 1);
});
