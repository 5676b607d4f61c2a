// @ts-check
/** `public/engine_worker.js`, with an engine that only counts, and a clock that only the engine and the tests move. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { preload, settled } from "./page.js";

const { EngineWorker, nextBudget, syncMoves } = await preload("engine_worker.js");

let now = 0;
/** The messages of the worker. @type {any[]} */
let sent;
/** The calls of the sessions, except for steps. @type {string[]} */
let calls;
/** The budgets of the steps. @type {number[]} */
let budgets;
/** The number of nodes after which a search is done. */
let total = Infinity;
/** The speed of the engine, in nodes per millisecond. */
let speed = 1;
/** The error that the next step throws. @type {unknown} */
let panic;
/** The addresses of imported modules. @type {string[]} */
let imports;
/** The error that the next import throws. @type {unknown} */
let importError;
/** The loading time of a module, in milliseconds. */
let loadTime = 0;
/** Lets the worker go on after a slice. @type {(() => void)[]} */
let turns;
/** The pauses that have not ended. @type {{ at: number, resolve: () => void }[]} */
let pauses;
/** @type {any} */
let worker;

class Session {
  nodes = 0;

  /** @param {string} setup */
  constructor(setup) {
    calls.push(`new ${setup}`);
    if (setup === '{"width":0}') throw "invalid_setup";
  }
  /** @param {string} mv */
  play(mv) {
    if (mv === "occupied") throw "occupied";
    calls.push(`play ${mv}`);
  }
  undo() {
    calls.push("undo");
    return true;
  }
  /** @param {number} seat */
  set_turn(seat) {
    calls.push(`turn ${seat}`);
  }
  /** @param {bigint} nodes @param {number} level @param {number} memory @param {bigint} seed */
  search(nodes, level, memory, seed) {
    this.nodes = 0;
    calls.push(`search ${nodes} ${level} ${memory} ${seed} ${typeof nodes} ${typeof seed}`);
  }
  /** @param {number} budget */
  step(budget) {
    if (panic) throw panic;
    budgets.push(budget);
    this.nodes += budget;
    now += budget / speed;
    return this.nodes < total;
  }
  best() {
    return JSON.stringify({ choice: "1,1", nodes: this.nodes });
  }
  free() {
    calls.push("free");
  }
}

beforeEach(() => {
  [now, sent, calls, budgets, imports, turns, pauses] = [0, [], [], [], [], [], []];
  [total, speed, panic, importError, loadTime] = [Infinity, 1, undefined, undefined, 0];
  worker = new EngineWorker({
    postMessage: (/** @type {string} */ text) => sent.push(JSON.parse(text)),
    now: () => now,
    importModule: async (/** @type {string} */ url) => {
      imports.push(url);
      now += loadTime;
      if (importError) throw importError;
      return {
        default: async (/** @type {{ module_or_path: string }} */ { module_or_path }) => imports.push(module_or_path),
        DotsSession: Session,
        ReversiSession: Session,
      };
    },
    yieldTurn: () => new Promise((resolve) => turns.push(() => resolve(undefined))),
    sleep: (/** @type {number} */ ms) =>
      new Promise((resolve) => pauses.push({ at: now + ms, resolve: () => resolve(undefined) })),
  });
});

/** @param {object} [changes] */
async function search(changes = {}) {
  const message = {
    kind: "search", id: 1, module: "/engines/dots.js?v=a", wasm: "/engines/dots_bg.wasm?v=a", game: "dots",
    setup: { width: 20 }, moves: [], level: 3, nodes: null, memory: 1000, seed: 5, least_ms: 0, most_ms: 1000, info_ms: 0,
    ...changes,
  };
  worker.receive(JSON.stringify(message));
  await settled();
}

/** @param {"stop" | "cancel"} kind */
async function send(kind, id = 1) {
  worker.receive(JSON.stringify({ kind, id }));
  await settled();
}

/** Lets the worker search so many more slices, or as many as there are. */
async function slices(count = 1000) {
  for (; count > 0 && turns.length > 0; count -= 1) {
    turns.shift()?.();
    await settled();
  }
}

/** Moves the clock. @param {number} ms */
async function pass(ms) {
  now += ms;
  for (const { resolve } of pauses.filter(({ at }) => at <= now)) resolve();
  await settled();
}

const kinds = () => sent.map(({ kind, id }) => `${kind} ${id}`);

