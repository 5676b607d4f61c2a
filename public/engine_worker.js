// @ts-check
/**
 * A module Web Worker that searches positions with the engines of `crates/engine-wasm`.
 *
 * Messages are JSON, in both directions. The page sends
 * - `{"kind":"search","id":7,"module":URL,"wasm":URL,"game":"dots","setup":{…},"moves":["5,5"],"level":3,"nodes":null,
 *   "memory":50331648,"seed":1,"least_ms":300,"most_ms":5000,"info_ms":250}`: search this position. It cancels the search
 *   before. The addresses are absolute, or relative to this script; `nodes` may be null (no bound), `info_ms` 0 (no infos).
 *   A move out of turn has the number of its seat before it (`2.5,5`). `to_move`, 1 or 2, searches for that seat; without it,
 *   or with null, the turn is as by the rules.
 * - `{"kind":"stop","id":7}`: end this search now, and answer with the best so far.
 * - `{"kind":"cancel","id":7}`: end this search without an answer.
 *
 * The worker answers
 * - `{"kind":"info","id":7,"ms":210,"report":{…}}`: what is known so far, at most every `info_ms`;
 * - `{"kind":"done","id":7,"ms":640,"report":{…}}`: the result;
 * - `{"kind":"failed","id":7,"message":"…"}`: the module could not be loaded, or the engine has refused (a code of the
 *   contract for programs) or panicked. The next search starts anew.
 *
 * `report` is what `Session::best` returns. All times are in milliseconds. They count from the moment the module is loaded, but
 * `least_ms` from the message: a player who has waited for the module need not wait longer.
 */

/**
 * A class of `crates/engine-wasm/src/lib.rs`. A string that it throws is a refusal.
 *
 * @typedef {{
 *   play(mv: string): void, undo(): boolean, set_turn(seat: number): void,
 *   search(nodes: bigint, level: number, memory: number, seed: bigint): void, step(budget: number): boolean, best(): string, free(): void }} Session
 * @typedef {new (setup: string) => Session} SessionClass
 *
 * @typedef {"dots" | "boxes" | "gomoku" | "reversi"} Game
 * @typedef {{
 *   kind: "search", id: number, module: string, wasm: string, game: Game, setup: object, moves: string[], level: number,
 *   nodes: number | null, memory: number, seed: number, least_ms: number, most_ms: number, info_ms: number,
 *   to_move?: 1 | 2 | null }} SearchMessage
 * @typedef {SearchMessage | { kind: "stop" | "cancel", id: number }} Message
 *
 * A search that has not been answered yet. `stop` resolves `stopped`.
 * @typedef {{ id: number, isStopped: boolean, stopped: Promise<void>, stop: () => void }} Search
 *
 * The surroundings that the worker needs, so that the tests can replace them. `yieldTurn` lets waiting messages be
 * received.
 * @typedef {{
 *   postMessage: (message: string) => void, now: () => number, importModule: (url: string) => Promise<any>,
 *   yieldTurn: () => Promise<void>, sleep: (ms: number) => Promise<void> }} Environment
 */

/** The class of each game in its module. */
const CLASSES = { dots: "DotsSession", boxes: "BoxesSession", gomoku: "GomokuSession", reversi: "ReversiSession" };

/** The number of nodes of the first slice of a search: few enough for any engine on a slow phone. */
const FIRST_BUDGET = 16;

/** The intended time of a slice, in milliseconds: with room for error below 50, from where on it is a long task. */
const SLICE_MS = 30;

/** The largest budget; `step` takes 32 bits. */
const MAX_BUDGET = 2 ** 31;

/** No bound of nodes: the largest number of 64 bits. */
const NO_BOUND = 2n ** 64n - 1n;

/**
 * The budget of the next slice, after one of `budget` nodes took `ms`. It at most doubles, because one slice says little
 * about the next, and clocks are coarse; it shrinks at once.
 *
 * @param {number} budget
 * @param {number} ms
 */
