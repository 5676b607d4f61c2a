// @ts-check
/** `public/open_table.js`, on a page as `crates/pages/src/ui/table/` renders it. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, run, runClassic, settled } from "./page.js";

/** @param {(object | null)[]} seats */
const state = (...seats) => JSON.stringify({ seats });

/** @param {string} parts */
const page = (parts) => `<html><title>Table</title>
  <p id="connection-lost" hidden></p>
  <div class="open-table" data-events="table:abc" data-me="7" data-joined-title="Somebody is here"
    data-known='${state({}, null)}'>
    ${parts}
    <form class="quick" action="/api/stand_up"><input name="table" value="1"><input name="next" value="/play"></form>
    <form class="slow" action="/api/be_guest"></form>
    <div id="table-chat"></div>
    <section id="invite">
    <input id="link" value="http://tochki.test/t/abc"><button id="copy" data-done="Copied" data-else="Copy it"></button>
    <button id="share" class="unseen"></button><span id="copied"></span>
    </section>
  </div>`;

const PARTS = `<p id="state" data-live="1">Waiting</p><div id="doing" data-live="1"><button id="ready">Ready</button></div>`;
const CHANGED = `<p id="state" data-live="1">Changed</p><div id="doing" data-live="2"><button id="ready">Not ready</button></div>`;

/** Before a document brings its own. */
const NodeEvent = globalThis.Event;

/** An event stream without a server. */
class Stream extends EventTarget {
  static CLOSED = 2;
  /** @type {Stream} */
  static last;
  readyState = 1;

  /** @param {string} topic */
  constructor(topic) {
    super();
    this.topic = topic;
    Stream.last = this;
  }

  /** @param {string} name @param {string} [data] */
  async send(name, data = "") {
    this.dispatchEvent(Object.assign(new NodeEvent(name), { data }));
    await settled();
    await settled();
  }
}

/** @type {string[]} */
let steps;
/** @type {(() => Promise<Response>)[]} */
let responses;
/** The function that looks at times whether the stream is silent. */
let check = () => {};
let now = 0;

beforeEach(async () => {
  [steps, responses, now] = [[], [], 1_000_000];
  load(page(PARTS), {
    TopicStream: Stream,
    navigator: { clipboard: { writeText: async (/** @type {string} */ text) => steps.push(`copy ${text}`) } },
    location: {
      pathname: "/t/abc",
      reload: () => steps.push("reload"),
      assign: (/** @type {string} */ url) => steps.push(`go to ${url}`),
    },
    fetch: async (/** @type {string} */ url) => {
      steps.push(`fetch ${url}`);
      return responses.shift()?.() ?? Promise.reject(new TypeError("no connection"));
    },
    setInterval: (/** @type {() => void} */ task) => (check = task),
  });
  mock.method(Date, "now", () => now);
  runClassic("forms.js");
  await run("open_table.js");
});

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
/** @param {string} body @param {ResponseInit} [init] */
const answer = (body, init) => async () => new Response(body, init);

test("an event fetches the page, and replaces the parts that have changed", async () => {
  responses = [answer(page(CHANGED))];
  await Stream.last.send("table", state({}, {}));
  assert.equal(Stream.last.topic, "table:abc");
  assert.deepEqual(steps, ["fetch /t/abc"]);
  assert.equal(byId("ready").textContent, "Not ready");
  assert.equal(byId("state").textContent, "Waiting", "parts that have not changed stay");
});

test("the page is fetched one at a time, and once more for what has come meanwhile", async () => {
  /** @type {((response: Response) => void)[]} */
  const waiting = [];
  const later = () => new Promise((/** @type {(response: Response) => void} */ answer) => waiting.push(answer));
  responses = [later, later, later];
  // Of two fetches at once the older could arrive last, and put the page back.
  for (const players of [[{}], [{}, {}], []]) await Stream.last.send("table", state(...players));
  assert.deepEqual(steps, ["fetch /t/abc"]);
  const older = page(CHANGED.replace("Not ready", "Older"));
  waiting[0](new Response(older));
  await settled();
  await settled();
  assert.equal(byId("ready").textContent, "Older");
  assert.deepEqual(steps, ["fetch /t/abc", "fetch /t/abc"], "once for both");
  const newer = page(CHANGED.replace('data-live="2"', 'data-live="3"'));
  waiting[1](new Response(newer));
  await settled();
  await settled();
  assert.equal(byId("ready").textContent, "Not ready");
  assert.equal(steps.length, 2);
  // And the next event fetches again.
  await Stream.last.send("rating_corrected", "{}");
  assert.equal(steps.length, 3);
});

test("a heartbeat shows that the stream lives, and fetches nothing", async () => {
  await Stream.last.send("error");
  now += 19_999;
  await Stream.last.send("heartbeat", "{}");
  now += 19_999;
  check();
  assert.equal(byId("connection-lost").hidden, true);
  assert.deepEqual(steps, []);
});

test("an event without news fetches nothing", async () => {
  await Stream.last.send("table", state({}, null));
  assert.deepEqual(steps, []);
});

