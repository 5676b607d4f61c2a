// @ts-check
/** Notifications and annulled games in `public/waiting.js`; its sound is tested in `sounds.test.js`. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** Addresses that were fetched. @type {string[]} */
let requests = [];
/** The next page, or none. @type {string | undefined} */
let page;
/** The notifications that were shown and closed. @type {string[]} */
let log = [];
/** The registration of the service worker, or none. @type {object | undefined} */
let registration;

class NotificationStub {
  /** @param {string} title @param {{ tag: string, body: string }} options */
  constructor(title, { tag, body }) {
    this.tag = tag;
    log.push(`${title}: ${body}`);
  }

  close() {
    log.push(`closed ${this.tag}`);
  }
}

/** @param {string} name @param {string} detail */
const dispatch = (name, detail) => document.dispatchEvent(new CustomEvent(name, { detail }));
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await settled();
};

beforeEach(async () => {
  [requests, page, log, registration] = [[], undefined, [], undefined];
  load(`<html lang="en"><div id="annulments-here"><p>before</p></div>`, {
    fetch: async (/** @type {string} */ url) => {
      requests.push(url);
      if (page === undefined) throw new TypeError("no connection");
      return new Response(page);
    },
    Notification: NotificationStub,
    navigator: { serviceWorker: { getRegistration: async () => registration } },
  });
  await run("waiting.js");
});

/** Returns the notice that is shown after the event, with `html` as the page of the games. @param {string} [html] */
async function shown(html) {
  page = html;
  document.dispatchEvent(new CustomEvent("rating_corrected", { detail: "{}" }));
  await settle();
  return document.getElementById("annulments-here")?.textContent;
}

test("the notice of another annulled match is fetched from the history page", async () => {
  assert.equal(await shown(), "before", "no answer");
  assert.equal(await shown("<p>nothing to tell</p>"), "before");
  const told = "An operator has annulled your game.";
  assert.equal(await shown(`<main><section class="annulments">${told}</section></main>`), told);
  assert.deepEqual(requests, ["/history", "/history", "/history"]);
});

test("of two pages that were asked for, the later is shown, however they arrive", async () => {
  /** @type {((response: Response) => void)[]} */
  const waiting = [];
  Object.assign(globalThis, { fetch: () => new Promise((answer) => waiting.push(answer)) });
  for (const _ of [1, 2]) document.dispatchEvent(new CustomEvent("rating_corrected", { detail: "{}" }));
  waiting[1](new Response(`<p class="annulments">both games</p>`));
  await settle();
  waiting[0](new Response(`<p class="annulments">one game</p>`));
  await settle();
  assert.equal(document.getElementById("annulments-here")?.textContent, "both games");
});

test("a notification is shown by the page, and closed by its tag", async () => {
  dispatch("notification", "challenge-1\nann challenges you\nDots");
  dispatch("notification:end", "challenge-2");
  dispatch("notification:end", "challenge-1");
  await settle();
  assert.deepEqual(log, ["ann challenges you: Dots", "closed challenge-1"]);
});

test("with a service worker, it shows the notifications", async () => {
  registration = {
    active: {},
    showNotification: async (/** @type {string} */ title) => void log.push(`worker: ${title}`),
    getNotifications: async (/** @type {{ tag: string }} */ { tag }) => [new NotificationStub("listed", { tag, body: "" })],
  };
  dispatch("notification", "challenge-1\nann challenges you\nDots");
  dispatch("notification:end", "challenge-1");
  await settle();
  assert.deepEqual(log, ["worker: ann challenges you", "listed: ", "closed challenge-1"]);
});

test("a refused notification does not prevent the next one", async () => {
  registration = {
    active: {},
    showNotification: async () => Promise.reject(new TypeError("no permission")),
    getNotifications: async () => [],
  };
  dispatch("notification", "challenge-1\nann\nDots");
  await settle();
  registration = undefined;
  dispatch("notification", "challenge-2\nbob\nDots");
  await settle();
  assert.deepEqual(log, ["bob: Dots"]);
});
