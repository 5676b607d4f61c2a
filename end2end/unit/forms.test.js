// @ts-check
/** `public/forms.js`, with a part of the form that `crates/pages/src/ui/page/settings_form.rs` renders. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, runClassic, settled } from "./page.js";

const PAGE = `<html data-theme="night">
  <form class="settings-form" action="/api/change_settings">
    <select name="theme"><option value="system"></option><option value="day"></option><option value="night" selected></option></select>
    <input type="checkbox" role="switch" name="sound" value="on" checked />
    <select name="language"><option value="browser"></option><option value="ru"></option></select>
    <p role="status" data-saved="Saved"></p>
  </form>`;

/** @type {string[]} */
let requests;
/** The messages to the service worker. @type {string[]} */
let messages;
let reloads = 0;
let address = "";
/** The status of the next response; without one there is none. @type {number | undefined} */
let status;
/** The promise that the responses wait for. */
let ready = Promise.resolve();

beforeEach(() => {
  [requests, messages, reloads, status, ready] = [[], [], 0, 200, Promise.resolve()];
  address = "http://tochki.test/play?game=dots";
  load(PAGE, {
    location: {
      get href() {
        return address;
      },
      reload: () => (reloads += 1),
      replace: (/** @type {URL} */ url) => (address = url.href),
    },
    navigator: { serviceWorker: { controller: { postMessage: (/** @type {string} */ message) => messages.push(message) } } },
    fetch: async (/** @type {string} */ url, /** @type {RequestInit} */ { body }) => {
      requests.push(`${new URL(url).pathname} ${body}`);
      await ready;
      if (!status) throw new TypeError("no connection");
      return new Response(null, { status });
    },
  });
  runClassic("forms.js");
});

/** @param {string} name @param {string} value */
async function choose(name, value) {
  const select = /** @type {HTMLSelectElement} */ (document.querySelector(`[name=${name}]`));
  select.value = value;
  select.dispatchEvent(new Event("change", { bubbles: true }));
  await settled();
}

const note = () => document.querySelector("[role=status]")?.textContent;

test("a choice takes effect at once and is saved", async () => {
  await choose("theme", "day");
  assert.equal(document.documentElement.dataset.theme, "day");
  assert.deepEqual(requests, ["/api/change_settings theme=day"]);
  assert.equal(note(), "Saved");
  assert.deepEqual(messages, ["refresh"], "pages kept for use offline get the theme, too");
  assert.equal(reloads, 0);
});

test("choices are saved one after the other, in the order in which they were made", async () => {
  let answer = () => {};
  ready = new Promise((resolve) => (answer = resolve));
  await choose("theme", "day");
  await choose("theme", "system");
  assert.deepEqual(requests, ["/api/change_settings theme=day"], "the next one might overtake it");
  answer();
  for (let turn = 0; turn < 3; turn += 1) await settled();
  assert.deepEqual(requests.slice(1), ["/api/change_settings theme=system"]);
});

test("a switch is on or off", async () => {
  const sound = /** @type {HTMLInputElement} */ (document.querySelector("[name=sound]"));
  for (const state of ["off", "on"]) {
    sound.click();
    await settled();
    assert.equal(document.documentElement.dataset.sound, state);
  }
  assert.deepEqual(requests, ["/api/change_settings sound=off", "/api/change_settings sound=on"]);
});

test("a setting that could not be saved takes effect on this page, and is not reported as saved", async () => {
  for (status of [500, undefined]) {
    await choose("theme", "day");
    assert.equal(document.documentElement.dataset.theme, "day");
    assert.equal(note(), "");
    assert.deepEqual(messages, []);
  }
});

test("another language reloads the page once it is saved", async () => {
  status = 500;
  await choose("language", "ru");
  assert.equal(reloads, 0);
  status = 200;
  await choose("language", "ru");
  assert.equal(reloads, 1);
});

test("another language than that of the address goes to the address without it", async () => {
  address = "http://tochki.test/play?game=dots&lang=cs";
  await choose("language", "ru");
  assert.equal(address, "http://tochki.test/play?game=dots");
  assert.equal(reloads, 0);
});

test("who is signed out has no badge, and whoever has no connection keeps it", () => {
  /** @type {string[]} */
  const cleared = [];
  for (const [part, onLine] of /** @type {const} */ ([["", true], ["", false], ['<a class="bell"></a>', true]])) {
    load(`<main>${part}</main>`, { navigator: { onLine, clearAppBadge: async () => void cleared.push(`${part} ${onLine}`) } });
    runClassic("forms.js");
  }
  assert.deepEqual(cleared, [" true"]);
});
