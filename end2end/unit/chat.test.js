// @ts-check
/** `public/chat.js`, on a page as `crates/pages/src/ui/chat/` draws it. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, runClassic, settled } from "./page.js";

const MESSAGE = `
  <li id="said-0" class="said">
    <span class="who-said">
      <a class="name" href="/@"><bdi></bdi></a><span class="guest">guest</span><span class="bot">bot</span>
      <span class="other-chat" data-unless="players">spectator</span><time datetime="1970-01-01T00:00:00Z">00:00</time>
    </span>
    <p class="words"></p>
    <details class="chat-menu">
      <summary>⋯</summary>
      <form class="mute" action="/api/mute"><input name="player"><input name="muted" value="true"></form>
      <form class="report" action="/api/report_message"><input name="message"><input name="reason"></form>
    </details>
  </li>`;

const PAGE = `<html lang="en">
  <section id="chat" data-me="7" data-place="lobby">
    <button class="chat-toggle" aria-expanded="false"><span class="unread" hidden><b>0</b></span></button>
    <div class="chat-log"><ol></ol></div>
    <button class="chat-new" hidden>New</button>
    <p class="chat-refusal" data-other="Not possible now" data-muted="You are muted" data-message_too_long="Too long"></p>
    <p class="chat-status" data-reported="Reported"></p>
    <form class="say" action="/api/say">
      <input name="place" value="lobby"><input name="text">
      <p class="say-left" data-left="{} left"></p>
    </form>
    <details class="muted" hidden><ul></ul></details>
    <template id="muted-player">
      <li>
        <a class="name" href="/@"><bdi></bdi></a><span class="guest">guest</span><span class="bot">bot</span>
        <form class="mute" action="/api/mute"><input name="player"><input name="muted" value="false"></form>
      </li>
    </template>
    <template id="chat-message">${MESSAGE}</template>
  </section>`;

const alice = { id: 7, name: "alice", guest: false };
const bob = { id: 8, name: "bob", guest: true };

/** A message as the server sends it. @param {object} [members] */
const message = (members) => ({ id: 1, place: "lobby", chat: "players", from: bob, text: "hello", at: 0, ...members });

/** @type {{ url: string, body: string }[]} */
let requests;
/** The server's answers to the next requests. @type {(() => Promise<Response>)[]} */
let answers;
/** The number of requested reloads. */
let reloads = 0;

beforeEach(async () => {
  requests = [];
  answers = [];
  reloads = 0;
  load(PAGE, {
    location: { href: "http://tochki.test/play", reload: () => (reloads += 1) },
    /** @param {string} url @param {RequestInit} [init] */
    fetch: (url, init) => {
      const { pathname, search } = new URL(url, location.href);
      requests.push({ url: pathname + search, body: String(init?.body ?? "") });
      return answers.shift()?.() ?? Promise.reject(new TypeError("no answer"));
    },
  });
  runClassic("forms.js");
  await run("chat.js");
});

/** @param {unknown} body */
const json = (body, status = 200) => async () => new Response(JSON.stringify(body), { status });

/** @param {string} selector */
function find(selector) {
  const found = document.querySelector(selector);
  assert(found, selector);
  return /** @type {HTMLElement & HTMLInputElement & HTMLFormElement & HTMLDetailsElement} */ (found);
}

/** Sends a form, as pressing its button does. */
async function submit(selector = ".say") {
  const event = new Event("submit", { bubbles: true, cancelable: true });
  find(selector).dispatchEvent(event);
  assert(event.defaultPrevented, "the page stays");
  await settled();
}

/** @param {string} text */
function write(text) {
  find(".say [name=text]").value = text;
  find(".say [name=text]").dispatchEvent(new Event("input", { bubbles: true }));
}

/** @param {object} said */
const hear = (said) => document.dispatchEvent(new CustomEvent("said", { detail: JSON.stringify(said) }));

const shown = () => [...document.querySelectorAll(".chat-log .words")].map(({ textContent }) => textContent);

test("a message that is sent is shown, and its field is empty", async () => {
  write("hello");
  answers = [json(message({ from: alice }))];
  await submit();
  assert.deepEqual(requests, [{ url: "/api/say", body: "place=lobby&text=hello" }]);
  assert.deepEqual(shown(), ["hello"]);
  assert.equal(find(".say [name=text]").value, "");
  assert(find("#said-1").classList.contains("mine"));
  assert.equal(document.querySelector("#said-1 .chat-menu"), null);
});

test("the annulment of a match is shown", () => {
  document.body.insertAdjacentHTML("beforeend", `<section id="annulled-note" hidden></section>`);
  document.dispatchEvent(new CustomEvent("annulled", { detail: "{}" }));
  assert.equal(find("#annulled-note").hidden, false);
});

test("a script is loaded when the server has another release than the page", async () => {
  const names = /** @type {Record<string, unknown>} */ (globalThis);
  document.body.insertAdjacentHTML(
    "beforeend",
    `<div id="new-release" data-release="1a" data-script="data:text/javascript,globalThis.isToldInChat=true"></div>`,
  );
  for (const [release, isTold] of /** @type {const} */ ([["1a", undefined], ["2b", true]])) {
    document.dispatchEvent(new CustomEvent("release", { detail: JSON.stringify({ release }) }));
    for (let turn = 0; turn < 5; turn += 1) await settled();
    assert.equal(names.isToldInChat, isTold, release);
  }
});

test("messages are shown once, by their ids", () => {
  for (const id of [2, 5, 3, 5, 1]) hear(message({ id, text: `${id}` }));
  assert.deepEqual(shown(), ["1", "2", "3", "5"]);
});

