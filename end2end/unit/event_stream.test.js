// @ts-check
/** `public/event_stream.js`: the hub of all tabs, and the class for pages, with a server that is a function. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { setMaxListeners } from "node:events";
import { afterEach, beforeEach, mock, test } from "node:test";
import { runInNewContext } from "node:vm";
import { load, runClassic, settled } from "./page.js";

const [NodeEvent, NodeMessageEvent, NodeMessageChannel] = [globalThis.Event, globalThis.MessageEvent, globalThis.MessageChannel];

/** A stream that the hub has asked for. */
class Asked {
  /** @type {ReadableStreamDefaultController<Uint8Array>} */
  controller = /** @type {any} */ (undefined);
  /** @type {(response: Response) => void} */
  answer = () => {};

  /** @param {string} url @param {AbortSignal} signal */
  constructor(url, signal) {
    this.signal = signal;
    const { pathname, searchParams } = new URL(url, "http://tochki.test");
    assert.equal(pathname, "/events");
    this.topics = (searchParams.get("topics") ?? "").split(",");
    this.session = searchParams.get("session");
    this.response = new Promise((resolve, reject) => {
      this.answer = resolve;
      signal.addEventListener("abort", () => reject(signal.reason));
    });
  }

  async open() {
    const body = new ReadableStream({ start: (controller) => void (this.controller = controller) });
    this.signal.addEventListener("abort", () => this.controller.error(this.signal.reason));
    this.answer(new Response(body));
    await delivered();
  }

  /** @param {number} status */
  async refuse(status) {
    this.answer(new Response(null, { status }));
    await delivered();
  }

  /** @param {string} text */
  async send(text) {
    this.controller.enqueue(new TextEncoder().encode(text));
    await delivered();
  }

  /** @param {string} topic @param {string} name @param {string} [data] @param {number} [version] */
  event(topic, name, data = "{}", version) {
    const versions = version === undefined ? "" : ` ${topic}@${version}`;
    return this.send(`id: ${topic}${versions}\nevent: ${name}\ndata: ${data}\n\n`);
  }
}

/** Lets messages of ports arrive, which take turns of their own. */
async function delivered() {
  for (let turn = 0; turn < 6; turn += 1) await settled();
}

/** @type {Asked[]} */
let asked;
const last = () => /** @type {Asked} */ (asked.at(-1));

/** The global scope of a shared worker. @typedef {{ onconnect: ((event: object) => void) | null }} Scope */

/** The shared workers by name, as a browser has them. @type {Map<string, Scope>} */
let workers;

const source = readFileSync(new URL("../../public/event_stream.js", import.meta.url), "utf8");

class Worker {
  onerror = () => {};

  /** @param {string} url @param {string} name */
  constructor(url, name) {
    assert.match(url, /event_stream\.js\?v=1$/);
    const pair = new MessageChannel();
    this.port = pair.port1;
    if (!workers.has(name)) {
      const { fetch, setTimeout, clearTimeout, setInterval, clearInterval, Date, URLSearchParams, AbortController, TextDecoder } =
        globalThis;
      const timers = { setTimeout, clearTimeout, setInterval, clearInterval, Date };
      /** @type {Scope} */
      const scope = { onconnect: null };
      const close = () => workers.delete(name);
      workers.set(name, Object.assign(scope, { name, close, fetch, ...timers, URLSearchParams, AbortController, TextDecoder }));
      runInNewContext(source, scope);
    }
    workers.get(name)?.onconnect?.({ ports: [pair.port2] });
  }
}

/** @type {MessagePort[]} */
let opened = [];
/** The target of the listeners on the window. @type {EventTarget} */
let pageEvents;