test("a search plays the moves and passes on its limits", async () => {
  total = 1;
  await search({ moves: ["5,5", "6,6"], nodes: 700 });
  assert.deepEqual(imports, ["/engines/dots.js?v=a", "/engines/dots_bg.wasm?v=a"]);
  assert.deepEqual(calls, ['new {"width":20}', "play 5,5", "play 6,6", "search 700 3 1000 5 bigint bigint"]);
  assert.deepEqual(sent, [{ kind: "done", id: 1, ms: 16, report: { choice: "1,1", nodes: 16 } }]);
});

test("a search for the side whose turn it is not says so first", async () => {
  total = 1;
  await search({ moves: ["1.5,5", "1.6,6"], to_move: 1 });
  assert.deepEqual(calls.slice(1, 4), ["play 1.5,5", "play 1.6,6", "turn 1"]);
  await search({ moves: ["1.5,5", "1.6,6"], to_move: null });
  assert.equal(calls.filter((call) => call.startsWith("turn")).length, 1);
});

test("without a limit of nodes the largest number of 64 bits is passed", async () => {
  total = 1;
  await search();
  assert.equal(calls[1], "search 18446744073709551615 3 1000 5 bigint bigint");
});

test("the session is kept, and brought to the new moves from the common prefix", async () => {
  total = 1;
  await search({ moves: ["a", "b", "c"] });
  calls = [];
  await search({ id: 2, moves: ["a", "d"] });
  assert.deepEqual(calls.slice(0, 3), ["undo", "undo", "play d"]);
  assert.equal(imports.length, 2, "the module is loaded once");
});

test("another setup or game replaces the session", async () => {
  total = 1;
  await search({ moves: ["a"] });
  await search({ setup: { width: 30 } });
  await search({ module: "/engines/reversi.js?v=a", game: "reversi", setup: { width: 30 } });
  const sessions = calls.filter((call) => !call.startsWith("search"));
  assert.deepEqual(sessions, ['new {"width":20}', "play a", "free", 'new {"width":30}', "free", 'new {"width":30}']);
});

test("moves are synchronized by their common prefix", () => {
  const session = new Session("{}");
  for (const [from, to, expected] of /** @type {[string, string, string][]} */ ([
    ["", "ab", "play a,play b"],
    ["ab", "ab", ""],
    ["ab", "", "undo,undo"],
    ["abc", "axc", "undo,undo,play x,play c"],
    ["ab", "abcd", "play c,play d"],
  ])) {
    calls = [];
    const played = [...from];
    syncMoves(session, played, [...to]);
    assert.equal(calls.join(), expected, `${from} to ${to}`);
    assert.deepEqual(played, [...to]);
  }
});

test("after a refused move the list has the moves that were played", () => {
  /** @type {string[]} */
  const played = [];
  assert.throws(() => syncMoves(new Session("{}"), played, ["a", "occupied", "b"]), (error) => error === "occupied");
  assert.deepEqual(played, ["a"]);
});

test("a slice takes about 30 ms, whatever the speed", async () => {
  for (speed of [0.2, 1, 30, 1000]) {
    budgets = [];
    await search({ most_ms: 3000 });
    await slices();
    const times = budgets.slice(1).map((budget) => budget / speed);
    assert(Math.max(...times) <= 50, `${speed}: ${Math.max(...times)}`);
    assert(Math.abs(/** @type {number} */ (times.at(-1)) - 30) < 5, `${speed}: ${times.at(-1)}`);
  }
});

test("a budget doubles at most, shrinks at once, and is never zero", () => {
  assert.equal(nextBudget(100, 0), 200);
  assert.equal(nextBudget(100, 1), 200);
  assert.equal(nextBudget(100, 20), 150);
  assert.equal(nextBudget(100, 60), 50);
  assert.equal(nextBudget(2, 1000), 1);
  assert.equal(nextBudget(2 ** 31, 1), 2 ** 31, "what 32 bits can hold");
});

test("a search ends when its time is over", async () => {
  await search({ most_ms: 100 });
  await slices();
  assert.deepEqual(kinds(), ["done 1"]);
  assert(sent[0].ms >= 100 && sent[0].ms <= 150, String(sent[0].ms));
});

test("an early result waits for the least time", async () => {
  total = 1;
  await search({ least_ms: 300 });
  await pass(283);
  assert.deepEqual(sent, []);
  await pass(1);
  assert.deepEqual(sent, [{ kind: "done", id: 1, ms: 300, report: { choice: "1,1", nodes: 16 } }]);
});

test("the least time counts from the request, also while the module is loaded", async () => {
  total = 1;
  loadTime = 200;
  await search({ least_ms: 300 });
  await pass(83);
  assert.deepEqual(sent, []);
  await pass(1);
  assert.deepEqual(sent, [{ kind: "done", id: 1, ms: 100, report: { choice: "1,1", nodes: 16 } }]);
});