test("the log stays where it is while the menu of a message is open", () => {
  // Visible, which nothing is without layout, and at its end.
  Object.defineProperty(find(".chat-log"), "offsetParent", { value: document.body });
  find(".chat-log").scrollTop = 0;
  hear(message());
  assert(find(".chat-new").hidden, "the end of the log is in view");
  find(".chat-log .chat-menu").setAttribute("open", "");
  hear(message({ id: 2 }));
  assert(!find(".chat-new").hidden, "the button leads to the end");
});

test("messages of others are inserted as text, with their authors", () => {
  hear(message({ text: "<b>bold</b>", chat: "spectators" }));
  assert.equal(find("#said-1 .words").innerHTML, "&lt;b&gt;bold&lt;/b&gt;");
  assert.equal(find("#said-1 .name").getAttribute("href"), "/@bob");
  assert.equal(find("#said-1 .guest").textContent, "guest");
  assert.equal(find("#said-1 .other-chat").textContent, "spectator");
  assert.equal(find("#said-1 [name=player]").value, "8");
  assert.equal(find("#said-1 [name=message]").value, "1");
});

test("a deleted account has no link", () => {
  hear(message({ from: { id: 9, name: "Deleted account", guest: false } }));
  assert.equal(find("#said-1 .name").hasAttribute("href"), false);
});

test("a refusal is shown as a sentence, and the text stays", async () => {
  write("hello");
  answers = [json({ code: "muted" }, 403)];
  await submit();
  assert.equal(find(".chat-refusal").textContent, "You are muted");
  assert.equal(find(".say [name=text]").value, "hello");
});

test("an unknown error code and a failed request show an error", async () => {
  for (const answer of [json({ code: "new" }, 500), async () => new Response("<html>", { status: 502 }), undefined]) {
    find(".chat-refusal").textContent = "";
    write("hello");
    answers = answer ? [answer] : [];
    await submit();
    assert.equal(find(".chat-refusal").textContent, "Not possible now");
  }
});

test("too long a message is not sent", async () => {
  write("😀".repeat(301));
  await submit();
  assert.equal(find(".chat-refusal").textContent, "Too long");
  assert.deepEqual(requests, []);
});

test("near the limit the number of characters left is shown", () => {
  const left = () => find(".say-left").textContent;
  write("x".repeat(249));
  assert.equal(left(), "");
  write("😀".repeat(250));
  assert.equal(left(), "50 left");
  write("x".repeat(302));
  assert.equal(left(), "-2 left");
});

test("a form is not sent twice at once", async () => {
  write("hello");
  /** @type {(response: Response) => void} */
  let answer = () => {};
  answers = [() => new Promise((resolve) => (answer = resolve))];
  await submit();
  await submit();
  assert.equal(requests.length, 1);
  answer(Response.json(message()));
  await settled();
  answers = [json(message({ id: 2 }))];
  await submit();
  assert.equal(requests.length, 2);
});

test("an invalid response shows an error, and the chat still works", async (t) => {
  const logged = t.mock.method(console, "error", () => {});
  write("hello");
  answers = [json(null)];
  await submit();
  assert.equal(find(".chat-refusal").textContent, "Not possible now");
  assert.equal(logged.mock.callCount(), 1);
  answers = [json(message({ text: "again" }))];
  await submit();
  assert.equal(find(".chat-refusal").textContent, "");
  assert.deepEqual(shown(), ["again"]);
});

test("after muting, the page is reloaded if the messages cannot be fetched, and the chat still works", async () => {
  hear(message());
  const broken = new ReadableStream({ start: (body) => body.error(new TypeError("connection lost")) });
  for (const history of [undefined, async () => new Response("", { status: 502 }), async () => new Response(broken)]) {
    answers = [json(null), ...(history ? [history] : [])];
    await submit("#said-1 .mute");
  }
  assert.equal(reloads, 3);
  answers = [json(message({ id: 2, text: "again" }))];
  await submit();
  assert.deepEqual(shown(), ["hello", "again"]);
});

test("a report is confirmed, and its menu is closed", async () => {
  hear(message());
  find("#said-1 .chat-menu").open = true;
  answers = [json(null)];
  await submit("#said-1 .report");
  assert.deepEqual(requests, [{ url: "/api/report_message", body: "message=1&reason=" }]);
  assert.equal(find(".chat-status").textContent, "Reported");
  assert.equal(find("#said-1 .chat-menu").open, false);
});

test("a message that comes while the log is fetched again is not lost", async () => {
  hear(message());
  answers = [
    json(null),
    async () => {
      hear(message({ id: 2, text: "meanwhile" }));
      return Response.json({ messages: [], muted: [bob] });
    },
  ];
  await submit("#said-1 .mute");
  assert.deepEqual(shown(), ["meanwhile"]);
  hear(message({ id: 3, text: "later" }));
  assert.deepEqual(shown(), ["meanwhile", "later"]);
});

test("after muting, the messages and the list of muted players are fetched from the server", async () => {
  hear(message());
  const kept = message({ id: 2, from: alice, text: "to all" });
  answers = [json(null), json({ messages: [kept], muted: [bob] })];
  await submit("#said-1 .mute");
  assert.deepEqual(requests.map(({ url }) => url), ["/api/mute", "/api/talk?place=lobby"]);
  assert.deepEqual(shown(), ["to all"]);
  assert.equal(find(".muted").hidden, false);
  assert.equal(find(".muted bdi").textContent, "bob");
  assert.equal(document.querySelector(".muted .bot"), null);
  assert.equal(find(".muted .guest").textContent, "guest");
  answers = [json(null), json({ messages: [kept], muted: [] })];
  await submit(".muted .mute");
  assert.equal(requests.at(-2)?.body, "player=8&muted=false");
  assert.equal(find(".muted").hidden, true);
});
