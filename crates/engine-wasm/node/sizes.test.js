// @ts-check
/** What a browser fetches for each engine, compressed as the server would. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { CLASSES, folder } from "./engines.js";

/** In bytes, in brotli. */
const BUDGETS = { dots: 150_000, boxes: 100_000, gomoku: 120_000, reversi: 250_000 };

for (const game of /** @type {(keyof typeof CLASSES)[]} */ (Object.keys(CLASSES))) {
  test(`the engine of ${game} is at most ${BUDGETS[game]} bytes`, (t) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const bytes = brotliCompressSync(readFileSync(new URL(`${game}_bg.wasm`, folder)), { params }).length;
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= BUDGETS[game], `${bytes} bytes`);
  });
}
