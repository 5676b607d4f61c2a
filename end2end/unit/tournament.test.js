// @ts-check
/** `public/tournament.js` and `public/tournament_match.js`, on pages as `crates/pages/src/ui/tournaments/` renders them. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, run, settled } from "./page.js";

/** @param {string} state @param {string} rows */
const page = (state, rows) => `<html><body>
  <p id="connection-lost" hidden></p>
  <article class="tournament" data-events="tournament:5" data-me="7" data-is-live="true"
    data-known="open 5 0 false 0 0" data-round-soon="soon">
    <section id="entry" data-live="${state}"><strong id="time-left" data-until="2000000" data-now="1000000" data-open="in %" data-running="% left">16 min</strong>
      <p>${state}</p></section>
    <section id="standings"><p class="empty">Nobody</p>
    <table id="standings-table" data-tournament="5" data-version="3" data-players="0" data-page="0" data-interval="10000" hidden>
      <tbody id="my-row"></tbody><tbody id="rows">${rows}</tbody></table>
    <span id="row-words" hidden data-fire="double" data-berserks="halved: %" data-paused="paused" data-guest="guest" data-bot="bot" data-deleted="deleted" data-nobody="deleted player"></span>
    </section>
  </article></body></html>`;

/** Before a document brings its own. */
const NodeEvent = globalThis.Event;

/** An event stream without a server. */
class Stream extends EventTarget {
  /** @type {Map<string, Stream>} */
  static all = new Map();
  readyState = 1;

  /** @param {string} topic */
  constructor(topic) {
    super();
    Stream.all.set(topic, this);
  }

  /** @param {string} name @param {unknown} [data] */
  async send(name, data = {}) {
    this.dispatchEvent(Object.assign(new NodeEvent(name), { data: JSON.stringify(data) }));
    await settled();
  }
}

/** @type {string[]} */
let steps;
/** @type {Record<string, string>} */
let answers;
/** The functions that wait, each with its time. @type {[() => unknown, number][]} */
let waiting;
let now = 0;

/** Runs what waits. */
async function pass() {
  const due = waiting;
  waiting = [];
  for (const [task] of due) await task();
  for (let turn = 0; turn < 6; turn += 1) await settled();
}

/** @param {number} id @param {number} rank @param {object} [more] */
const row = (id, rank, more) => ({
  rank, player: { id, name: `p${id}` }, score: 10 - rank, fire: false, performance: 1600, paused: false, ...more,
});

beforeEach(async () => {
  [steps, answers, waiting, now] = [[], {}, [], 900_000];
  Stream.all.clear();
  load(page("open", ""), {
    TopicStream: Stream,
    location: {
      href: "/tournament/5",
      reload: () => steps.push("reload"),
      assign: (/** @type {string} */ url) => steps.push(`go to ${url}`),
    },
    fetch: async (/** @type {string} */ url) => {
      steps.push(`fetch ${url}`);
      return answers[url] === undefined ? new Response("", { status: 500 }) : new Response(answers[url]);
    },
    setInterval: () => 0,
    setTimeout: (/** @type {() => unknown} */ task, /** @type {number} */ after) => waiting.push([task, after]),
  });
  mock.method(Date, "now", () => now);
  mock.method(Math, "random", () => 0.5);
  await run("tournament.js");
});

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));
const events = () => /** @type {Stream} */ (Stream.all.get("tournament:5"));
const shown = () => [...byId("rows").children].map((line) => line.textContent?.trim());

test("the time is counted by the clock of the server", () => {
  // 1,000 s are left, whatever the browser's clock says.
  assert.equal(byId("time-left").textContent, "in 16:40");
});

