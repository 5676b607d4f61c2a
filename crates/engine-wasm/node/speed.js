// @ts-check
/**
 * What a placed dot takes, nodes a second of each engine, and how long exact results take, as WebAssembly: what
 * `examples/speed.rs` measures natively. In Node, and with `--chromium` in a Web Worker of Chromium.
 */
import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import { createRequire } from "node:module";
import { CLASSES, folder, loadModule, MEMORY } from "./engines.js";

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
 * Positions near enough to the end to be solved, by the moves to them.
 *
 * @type {{ name: string, game: keyof typeof CLASSES, setup: string, positions: string[][] }[]}
 */
const ENDINGS = JSON.parse(readFileSync(new URL("endings.json", import.meta.url), "utf8"));

/** What is measured. These functions run in Node and in the worker, so they name nothing else. */
const MEASURES = {
  /**
   * Nanoseconds for a dot, the best of many stretches of random games.
   *
   * @param {new () => any} RandomGames
   */
  dots(RandomGames) {
    const games = new RandomGames();
    let best = Infinity;
    for (let stretch = 0; stretch < 1_000; stretch += 1) {
      const began = performance.now();
      const dots = games.play();
      best = Math.min(best, (1e6 * (performance.now() - began)) / dots);
      games.restart();
    }
    return best;
  },

  /**
   * Nodes a second, the best of three searches after the moves.
   *
   * @param {new (setup: string) => any} Session
   * @param {string} setup
   * @param {string[]} moves
   * @param {number} nodes
   * @param {number} memory
   */
  nodes(Session, setup, moves, nodes, memory) {
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
  },

  /**
   * Milliseconds until the worst of the positions is solved; of each the better of two searches.
   *
   * @param {new (setup: string) => any} Session
   * @param {string} setup
   * @param {string[][]} positions
   * @param {number} memory
   */
  exact(Session, setup, positions, memory) {
    let worst = 0;
    for (const moves of positions) {
      let best = Infinity;
      for (let run = 0; run < 2; run += 1) {
        const session = new Session(setup);
        for (const mv of moves) session.play(mv);
        session.search(2n ** 63n, 8, memory, 1n);
        const began = performance.now();
        while (session.step(1_000));
        best = Math.min(best, performance.now() - began);
        if (!JSON.parse(session.best()).moves[0].exact) throw new Error(`not solved: ${moves}`);
        session.free();
      }
      worst = Math.max(worst, best);
    }
    return worst;
  },
};

/** @typedef {(module: string, name: string, measure: keyof typeof MEASURES, ...rest: unknown[]) => Promise<number>} Run */

/** @type {Run} */
const inNode = async (module, name, measure, ...rest) => {
  const { [name]: subject } = await loadModule(module);
  return /** @type {(...given: any[]) => number} */ (MEASURES[measure])(subject, ...rest);
};

if (process.argv.includes("--chromium")) await inChromium((run) => measureAll(run, "Chromium"));
else await measureAll(inNode, "Node");

/** @param {Run} run @param {string} where */
async function measureAll(run, where) {
  /** @param {string} name @param {number} figure @param {number} digits @param {string} unit */
  const print = (name, figure, digits, unit) =>
    console.log(`${name.padEnd(16)} ${figure.toFixed(digits).padStart(8)} ${unit}, ${where}`);
  print("a placed dot", await run("measure/measure", "RandomGames", "dots"), 1, "ns");
  for (const [game, ...search] of SEARCHES) {
    print(game, await run(game, CLASSES[game], "nodes", ...search, MEMORY), 0, "nodes a second");
  }
  for (const { name, game, setup, positions } of ENDINGS) {
    const worst = await run(game, CLASSES[game], "exact", setup, positions, MEMORY);
    print(name, worst, 1, `ms to be exact, the worst of ${positions.length}`);
  }
}

/** @param {(run: Run) => Promise<void>} use */
async function inChromium(use) {
  const measures = Object.values(MEASURES).join(",\n");
  const worker = `
    import * as engine from "/ENGINE.js";
    const measures = { ${measures} };
    await engine.default();
    onmessage = ({ data: [name, measure, ...rest] }) => postMessage(measures[measure](engine[name], ...rest));
    postMessage("ready");`;
  const server = createServer(({ url = "" }, response) => {
    const [, module] = /^\/worker\/([\w/]+)\.js$/.exec(url) ?? [];
    const type = url.endsWith(".wasm") ? "application/wasm" : url.endsWith(".js") ? "text/javascript" : "text/html";
    response.setHeader("content-type", type);
    // A page that is isolated from other origins has a clock of 5 µs, instead of 100.
    response.setHeader("cross-origin-opener-policy", "same-origin");
    response.setHeader("cross-origin-embedder-policy", "require-corp");
    if (module) response.end(worker.replace("ENGINE", module));
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
  await use((module, ...job) =>
    page.evaluate(
      (/** @type {[string, unknown[]]} */ [module, job]) =>
        new Promise((done, failed) => {
          const worker = new Worker(`/worker/${module}.js`, { type: "module" });
          worker.onerror = failed;
          worker.onmessage = ({ data }) => (data === "ready" ? worker.postMessage(job) : done(data));
        }),
      [module, job],
    ),
  );
  await browser.close();
  server.close();
}