test("stop answers with the best so far, while it searches and while it waits", async () => {
  await search();
  await slices(3);
  await send("stop");
  await slices();
  assert.deepEqual(kinds(), ["done 1"]);
  assert.equal(budgets.length, 4, "no slice after the stop");

  total = 1;
  await search({ id: 2, least_ms: 300 });
  await send("stop", 2);
  assert.deepEqual(kinds(), ["done 1", "done 2"]);
});

test("a stop before the module is loaded takes the choice without a search", async () => {
  const searching = search();
  worker.receive('{"kind":"stop","id":1}');
  await searching;
  assert.deepEqual(kinds(), ["done 1"]);
  assert.deepEqual(budgets, []);
});

test("cancel ends a search without an answer, while it searches and while it waits", async () => {
  await search();
  await send("cancel");
  await slices();
  assert.equal(budgets.length, 1);
  total = 1;
  await search({ id: 2, least_ms: 300 });
  await send("cancel", 2);
  await pass(1000);
  assert.deepEqual(sent, []);
});

test("a stop or cancel of another search changes nothing", async () => {
  await search({ id: 2, most_ms: 100 });
  await send("stop", 1);
  await send("cancel", 1);
  await slices();
  assert.deepEqual(kinds(), ["done 2"]);
  await send("stop", 2);
  assert.deepEqual(kinds(), ["done 2"]);
});

test("a new search cancels the one that runs", async () => {
  await search({ moves: ["a"] });
  await search({ id: 2, moves: ["a", "b"], most_ms: 100 });
  await slices();
  assert.deepEqual(kinds(), ["done 2"]);
  assert.deepEqual(calls.filter((call) => call.startsWith("play")), ["play a", "play b"]);
});

test("a new search also cancels one whose module is being loaded, with one module and one session for both", async () => {
  total = 1;
  void search();
  await search({ id: 2 });
  assert.deepEqual(kinds(), ["done 2"]);
  assert.equal(imports.length, 2);
  assert.equal(calls.filter((call) => call.startsWith("new")).length, 1);
});

test("infos come in their interval, and not at all if it is 0", async () => {
  await search({ most_ms: 1000, info_ms: 250 });
  await slices();
  const times = sent.filter(({ kind }) => kind === "info").map(({ ms }) => ms);
  assert.equal(times.length, 3);
  for (const [index, ms] of times.entries()) {
    assert(ms - (times[index - 1] ?? 0) >= 250, String(times));
    assert(ms - (times[index - 1] ?? 0) < 300, String(times));
  }
  assert.deepEqual(Object.keys(sent[0].report), ["choice", "nodes"]);
  sent = [];
  await search();
  await slices();
  assert.deepEqual(kinds(), ["done 1"]);
});

test("a refusal is answered with its code, and the next search has a new session", async () => {
  total = 1;
  await search({ moves: ["a", "occupied"] });
  assert.deepEqual(sent, [{ kind: "failed", id: 1, message: "occupied" }]);
  assert.equal(calls.at(-1), "free");
  await search({ id: 2, setup: { width: 0 } });
  assert.deepEqual(sent.at(-1), { kind: "failed", id: 2, message: "invalid_setup" });
  await search({ id: 3, moves: ["a"] });
  assert.equal(sent.at(-1)?.kind, "done");
  assert.equal(imports.length, 2, "the module is the same");
});

test("a module that could not be loaded is loaded anew by the next search", async () => {
  total = 1;
  importError = new TypeError("Failed to fetch");
  await search();
  assert.deepEqual(sent, [{ kind: "failed", id: 1, message: "Failed to fetch" }]);
  importError = undefined;
  await search({ id: 2 });
  assert.equal(imports[1], "/engines/dots.js?v=a#1", "browsers remember the failure of the first address");
  assert.equal(sent.at(-1)?.kind, "done");
});

test("after a panic the module is loaded anew", async () => {
  total = 1;
  panic = new WebAssembly.RuntimeError("unreachable");
  await search();
  assert.deepEqual(sent, [{ kind: "failed", id: 1, message: "unreachable" }]);
  panic = undefined;
  await search({ id: 2 });
  assert.deepEqual(kinds(), ["failed 1", "done 2"]);
  assert.equal(imports[2], "/engines/dots.js?v=a#1");
  assert(!calls.includes("free"), "an instance that has panicked is not called again");
});

test("the failure of a cancelled search is not answered", async () => {
  importError = new TypeError("Failed to fetch");
  const searching = search();
  worker.receive('{"kind":"cancel","id":1}');
  await searching;
  assert.deepEqual(sent, []);
});