test("times of games by appointment are those of the place, shown and typed", async () => {
  const time = "2026-07-21T20:30:00Z";
  const html = page("running", "").replace("<p>running</p>", `<section class="appointment"><time datetime="${time}">2026-07-21 20:30 UTC</time>
    <form><input name="offset" value="0"><input name="time" value="2026-12-21T20:30"><span data-own-time="your time">UTC</span></form></section>`);
  load(html, { TopicStream: Stream });
  await run("tournament.js");
  const own = new Date(time).toLocaleString(undefined, { dateStyle: "medium", timeStyle: "short" });
  assert.equal(document.querySelector("time")?.textContent, own);
  assert.equal(document.querySelector("[data-own-time]")?.textContent, "your time");
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));
  form.dispatchEvent(new window.Event("submit", { bubbles: true }));
  const offset = /** @type {HTMLInputElement} */ (form.elements.namedItem("offset")).value;
  assert.equal(offset, String(-new Date("2026-12-21T20:30").getTimezoneOffset()), "that of winter");
});

test("the first ranks come with the event, and the page of standings is fetched once at a later moment", async () => {
  const top = [row(8, 1, { fire: true, player: { id: 8, name: "<b>", bot: true } }), row(7, 2, { paused: true })];
  await events().send("standings", { version: 4, players: 2, top });
  assert.deepEqual(shown(), ["1<b> bot×2 91600", "2p7 paused81600"]);
  assert.equal(byId("rows").querySelectorAll("b").length, 0, "a name is no markup");
  assert.equal(byId("rows").children[1].className, "me");
  assert.equal(byId("standings-table").hidden, false);
  assert.equal(document.querySelector(".empty"), null);
  await events().send("standings", { version: 5, players: 2, top });
  assert.deepEqual(steps, [], "nothing is fetched at once");
  assert.deepEqual(waiting.map(([, time]) => time), [5_000, 15_150], "each at a moment of its own");
  answers["/api/tournament_standings?id=5&page=0"] = JSON.stringify({ version: 6, players: 3, rows: [row(9, 1), row(8, 2)] });
  answers["/api/tournament_entry?id=5"] = JSON.stringify({ standing: row(7, 53) });
  await pass();
  const read = ["fetch /api/tournament_standings?id=5&page=0", "fetch /api/tournament_entry?id=5", "fetch /tournament/5"];
  assert.deepEqual(steps, read);
  assert.deepEqual(shown(), ["1p991600", "2p881600"]);
  assert.equal(byId("my-row").textContent?.trim(), "53p7-431600", "one's own row is always there");
});

test("games with half the clock are counted beside the points", async () => {
  await events().send("standings", { version: 4, players: 1, top: [row(8, 1, { berserks: 2 })] });
  assert.deepEqual(shown(), ["1p8⚡\ufe0e2 91600"]);
  assert.equal(byId("rows").querySelector(".berserks")?.getAttribute("aria-label"), "halved: 2");
});

test("an older event changes nothing", async () => {
  await events().send("standings", { version: 3, players: 1, top: [row(8, 1)] });
  assert.deepEqual([shown(), waiting.length], [[], 0]);
});

test("a player who is paired is led to the board, with a sound", async () => {
  document.addEventListener("sound:call", () => steps.push("sound"));
  await Stream.all.get("me")?.send("paired", { tournament: 5, match: 12 });
  assert.deepEqual(steps, ["sound"]);
  await pass();
  assert.deepEqual(steps, ["sound", "go to /match/12"]);
});

test("a player who was paired before the stream was there is led to the board, unless the page shows that game", async () => {
  const me = Stream.all.get("me");
  await me?.send("snapshot", { challenges: [], matches: [] });
  assert.deepEqual(steps, []);
  answers["/api/tournament_entry?id=5"] = JSON.stringify({ match: null });
  await me?.send("snapshot", { challenges: [], matches: [{}] });
  await pass();
  assert.deepEqual(steps, ["fetch /api/tournament_entry?id=5"]);
  answers["/api/tournament_entry?id=5"] = JSON.stringify({ match: 12 });
  await me?.send("snapshot", { challenges: [], matches: [{}] });
  await settled();
  await pass();
  assert.equal(steps.at(-1), "go to /match/12");
  steps.length = 0;
  /** @type {HTMLElement} */ (document.querySelector(".tournament")).dataset.match = "12";
  await me?.send("snapshot", { challenges: [], matches: [{}] });
  await settled();
  await pass();
  assert.deepEqual(steps, ["fetch /api/tournament_entry?id=5"]);
});

