// @ts-check
/** `public/board_keys.js`: the list of keys in a dialog, fetched once. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

test("the list of the page of keys is shown in a dialog, which is made once", async () => {
  let [asked, shown] = [0, 0];
  const answers = [
    () => Promise.reject(new TypeError("no connection")),
    async () => new Response('<html><main><section class="keys"><h1 id="keys-title">Keys</h1></section></main></html>'),
  ];
  /** @param {string} url */
  const fetch = (url) => {
    assert.equal(url, "/keys");
    asked += 1;
    return /** @type {() => Promise<Response>} */ (answers.shift())();
  };
  load("<html><body></body></html>", { fetch });
  const { show } = await import(await run("board_keys.js"));
  await show("Close");
  assert.equal(document.querySelector("dialog"), null, "without a connection there is nothing to show");

  const create = document.createElement.bind(document);
  document.createElement = /** @type {any} */ (
    (/** @type {string} */ name) => Object.assign(create(name), name === "dialog" ? { showModal: () => (shown += 1) } : {})
  );
  await show("Close");
  await show("Close");
  assert.equal(document.querySelectorAll("dialog .keys").length, 1);
  assert.equal(document.querySelector("dialog button")?.getAttribute("aria-label"), "Close");
  assert.deepEqual([asked, shown], [2, 2]);
});
