// @ts-check
/** `public/lobby_chat.js`: the chat of the waiting rooms as a tab at a match, beside the chat of the match. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, runClassic, settled } from "./page.js";

const MESSAGE = `
  <li class="said">
    <a class="name"><bdi></bdi></a><span class="guest">guest</span><span class="bot">bot</span>
    <span class="other-chat" data-unless="players">spectator</span><time></time><p class="words"></p>
    <details class="chat-menu"><summary>⋯</summary>
      <form class="mute" action="/api/mute"><input name="player"><input name="muted" value="true"></form>
      <form class="report" action="/api/report_message"><input name="message"></form>
    </details>
  </li>`;

const MATCH = `<html lang="en">
  <section id="chat" data-me="7" data-place="5">
    <button class="chat-toggle"><span class="unread" hidden><b>0</b></span></button>
    <div class="chat-log" aria-labelledby="x"><ol></ol></div>
    <button class="chat-new" hidden>New</button>
    <p class="chat-refusal" data-other="Not possible now" data-muted="You are muted">refused at the match</p>
    <p class="chat-status" data-reported="Reported"></p>
    <form class="say" action="/api/say">
      <input name="place" value="5"><label for="say">Say</label><input id="say" name="text" value="to the opponent"><p class="say-left"></p>
    </form>
    <template id="chat-message">${MESSAGE}</template>
  </section>
  <details id="lobby-chat" open><summary>Waiting room</summary><a href="/chat">chat</a></details>`;

/** The history of the chat with these messages. @param {string[]} texts */
const history = (...texts) => {
  const from = { id: 8, name: "bob", guest: false, bot: false };
  const messages = texts.map((text, at) => ({ id: at + 1, place: "lobby", chat: "lobby", from, text, at: 1_577_959_200_000 }));
  return { messages, muted: [], operator: false };
};

/** The history as it is now. */
let chat = history();
/** The requests that were sent. @type {string[]} */
let sent = [];
/** The answer to what is sent. @type {() => Response} */
let answer = () => Response.json(null);

/** @param {string} selector @returns {any} */
const find = (selector) => document.querySelector(`#lobby-chat ${selector}`);
const shown = () => [...document.querySelectorAll("#lobby-chat .words")].map((words) => words.textContent);
const settle = async () => {
  for (let turn = 0; turn < 5; turn += 1) await settled();
};
/** @param {string} selector */
const submit = async (selector) => {
  const event = new Event("submit", { bubbles: true, cancelable: true });
  find(selector).dispatchEvent(event);
  await settle();
  assert(event.defaultPrevented, "the page of the match stays");
};

beforeEach(async () => {
  [chat, sent, answer] = [history("hello"), [], () => Response.json(null)];
  load(MATCH, {
    fetch: async (/** @type {string} */ url, /** @type {{ body: URLSearchParams } | undefined} */ request) => {
      if (!request) {
        assert.equal(url, "/api/talk?place=lobby");
        return Response.json(chat);
      }
      sent.push(`${new URL(url).pathname} ${request.body}`);
      return answer();
    },
    setInterval: () => 0,
  });
  const tab = /** @type {HTMLElement} */ (document.getElementById("lobby-chat"));
  tab.dataset.script = await run("lobby_chat.js");
  runClassic("forms.js");
  await run("chat.js");
  await toggle();
});

const toggle = async () => {
  document.getElementById("lobby-chat")?.dispatchEvent(new Event("toggle"));
  await settle();
};

test("the messages are in the tab, those of other days with the day", () => {
  assert.deepEqual(shown(), ["hello"]);
  assert.equal(find(".other-chat"), null);
  assert.match(find("time").textContent, /2/);
  assert.equal(find("> a"), null);
});

test("what stands in the form of the match is not sent to the waiting rooms", () => {
  assert.deepEqual([find("[name=text]").value, find(".chat-refusal").textContent], ["", ""]);
});

test("a tab that is opened again has its messages and its form once", async () => {
  chat = history("hello", "hi");
  await toggle();
  assert.deepEqual(shown(), ["hello", "hi"]);
  assert.equal(document.querySelectorAll("#lobby-chat form.say").length, 1);
});

test("an answer that is overtaken by a later one is not shown", async () => {
  /** @type {((response: Response) => void)[]} */
  const waiting = [];
  const { fetch } = globalThis;
  Object.assign(globalThis, { fetch: () => new Promise((answer) => waiting.push(answer)) });
  await toggle();
  await toggle();
  waiting[1](Response.json(history("hello", "hi")));
  await settle();
  waiting[0](Response.json(history("hello")));
  await settle();
  assert.deepEqual(shown(), ["hello", "hi"]);
  Object.assign(globalThis, { fetch });
});

test("a message is sent, and shown with those that others have sent", async () => {
  find("[name=text]").value = "hi";
  chat = history("hello", "hi");
  await submit("form.say");
  assert.deepEqual([sent, shown(), find("[name=text]").value], [["/api/say place=lobby&text=hi"], ["hello", "hi"], ""]);
});

test("a refused message stays in its field", async () => {
  find("[name=text]").value = "hi";
  answer = () => Response.json({ code: "muted" }, { status: 403 });
  await submit("form.say");
  assert.deepEqual([find(".chat-refusal").textContent, find("[name=text]").value], ["You are muted", "hi"]);
  assert.equal(document.querySelector("#chat .chat-refusal")?.textContent, "refused at the match");
});

test("a message is reported and its author muted without leaving the match", async () => {
  find(".chat-menu").open = true;
  await submit("form.report");
  assert.deepEqual(sent, ["/api/report_message message=1"]);
  assert.equal(find(".chat-status").textContent, "Reported");
  assert.equal(find(".chat-menu").open, false);
  chat = history();
  await submit("form.mute");
  assert.deepEqual([sent.at(-1), shown()], ["/api/mute player=8&muted=true", []]);
});
