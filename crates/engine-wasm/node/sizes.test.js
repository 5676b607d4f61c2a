// @ts-check
/** What a browser fetches for each engine, compressed as the server would, and the memory that a search takes there. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { brotliCompressSync, constants } from "node:zlib";
import { CLASSES, folder, load, loadModule, MEMORY } from "./engines.js";

/** In bytes, in brotli. */
const BUDGETS = { dots: 150_000, boxes: 100_000, gomoku: 120_000, reversi: 250_000 };

/** The setups that take most. */
const LARGEST = {
  dots: '{"width":50,"height":50}',
  boxes: '{"cols":10,"rows":10}',
  gomoku: '{"size":19}',
  reversi: "{}",
};

/** As many as fill the tables and the tree. */
const NODES = { dots: 1_200_000, boxes: 30_000, gomoku: 300_000, reversi: 1_000_000 };

/**
 * Moves before the search. In Dots they leave two rows of fifty, because a tree grows fast where games are short.
 *
 * @type {Partial<Record<string, string[]>>}
 */
const MOVES = { dots: Array.from({ length: 50 * 48 }, (_, place) => `${place % 50},${Math.floor(place / 50)}`) };

for (const game of /** @type {(keyof typeof CLASSES)[]} */ (Object.keys(CLASSES))) {
  test(`the engine of ${game} is at most ${BUDGETS[game]} bytes`, (t) => {
    const params = { [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY };
    const bytes = brotliCompressSync(readFileSync(new URL(`${game}_bg.wasm`, folder)), { params }).length;
    t.diagnostic(`${bytes} bytes`);
    assert.ok(bytes <= BUDGETS[game], `${bytes} bytes`);
  });

  test(`the engine of ${game} takes at most 64 MB on the largest board`, async (t) => {
    const session = new (await load(game))(LARGEST[game]);
    for (const mv of MOVES[game] ?? []) session.play(mv);
    // A second search keeps what it can of the first, which takes most.
    for (let search = 0; search < 2; search += 1) {
      session.search(BigInt(NODES[game]), 8, MEMORY, 1n);
      while (session.step(1_000));
      const { choice } = JSON.parse(session.best());
      if (choice) session.play(choice);
    }
    // Memory of WebAssembly never shrinks.
    const { memory } = (await loadModule(game)).initSync();
    t.diagnostic(`${memory.buffer.byteLength} bytes`);
    assert.ok(memory.buffer.byteLength <= 64 << 20, `${memory.buffer.byteLength} bytes`);
    session.free();
  });
}