/** Loads the script of a page of a session. @param {string} session @param {object} [globals] @param {string} [more] */
function loadPage(session, globals = {}, more = "") {
  load(`<title>Rules</title><a class="bell" data-unread="3"></a><b class="on-turn-count" hidden>0</b><script id="event-stream" data-session="${session}" ${more}></script>`, {
    Event: NodeEvent,
    MessageEvent: NodeMessageEvent,
    SharedWorker: Worker,
    navigator: {},
    // Ports that are open keep Node from ending.
    MessageChannel: class extends NodeMessageChannel {
      constructor() {
        super();
        opened.push(this.port1, this.port2);
      }
    },
    addEventListener: pageEvents.addEventListener.bind(pageEvents),
    fetch: (/** @type {string} */ url, /** @type {{ signal: AbortSignal }} */ { signal }) => {
      const stream = new Asked(url, signal);
      asked.push(stream);
      return stream.response;
    },
    ...globals,
  });
  Object.assign(/** @type {object} */ (document.getElementById("event-stream")), { src: "/event_stream.js?v=1" });
  runClassic("event_stream.js");
}

/** A stream of a page, and what it has told. @param {string} address */
async function tab(address) {
  const stream = new TopicStream(address);
  /** @type {string[]} */
  const told = [];
  for (const name of ["open", "error"]) stream.addEventListener(name, () => told.push(`${name} ${stream.readyState}`));
  for (const name of ["moved", "said", "snapshot", "release", "signed_out"]) {
    stream.addEventListener(name, (event) => {
      const { data, lastEventId } = /** @type {MessageEvent} */ (event);
      told.push(`${name} ${lastEventId} ${data}`);
    });
  }
  await pass(0);
  return { stream, told };
}

/** @param {number} milliseconds Second by second, with messages in between, as in life. */
async function pass(milliseconds) {
  await delivered();
  do {
    mock.timers.tick(Math.min(milliseconds, 1_000));
    await delivered();
    milliseconds -= 1_000;
  } while (milliseconds > 0);
}

beforeEach(() => {
  [asked, workers, opened, pageEvents] = [[], new Map(), [], new EventTarget()];
  setMaxListeners(0, pageEvents);
  mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: 1_000_000 });
});

afterEach(() => {
  mock.timers.reset();
  for (const port of opened) port.close();
});

test("tabs of a session share one stream, and each gets what is of its topic", async () => {
  loadPage("secret");
  const one = await tab("match:7@2");
  assert.deepEqual([last().topics, last().session], [["match:7@2"], "secret"]);
  await last().open();
  const other = await tab("lobby:dots");
  assert.equal(asked.length, 2);
  assert.deepEqual(last().topics, ["match:7@2", "lobby:dots"]);
  assert.equal(asked[0].signal.aborted, false, "until the next one is open");
  await last().open();
  assert.equal(asked[0].signal.aborted, true);
  await last().event("match:7", "moved", '{"mv":"1,1"}', 3);
  await last().event("lobby:dots", "snapshot", "[]");
  await last().send('event: release\ndata: {"release":"a"}\n\n');
  assert.deepEqual(one.told, ["open 1", "open 1", 'moved 3 {"mv":"1,1"}', 'release 3 {"release":"a"}']);
  assert.deepEqual(other.told, ["open 1", "snapshot  []", 'release  {"release":"a"}']);
  assert.equal(workers.size, 1);
});

test("an event in pieces is whole, and breaks of other kinds in a text end no line", async () => {
  loadPage("secret");
  const { told } = await tab("match:7");
  await last().open();
  const said = '{"text":"a\u2028event: signed_out\u2029id: x\u0085ü"}';
  const bytes = new TextEncoder().encode(`id: match:7\nevent: said\ndata: ${said}\n\n`);
  for (const byte of bytes) last().controller.enqueue(Uint8Array.of(byte));
  await delivered();
  assert.deepEqual(told, ["open 1", `said  ${said}`]);
});

