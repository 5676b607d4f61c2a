// @ts-check
/** The engines as WebAssembly find what they find natively: `tests/vectors.json`. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { load, MEMORY } from "./engines.js";

const file = new URL("../tests/vectors.json", import.meta.url);
/** @type {{ game: string, setup: string, moves: string[], nodes: number, level: number, seed: number, report: object }[]} */
const vectors = JSON.parse(readFileSync(file, "utf8"));

for (const [number, { game, setup, moves, nodes, level, seed, report }] of vectors.entries()) {
  test(`vector ${number}: ${game}, ${moves.length} moves, level ${level}`, async () => {
    const session = new (await load(game))(setup);
    for (const mv of moves) session.play(mv);
    session.search(BigInt(nodes), level, MEMORY, BigInt(seed));
    while (session.step(17));
    assert.deepEqual(JSON.parse(session.best()), report);
    session.free();
  });
}