export function nextBudget(budget, ms) {
  const fitting = ms > 0 ? Math.floor((budget * SLICE_MS) / ms) : Infinity;
  return Math.max(1, Math.min(fitting, 2 * budget, MAX_BUDGET));
}

/**
 * Brings a session from the moves `played` to `moves`: takes back to their common prefix and plays the rest. `played` is
 * updated with each step.
 *
 * @param {Session} session
 * @param {string[]} played
 * @param {string[]} moves
 */
export function syncMoves(session, played, moves) {
  let common = 0;
  while (common < played.length && played[common] === moves[common]) common += 1;
  while (played.length > common) {
    if (!session.undo()) throw new Error("nothing_to_undo");
    played.pop();
  }
  for (const mv of moves.slice(common)) {
    session.play(mv);
    played.push(mv);
  }
}

/** The worker without its surroundings. It runs one search at a time, and keeps one session. */
export class EngineWorker {
  /** @type {Search | null} */
  search = null;
  /** The session class of each module, by its address. @type {Map<string, Promise<SessionClass>>} */
  classes = new Map();
  /** The number of failures of each module, in loading or later, by its address. @type {Map<string, number>} */
  failures = new Map();
  /**
   * The session of the last search, kept because the engine can use its tree again. There is only one, because each has
   * tables of many megabytes.
   *
   * @type {{ key: string, session: Session, played: string[] } | null}
   */
  kept = null;

  /** @param {Environment} environment */
  constructor(environment) {
    this.environment = environment;
  }

  /** Receives a message of the page. @param {string} text */
  receive(text) {
    /** @type {Message} */
    const message = JSON.parse(text);
    if (message.kind === "search") {
      this.search = newSearch(message.id);
      void this.run(this.search, message);
    } else if (message.id !== this.search?.id) {
      // That search has already been answered, or another one has taken its place.
    } else if (message.kind === "stop") {
      this.search.stop();
    } else {
      this.search = null;
    }
  }

  /**
   * Runs a search and answers it. After every pause it looks whether it is still `this.search`; if not, the session belongs
   * to another search.
   *
   * @param {Search} search
   * @param {SearchMessage} message
   */
  async run(search, message) {
    const asked = this.environment.now();
    try {
      const sessionClass = await this.load(message);
      if (this.search !== search) return;
      const answer = await this.think(search, message, sessionClass, asked);
      if (!answer) return;
      this.search = null;
      this.post(answer);
    } catch (error) {
      if (this.search !== search) return;
      this.search = null;
      this.discard(message.module, typeof error === "string");
      this.post({ kind: "failed", id: message.id, message: error instanceof Error ? error.message : String(error) });
    }
  }

  /**
   * The session class of a game; its module is loaded once.
   *
   * @param {SearchMessage} message
   */
  load({ module, wasm, game }) {
    const known = this.classes.get(module);
    if (known) return known;
    const loading = this.importClass(module, wasm, CLASSES[game]);
    this.classes.set(module, loading);
    return loading;
  }

  /**
   * A browser keeps a module by its whole address, also one that could not be loaded. So after a failure another fragment
   * makes it another module, while the request stays the same.
   *
   * @param {string} module
   * @param {string} wasm
   * @param {string} name
   * @returns {Promise<SessionClass>}
   */
  async importClass(module, wasm, name) {
    const failures = this.failures.get(module) ?? 0;
    try {
      const imported = await this.environment.importModule(failures ? `${module}#${failures}` : module);
      await imported.default({ module_or_path: wasm });
      return imported[name];
    } catch (error) {
      // Also when the search that asked for it is cancelled meanwhile.
      this.forgetModule(module);
      throw error;
    }
  }

