// @ts-check
/** `script/missing_parts.mjs`, with what the splitter writes into the loader. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { withFailuresTold } from "../../script/missing_parts.mjs";

const LOADER = `function wrapAsyncCb(callee) {
    return async (callbackIndex, callbackData) => {
        let success;
        try {
            await callee();
            success = true;
        } catch (e) {
            console.error(e);
            success = false;
        } finally {
            const sharedImports = getSharedImports();
            sharedImports.__wasm_split.__indirect_function_table.get(callbackIndex)(callbackData, success);
        }
    }
}
`;

/** Loads a part, and returns what was called. @param {() => Promise<void>} part */
async function load(part) {
  /** @type {unknown[][]} */
  const calls = [];
  const table = { get: (/** @type {number} */ index) => (/** @type {unknown[]} */ ...called) => calls.push([index, ...called]) };
  const shared = () => ({ __wasm_split: { __indirect_function_table: table } });
  const fallback = { fail: (/** @type {string} */ kind, /** @type {string} */ message) => calls.push([kind, message.split("\n")[0]]) };
  const wrapped = new Function("getSharedImports", "fallback", `${withFailuresTold(LOADER)}; return wrapAsyncCb;`);
  await wrapped(shared, fallback)(part)(7, 11);
  return calls;
}

test("a part that comes is called back for", async () => {
  assert.deepEqual(await load(async () => {}), [[7, 11, true]]);
});

test("a part that does not come makes the page one without scripts, and nothing is called back", async () => {
  const calls = await load(() => Promise.reject(new TypeError("Failed to fetch")));
  assert.deepEqual(calls, [["not_started", "TypeError: Failed to fetch"]]);
});

test("another loader ends the build", () => {
  assert.throws(() => withFailuresTold("loader.catch(() => {});"), /another way/);
});