test("a tab that joins a topic gets what it lacks, and the others hear it twice", async () => {
  loadPage("secret");
  const one = await tab("match:7@2");
  await last().open();
  await last().event("match:7", "moved", "5", 5);
  const other = await tab("match:7@3");
  assert.deepEqual(last().topics, ["match:7@3"]);
  // Events until then are not for the new tab, which would miss the fourth.
  await asked[0].event("match:7", "moved", "6", 6);
  await last().open();
  await last().event("match:7", "moved", "4", 4);
  assert.deepEqual(other.told, ["open 1", "moved 4 4"]);
  assert.deepEqual(one.told.slice(1), ["moved 5 5", "moved 6 6", "open 1", "moved 4 4"]);
});

test("a stream that is lost is opened again where each topic was", async () => {
  loadPage("secret");
  const one = await tab("match:7@2");
  const other = await tab("me");
  await last().open();
  await last().event("match:7", "moved", "3", 3);
  last().controller.close();
  await delivered();
  assert.equal(one.told.at(-1), "error 0");
  assert.equal(other.told.at(-1), "error 0");
  await pass(499);
  assert.equal(asked.length, 2);
  await pass(1);
  assert.deepEqual(last().topics, ["match:7@3", "me"]);
  // Failures are later each time.
  for (const delay of [1_000, 2_000, 4_000, 8_000, 10_000, 10_000]) {
    /** @type {number} */
    const count = asked.length;
    await last().refuse(503);
    await pass(delay - 1);
    assert.equal(asked.length, count);
    await pass(1);
    assert.equal(asked.length, count + 1, `after ${delay} ms`);
  }
  await last().open();
  assert.deepEqual(one.told.slice(-2), ["error 0", "open 1"]);
});

test("where there is no room for two streams, the first is closed before the next is opened", async () => {
  loadPage("secret");
  const one = await tab("match:7");
  await last().open();
  const other = await tab("me");
  await last().refuse(429);
  assert.equal(asked[0].signal.aborted, true);
  await pass(1_000);
  await last().open();
  assert.equal(one.told.at(-1), "open 1");
  assert.equal(other.told.at(-1), "open 1");
});

test("a dead connection is one that is lost", async () => {
  loadPage("secret");
  const { told } = await tab("match:7");
  await last().open();
  for (let second = 0; second < 40; second += 4) {
    await pass(4_000);
    await last().send(":\nevent: heartbeat\ndata: {}\n\n");
  }
  assert.deepEqual(told, ["open 1"]);
  await pass(20_000);
  assert.deepEqual(told, ["open 1"]);
  await pass(2_000);
  assert.equal(told.at(-1), "error 0");
});

test("the topic of a tab that is left is closed, unless another tab has it", async () => {
  loadPage("secret");
  const [one, twin, other] = [await tab("match:7"), await tab("match:7"), await tab("me")];
  await last().open();
  const count = asked.length;
  twin.stream.close();
  await pass(3_000);
  assert.equal(asked.length, count);
  one.stream.close();
  assert.equal(one.stream.readyState, 2);
  await pass(999);
  assert.equal(asked.length, count, "the next page of the tab may want it");
  await pass(1);
  assert.deepEqual(last().topics, ["me"]);
  await last().open();
  other.stream.close();
  await delivered();
  assert.equal(last().signal.aborted, true, "the last one takes the stream with it");
});

test("the topic of a tab that does not answer is closed after six seconds, and one that comes back joins again", async () => {
  loadPage("secret");
  const here = await tab("me");
  // A tab that is frozen: its messages wait.
  const frozen = new MessageChannel();
  workers.get("secret")?.onconnect?.({ ports: [frozen.port2] });
  frozen.port1.postMessage({ topic: "match:7", version: 2 });
  await pass(0);
  assert.deepEqual(last().topics, ["me", "match:7@2"]);
  await last().open();
  await pass(6_000);
  assert.deepEqual(last().topics, ["me", "match:7@2"]);
  await pass(3_000);
  assert.deepEqual(last().topics, ["me"]);
  assert.equal(here.told.includes("error 0"), false);
  /** @type {string[]} */
  const waited = [];
  frozen.port1.onmessage = ({ data }) => waited.push(data.kind);
  await delivered();
  assert.equal(waited.at(-1), "dropped");
});

