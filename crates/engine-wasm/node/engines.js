// @ts-check
/** The engines of `target/engines` (see `script/engines`), loaded in Node. */
import { readFileSync } from "node:fs";

export const folder = new URL("../../../target/engines/", import.meta.url);

/** The classes of the modules, by game. */
export const CLASSES = { dots: "DotsSession", boxes: "BoxesSession", gomoku: "GomokuSession", reversi: "ReversiSession" };

/**
 * A module by its place in the folder, such as `dots`, ready for use.
 *
 * @param {string} name
 * @returns {Promise<Record<string, any>>}
 */
export async function loadModule(name) {
  const module = await import(new URL(`${name}.js`, folder).href);
  module.initSync({ module: readFileSync(new URL(`${name}_bg.wasm`, folder)) });
  return module;
}

/**
 * The session class of a game.
 *
 * @param {string} game
 * @returns {Promise<new (setup: string) => {
 *   play(mv: string): void, search(nodes: bigint, level: number, memory: number, seed: bigint): void,
 *   step(budget: number): boolean, best(): string, free(): void }>}
 */
export async function load(game) {
  const { [CLASSES[/** @type {keyof typeof CLASSES} */ (game)]]: Session } = await loadModule(game);
  return Session;
}

/** The bound of memory that the vectors are searched with: `Limits::DEFAULT_MEMORY`. */
export const MEMORY = 48 << 20;