test("who sits down gets the chat, which is hidden when they leave the seat", async () => {
  const chat = '<section id="chat"><div class="chat-log"><ol><li>Hello</li></ol></div></section><script src="/chat.js"></script>';
  const seated = page(PARTS).replace('<div id="table-chat"></div>', `<div id="table-chat">${chat}</div>`);
  const other = (/** @type {number} */ id) => state({ id: 7 }, { id });
  responses = [answer(seated), answer(page(PARTS)), answer(seated), answer(seated)];
  await Stream.last.send("table", other(8));
  assert.equal(byId("chat").textContent, "Hello");
  const first = byId("chat");
  await Stream.last.send("table", state({ id: 8 }, null));
  assert.equal(byId("table-chat").hidden, true);
  await Stream.last.send("table", other(8));
  assert.equal(byId("table-chat").hidden, false);
  assert.equal(byId("chat"), first, "its script goes on with it");
  // With another player it begins anew.
  await Stream.last.send("table", other(9));
  assert.equal(byId("chat").textContent, "");
  /** @type {string[]} */
  const said = [];
  document.addEventListener("said", (event) => said.push(/** @type {CustomEvent<string>} */ (event).detail));
  await Stream.last.send("said", '{"id":5}');
  assert.deepEqual(said, ['{"id":5}']);
});

test("the focus stays on a button that is replaced", async () => {
  byId("ready").focus();
  responses = [answer(page(CHANGED))];
  await Stream.last.send("table", state({}, {}));
  assert.equal(document.activeElement, byId("ready"));
});

test("when the match starts, its players are redirected to it, and the page is reloaded for others", async () => {
  await Stream.last.send("match_started", JSON.stringify({ match: 3, players: [{ id: 7 }, { id: 8 }] }));
  await Stream.last.send("match_started", JSON.stringify({ match: 3, players: [{ id: 8 }, { id: 9 }] }));
  assert.deepEqual(steps, ["go to /match/3", "reload"]);
});

test("a lost connection is shown until the next event", async () => {
  await Stream.last.send("error");
  assert.equal(byId("connection-lost").hidden, false);
  await Stream.last.send("table", state({}, null));
  assert.equal(byId("connection-lost").hidden, true);
});

test("the page is fetched after a silence of 20 seconds", async () => {
  now += 19_999;
  check();
  assert.deepEqual(steps, []);
  now += 1;
  check();
  assert.deepEqual(steps, ["fetch /t/abc"]);
});

/** @param {string} selector */
async function submit(selector) {
  document.querySelector(selector)?.dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
  await settled();
  await settled();
}

test("a form is sent without leaving the page, and goes where it says", async () => {
  responses = [answer("null")];
  await submit(".quick");
  assert.deepEqual(steps, ["fetch http://tochki.test/api/stand_up", "go to /play"]);
  // The table is closed by this player, who is on the way to another page.
  await Stream.last.send("table_closed");
  assert.equal(steps.length, 2);
});

test("after a form that could not be sent, the event of a closed table is handled again", async () => {
  await submit(".quick");
  assert.equal(byId("connection-lost").hidden, false);
  await Stream.last.send("table_closed");
  assert.deepEqual(steps.slice(1), ["reload"]);
});

test("when a game of the visitor is annulled, the page is fetched again", async () => {
  responses = [answer(page(CHANGED))];
  await Stream.last.send("rating_corrected", "{}");
  assert.equal(byId("state").textContent, "Waiting", "the same part stays");
  assert.equal(byId("ready").textContent, "Not ready");
});

test("a script is loaded when the server has another release than the page", async () => {
  const names = /** @type {Record<string, unknown>} */ (globalThis);
  document.body.insertAdjacentHTML(
    "beforeend",
    `<div id="new-release" data-release="1a" data-script="data:text/javascript,globalThis.isToldAtTable=true"></div>`,
  );
  for (const [release, isTold] of /** @type {const} */ ([["1a", undefined], ["2b", true]])) {
    await Stream.last.send("release", JSON.stringify({ release }));
    for (let turn = 0; turn < 5; turn += 1) await settled();
    assert.equal(names.isToldAtTable, isTold, release);
  }
  assert.deepEqual(steps, []);
});

test("other forms are submitted by the browser", async () => {
  await submit(".slow");
  assert.deepEqual(steps, []);
});

test("the link is copied, or selected where that is not allowed", async () => {
  byId("copy").dispatchEvent(new window.Event("click"));
  await settled();
  assert.deepEqual(steps, ["copy http://tochki.test/t/abc"]);
  assert.equal(byId("copied").textContent, "Copied");
  navigator.clipboard.writeText = () => Promise.reject(new Error("not allowed"));
  byId("copy").dispatchEvent(new window.Event("click"));
  await settled();
  assert.equal(byId("copied").textContent, "Copy it");
  const link = /** @type {HTMLInputElement} */ (byId("link"));
  assert.equal(link.selectionEnd, link.value.length);
});