test("who has come up among the first rows stands there once", async () => {
  const list = [row(7, 1), row(8, 2), row(9, 3)];
  await events().send("standings", { version: 4, players: 3, top: list });
  await events().send("standings", { version: 5, players: 3, top: [row(9, 1), row(7, 2)] });
  assert.deepEqual(shown(), ["1p991600", "2p781600"]);
});

test("the time goes on by the clock of the page that was read last", async () => {
  now += 60_000;
  answers["/tournament/5"] = page("open", "").replace('data-now="1000000"', 'data-now="1060000"');
  await events().send("finished", { id: 5, name: "x" });
  await pass();
  assert.equal(byId("time-left").textContent, "in 15:40");
});

test("halves and quarters are written with their signs", async () => {
  const top = [row(8, 1, { score: 2.5, tie_breaks: [0.25, 3, 1.75] }), row(7, 2, { score: 0.5, tie_breaks: [0, 2, 1] })];
  await events().send("standings", { version: 4, players: 2, top });
  assert.deepEqual(shown(), ["1p82½¼31¾1600", "2p7½0211600"]);
  assert.equal(byId("rows").querySelectorAll(".tie-break").length, 6);
});

test("a player is called to the next round of this tournament, and the page counts to it", async () => {
  document.addEventListener("sound:call", () => steps.push("sound"));
  const own = Stream.all.get("me");
  await own?.send("round_soon", { tournament: 6, at: 1_000_000 });
  assert.deepEqual(steps, []);
  answers["/tournament/5"] = page("soon", "");
  await own?.send("round_soon", { tournament: 5, at: 1_000_000 });
  await pass();
  assert.deepEqual(steps, ["sound", "fetch /tournament/5"]);
  assert.equal(byId("entry").querySelector("p")?.textContent, "soon");
  const running = { state: "running", starts_at: 5, entries_closed: false, rounds: 3 };
  await events().send("snapshot", { ...running, round: 1, round_at: 1_060_000 });
  assert.equal(byId("time-left").textContent, "1:00 left");
  await events().send("snapshot", { ...running, round: 3, round_at: 1_090_000 });
  assert.equal(byId("time-left").textContent, "1:00 left", "after the last round there is nothing to wait for");
});

test("parts that have changed are replaced, but not while they are filled in", async () => {
  answers["/tournament/5"] = page("running", "");
  await events().send("snapshot", { state: "open", starts_at: 5, entries_closed: false, version: 9 });
  assert.equal(waiting.length, 0, "the page was loaded with it");
  await events().send("snapshot", { state: "running", starts_at: 5, ends_at: 1_060_000, entries_closed: false });
  assert.equal(byId("time-left").textContent, "1:00 left", "the time is that of the event at once");
  assert.equal(waiting[0][1], 15_000);
  await pass();
  assert.equal(byId("entry").querySelector("p")?.textContent, "running");
  answers["/tournament/5"] = page("finished", "");
  const field = document.createElement("input");
  byId("entry").append(field);
  field.focus();
  await events().send("finished", { id: 5, name: "x" });
  await pass();
  assert.equal(byId("entry").dataset.live, "running");
  // A list that was opened stays open, also while its summary has the focus.
  field.remove();
  const details = () => /** @type {HTMLDetailsElement} */ (byId("entry").querySelector("details"));
  byId("entry").innerHTML = "<details open><summary>Games</summary></details>";
  byId("entry").querySelector("summary")?.focus();
  answers["/tournament/5"] = page("finished", "").replace("<p>finished</p>", "<details><summary>Games</summary>2</details>");
  await events().send("finished", { id: 5, name: "x" });
  await pass();
  assert.equal(byId("entry").dataset.live, "finished");
  assert.ok(details().open && details().textContent?.includes("2"));
  assert.equal(document.activeElement, details().querySelector("summary"));
});