  /**
   * Searches until the engine is done, the time is over, or the search is stopped. There is no result if the search is
   * cancelled meanwhile.
   *
   * @param {Search} search
   * @param {SearchMessage} message
   * @param {SessionClass} sessionClass
   * @param {number} asked When the message came.
   */
  async think(search, { least_ms, most_ms, info_ms, ...message }, sessionClass, asked) {
    const { now, yieldTurn, sleep } = this.environment;
    const began = now();
    const elapsed = () => now() - began;
    const session = this.sync(message, sessionClass);
    const nodes = message.nodes === null ? NO_BOUND : BigInt(message.nodes);
    if (message.to_move) session.set_turn(message.to_move);
    session.search(nodes, message.level, message.memory, BigInt(message.seed));
    /** @param {"info" | "done"} kind */
    const report = (kind) => ({ kind, id: message.id, ms: Math.round(elapsed()), report: JSON.parse(session.best()) });

    let budget = FIRST_BUDGET;
    let informedAt = 0;
    while (!search.isStopped && elapsed() < most_ms) {
      const sliceBegan = now();
      if (!session.step(budget)) break;
      budget = nextBudget(budget, now() - sliceBegan);
      if (info_ms > 0 && elapsed() - informedAt >= info_ms) {
        informedAt = elapsed();
        this.post(report("info"));
      }
      await yieldTurn();
      if (this.search !== search) return null;
    }
    const rest = least_ms - (now() - asked);
    if (rest > 0 && !search.isStopped) {
      await Promise.race([sleep(rest), search.stopped]);
      if (this.search !== search) return null;
    }
    return report("done");
  }

  /**
   * The session of this game and setup, in the position after these moves.
   *
   * @param {Pick<SearchMessage, "module" | "setup" | "moves">} message
   * @param {SessionClass} sessionClass
   */
  sync({ module, setup, moves }, sessionClass) {
    const setupText = JSON.stringify(setup);
    const key = `${module} ${setupText}`;
    if (this.kept?.key !== key) {
      this.kept?.session.free();
      this.kept = null;
      this.kept = { key, session: new sessionClass(setupText), played: [] };
    }
    syncMoves(this.kept.session, this.kept.played, moves);
    return this.kept.session;
  }

  /**
   * Forgets the session after an error, and the module, too, unless it was a refusal: after a panic the instance is in no
   * defined state, and cannot even be freed.
   *
   * @param {string} module
   * @param {boolean} isRefusal
   */
  discard(module, isRefusal) {
    if (isRefusal) this.kept?.session.free();
    // A module that could not be loaded has no session: the one that is kept is of another game.
    else if (!this.forgetModule(module)) return;
    this.kept = null;
  }

  /** The next search loads this module anew. Returns whether it was known. @param {string} module */
  forgetModule(module) {
    const wasKnown = this.classes.delete(module);
    if (wasKnown) this.failures.set(module, (this.failures.get(module) ?? 0) + 1);
    return wasKnown;
  }

  /** @param {object} message */
  post(message) {
    this.environment.postMessage(JSON.stringify(message));
  }
}

/** @param {number} id @returns {Search} */
function newSearch(id) {
  let resolve = () => {};
  /** @type {Promise<void>} */
  const stopped = new Promise((done) => (resolve = done));
  const search = {
    id,
    isStopped: false,
    stopped,
    stop() {
      search.isStopped = true;
      resolve();
    },
  };
  return search;
}

/**
 * Lets waiting messages be received. A message to oneself comes after them; a timer would do, too, but browsers delay nested
 * timers by 4 ms and more.
 *
 * @returns {() => Promise<void>}
 */
function turnsByMessage() {
  const { port1, port2 } = new MessageChannel();
  /** @type {(() => void)[]} */
  const waiting = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

// The unit tests have no scope of a worker.
if ("WorkerGlobalScope" in globalThis) {
  const worker = new EngineWorker({
    postMessage: (message) => self.postMessage(message),
    now: () => performance.now(),
    importModule: (url) => import(url),
    yieldTurn: turnsByMessage(),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
  });
  self.onmessage = ({ data }) => worker.receive(data);
}
