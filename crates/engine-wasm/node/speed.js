// @ts-check
/**
 * Nodes a second of each engine as WebAssembly, in the searches that `examples/speed.rs` does natively: in Node, and with
 * `--chromium` in a Web Worker of Chromium.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { CLASSES, folder, load, MEMORY } from "./engines.js";

/**
 * The moves of Gomoku are there because an empty board needs no search.
 *
 * @type {[keyof typeof CLASSES, string, string[], number][]}
 */
const SEARCHES = [
  ["dots", '{"width":20,"height":20,"start":"cross"}', [], 20_000],
  ["boxes", '{"cols":5,"rows":5}', [], 200_000],
  ["gomoku", '{"size":15,"rule":"freestyle"}', ["7,7", "8,8", "6,8", "7,9", "8,6", "5,9"], 500_000],
  ["reversi", "{}", [], 2_000_000],
];

/**
 * The best of three searches after the moves. It runs in Node and in the worker, so it names nothing else.
 *
 * @param {new (setup: string) => any} Session
 * @param {string} setup
 * @param {string[]} moves
 * @param {number} nodes
 * @param {number} memory
 */
function measure(Session, setup, moves, nodes, memory) {
  let best = 0;
  for (let run = 0; run < 3; run += 1) {
    const session = new Session(setup);
    for (const mv of moves) session.play(mv);
    session.search(BigInt(nodes), 8, memory, 1n);
    const began = performance.now();
    while (session.step(1_000));
    best = Math.max(best, (1_000 * JSON.parse(session.best()).nodes) / (performance.now() - began));
    session.free();
  }
  return best;
}

/** @param {string} game @param {number} speed @param {string} where */
const print = (game, speed, where) =>
  console.log(`${game.padEnd(8)} ${speed.toFixed(0).padStart(12)} nodes a second, ${where}`);

if (process.argv.includes("--chromium")) await inChromium();
else for (const [game, ...search] of SEARCHES) print(game, measure(await load(game), ...search, MEMORY), "Node");

async function inChromium() {
  const worker = `
    import * as engine from "/ENGINE.js";
    ${measure}
    await engine.default();
    onmessage = ({ data: [name, ...search] }) => postMessage(measure(engine[name], ...search));
    postMessage("ready");`;
  const server = createServer(({ url = "" }, response) => {
    const [, game] = /^\/worker-(\w+)\.js$/.exec(url) ?? [];
    const type = url.endsWith(".wasm") ? "application/wasm" : url.endsWith(".js") ? "text/javascript" : "text/html";
    response.setHeader("content-type", type);
    if (game) response.end(worker.replace("ENGINE", game));
    else if (url === "/") response.end('<!doctype html><link rel="icon" href="data:,">');
    else response.end(readFileSync(new URL(`.${url}`, folder)));
  });
  await new Promise((listening) => server.listen(0, "127.0.0.1", () => listening(undefined)));
  const { port } = /** @type {import("node:net").AddressInfo} */ (server.address());
  const require = createRequire(new URL("../../../end2end/package.json", import.meta.url));
  const { chromium } = require("@playwright/test");
  const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
  const browser = await chromium.launch({ executablePath, args: ["--no-sandbox", "--disable-gpu"] });
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${port}/`);
  for (const [game, ...rest] of SEARCHES) {
    const search = [CLASSES[game], ...rest, MEMORY];
    const speed = await page.evaluate(
      (/** @type {[string, unknown[]]} */ [game, search]) =>
        new Promise((done, failed) => {
          const worker = new Worker(`/worker-${game}.js`, { type: "module" });
          worker.onerror = failed;
          worker.onmessage = ({ data }) => (data === "ready" ? worker.postMessage(search) : done(data));
        }),
      [game, search],
    );
    print(game, speed, "Chromium");
  }
  await browser.close();
  server.close();
}