test("a tab that was dropped, and a page that the browser has kept, join again from their version", async () => {
  loadPage("secret");
  const { stream, told } = await tab("match:7@2");
  await last().open();
  await last().event("match:7", "moved", "3", 3);
  pageEvents.dispatchEvent(new NodeEvent("pagehide"));
  await pass(0);
  assert.equal(last().signal.aborted, true, "nobody is at the match");
  pageEvents.dispatchEvent(Object.assign(new NodeEvent("pageshow"), { persisted: true }));
  await pass(0);
  assert.deepEqual(last().topics, ["match:7@3"]);
  await last().open();
  assert.deepEqual(told, ["open 1", "moved 3 3", "error 0", "open 1"]);
  stream.close();
  pageEvents.dispatchEvent(Object.assign(new NodeEvent("pageshow"), { persisted: true }));
  await pass(0);
  assert.equal(asked.length, 2, "a closed one stays closed");
});

test("nobody is dropped because the machine was asleep", async () => {
  loadPage("secret");
  const { told } = await tab("match:7");
  await last().open();
  mock.timers.setTime(1_000_000 + 3_600_000);
  // The connection is likely to be dead, and the next is opened at once; the tab had no time to answer.
  await pass(3_000);
  assert.deepEqual([asked.length, last().topics], [2, ["match:7"]]);
  await last().open();
  await pass(12_000);
  assert.deepEqual(told, ["open 1", "error 0", "open 1"]);
});

test("a tab that hears nothing of the worker for three seconds has a stream of its own", async () => {
  loadPage("secret");
  const { told } = await tab("match:7@2");
  await last().open();
  await last().event("match:7", "moved", "3", 3);
  // The worker is killed: nothing of it runs any more.
  for (const port of opened) port.close();
  const count = asked.length;
  await pass(3_000);
  assert.equal(asked.length, count);
  await pass(2_000);
  assert.equal(asked.length, count + 1);
  assert.deepEqual([last().topics, last().session], [["match:7@3"], "secret"]);
  await last().open();
  await last().event("match:7", "moved", "4", 4);
  assert.deepEqual(told.slice(-3), ["error 0", "open 1", "moved 4 4"]);
});

for (const [why, globals] of /** @type {const} */ ([
  ["has none", { SharedWorker: undefined }],
  ["allows none", { SharedWorker: class { constructor() { throw new Error("not here"); } } }],
])) {
  test(`a browser that ${why} has a stream in each tab`, async () => {
    loadPage("secret", globals);
    const [one, other] = [await tab("match:7@2"), await tab("me")];
    assert.deepEqual(asked.map(({ topics }) => topics), [["match:7@2"], ["me"]]);
    for (const stream of asked) await stream.open();
    await asked[0].event("match:7", "moved", "3", 3);
    await asked[1].event("me", "snapshot", "[]");
    assert.deepEqual(one.told, ["open 1", "moved 3 3"]);
    assert.deepEqual(other.told, ["open 1", "snapshot  []"]);
    one.stream.close();
    await delivered();
    assert.deepEqual(asked.map(({ signal }) => signal.aborted), [true, false]);
  });
}

test("a worker whose script does not load is none", async () => {
  /** @type {any} */
  let failing;
  class Failing {
    port = new MessageChannel().port1;
    onerror = () => {};
    constructor() {
      failing = this;
    }
  }
  loadPage("secret", { SharedWorker: Failing });
  const { told } = await tab("match:7");
  failing.onerror();
  await pass(0);
  await last().open();
  assert.deepEqual(told, ["error 0", "open 1"]);
});