test("a lost connection is said until the stream is there again", async () => {
  await events().send("error");
  assert.equal(byId("connection-lost").hidden, false);
  await events().send("heartbeat");
  assert.equal(byId("connection-lost").hidden, true);
});

test("the page of a match leads to the next match, not to itself", async () => {
  Stream.all.clear();
  load('<html><body><script id="tournament-match" data-match="3" data-tournament="5"></script></body></html>', {
    TopicStream: Stream,
    location: { assign: (/** @type {string} */ url) => steps.push(`go to ${url}`) },
  });
  await run("tournament_match.js");
  const own = Stream.all.get("me");
  await own?.send("paired", { tournament: 5, match: 3 });
  assert.deepEqual(steps, []);
  await own?.send("paired", { tournament: 5, match: 4 });
  await pass();
  assert.deepEqual(steps, ["go to /match/4"]);
});

test("beside a running game the page of another leads to the next one alone, also after the stream was lost", async () => {
  Stream.all.clear();
  load('<html><body><script id="tournament-match" data-match="3" data-tournament="5"></script></body></html>', {
    TopicStream: Stream,
    location: { assign: (/** @type {string} */ url) => steps.push(`go to ${url}`) },
  });
  await run("tournament_match.js");
  const own = Stream.all.get("me");
  answers["/api/tournament_entry?id=5"] = JSON.stringify({ match: 4 });
  for (let times = 0; times < 2; times += 1) {
    await own?.send("snapshot", { matches: [{}] });
    await settled();
  }
  await pass();
  assert.deepEqual(steps.filter((step) => step.startsWith("go")), []);
  answers["/api/tournament_entry?id=5"] = JSON.stringify({ match: 6 });
  await own?.send("snapshot", { matches: [{}] });
  await settled();
  await pass();
  assert.equal(steps.at(-1), "go to /match/6");
});

test("berserk is sent without leaving the page, and told to all who look at it", async () => {
  Stream.all.clear();
  let ok = false;
  load(`<html><body><div class="berserk">
      <form id="berserk" data-seat="1" method="post" action="/api/berserk"><input type="hidden" name="match_id" value="3"></form>
      <p data-berserk="1" hidden>one</p><p data-berserk="2" hidden>two</p></div>
    <script id="tournament-match" data-match="3" data-tournament="5"></script></body></html>`, {
    TopicStream: Stream,
    send: async (/** @type {string} */ address, /** @type {URLSearchParams} */ body) => {
      steps.push(`${new URL(address).pathname} ${body}`);
      return { ok, answer: null };
    },
  });
  await run("tournament_match.js");
  const form = /** @type {HTMLFormElement} */ (byId("berserk"));
  form.submit = () => steps.push("the form itself");
  const submit = async () => {
    form.dispatchEvent(new Event("submit", { cancelable: true }));
    await settled();
  };
  await submit();
  // The page that answers says why it was refused.
  assert.deepEqual(steps, ["/api/berserk match_id=3", "the form itself"]);
  ok = true;
  steps = [];
  await submit();
  assert.deepEqual(steps, ["/api/berserk match_id=3"]);
  const told = (/** @type {number} */ seat) => document.dispatchEvent(new CustomEvent("berserked", { detail: JSON.stringify({ seat }) }));
  const lines = () => [...document.querySelectorAll("p")].map((line) => line.hidden);
  told(2);
  assert.deepEqual([lines(), document.getElementById("berserk") !== null], [[true, false], true]);
  told(1);
  assert.deepEqual([lines(), document.getElementById("berserk")], [[false, false], null]);
});