test("the end of the session reaches all tabs, and nothing of it another session's", async () => {
  loadPage("anns");
  const [one, other] = [await tab("match:7"), await tab("me")];
  await last().open();
  const anns = last();
  loadPage("bobs");
  const bobs = await tab("match:7");
  assert.deepEqual([last().session, workers.size], ["bobs", 2]);
  await last().open();
  await anns.event("match:7", "said", '"to ann"');
  await anns.send("event: signed_out\ndata: {}\n\n");
  assert.deepEqual(one.told, ["open 1", 'said  "to ann"', "signed_out  {}"]);
  assert.equal(other.told.at(-1), "signed_out  {}");
  assert.deepEqual(bobs.told, ["open 1"]);
  assert.equal(anns.signal.aborted, true);
  assert.deepEqual([...workers.keys()], ["bobs"], "the worker has ended");
  const count = asked.length;
  await pass(12_000);
  assert.equal(asked.length, count, "and opens nothing more");
});

test("a stream that the server refuses for this session ends the worker, too", async () => {
  loadPage("");
  const { told } = await tab("match:7");
  assert.equal(last().session, "");
  await last().refuse(401);
  assert.deepEqual(told, ["signed_out  {}"]);
  assert.equal(workers.size, 0);
});

test("a topic that ends is told to its tabs alone", async () => {
  loadPage("secret");
  const [one, other] = [await tab("table:abc"), await tab("me")];
  await last().open();
  const count = asked.length;
  await last().send('event: topic_ended\ndata: {"topic":"table:abc","code":"no_such_table","message":"…"}\n\n');
  assert.equal(one.told.at(-1), "error 2");
  assert.equal(one.stream.readyState, 2);
  await last().event("me", "snapshot", "[]");
  assert.equal(other.told.at(-1), "snapshot  []");
  await pass(5_000);
  assert.equal(asked.length, count, "the page asks again when it will");
});

test("a tab beyond the most topics has a stream of its own", async () => {
  loadPage("secret");
  for (let id = 0; id < 16; id += 1) await tab(`match:${id}`);
  assert.equal(last().topics.length, 16);
  await tab("match:3");
  assert.equal(last().topics.length, 16, "a topic twice counts once");
  const own = await tab("match:16");
  assert.deepEqual(last().topics, ["match:16"]);
  await last().open();
  assert.equal(own.told.at(-1), "open 1");
});

test("the bell shows the number of unread notifications, on a page without a stream of its own, too", async () => {
  loadPage("secret", {}, 'data-topic="notified"');
  await pass(0);
  assert.deepEqual(last().topics, ["notified"]);
  await last().open();
  const shown = () => /** @type {HTMLElement} */ (document.querySelector(".bell")).dataset.unread;
  assert.equal(shown(), "3", "as the server has rendered it");
  for (const [unread, text] of [[4, "4"], [0, ""], [99, "99"], [100, "99+"]]) {
    await last().send(`event: notified\ndata: {"unread":${unread}}\n\n`);
    assert.equal(shown(), text);
  }
});

test("the number of games on turn is in the header, the title and the badge", async () => {
  /** @type {number[]} */
  const badges = [];
  const navigator = { setAppBadge: async (/** @type {number} */ count) => void badges.push(count) };
  loadPage("secret", { navigator }, 'data-topic="notified"');
  await pass(0);
  await last().open();
  const tell = (/** @type {number} */ count) => last().send(`event: notified\ndata: {"unread":0,"on_turn":${count}}\n\n`);
  const count = /** @type {HTMLElement} */ (document.querySelector(".on-turn-count"));
  await tell(2);
  assert.deepEqual([document.title, count.textContent, count.hidden], ["(2) Rules", "2", false]);
  await tell(3);
  assert.equal(document.title, "(3) Rules");
  // Another script has set the title meanwhile.
  document.title = "(1) Draw?";
  await tell(2);
  assert.equal(document.title, "(2) Draw?");
  await tell(0);
  assert.deepEqual([document.title, count.hidden], ["Draw?", true]);
  // A number that is none of games on turn stays.
  document.title = "(1) You are challenged";
  await tell(0);
  assert.equal(document.title, "(1) You are challenged");
  assert.deepEqual(badges, [2, 3, 2, 0, 0]);
});
