// @ts-check
/** `public/new_release.js`: the notice of a new release, and the time at which a page is loaded again by itself. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { load, run, settled } from "./page.js";

const STATUS = `<div id="new-release" role="status" data-release="1a" data-script="/new_release.js"><template>
  <p class="notice">A new version is available. <button type="button">Reload</button></p></template></div>`;
const ENDED = `<section class="card result"></section>`;

let [now, reloads, isServerThere] = [0, 0, true];
/** The storage of the tab, or `null` where the browser forbids that. @type {Map<string, string> | null} */
let kept;
/** The function that the script calls at times. */
let check = () => {};

/** Opens a page on which the script is loaded, half a minute later. @param {string} path @param {string} parts */
async function open(path, parts = "", { hidden = false, audible = false, storage = /** @type {typeof kept} */ (new Map()) } = {}) {
  [now, reloads, isServerThere, kept] = [1_000_000, 0, true, storage];
  const storageStub = {
    getItem: (/** @type {string} */ key) => {
      if (!kept) throw new Error("not allowed");
      return kept.get(key) ?? null;
    },
    setItem: (/** @type {string} */ key, /** @type {string} */ value) => kept?.set(key, value),
  };
  load(`<html lang="en" data-sound="on">${parts}${STATUS}</html>`, {
    location: { pathname: path, reload: () => (reloads += 1) },
    navigator: { userActivation: { hasBeenActive: audible } },
    sessionStorage: storageStub,
    fetch: async () => {
      if (!isServerThere) throw new TypeError("no connection");
      return new Response("ok");
    },
    setInterval: (/** @type {() => void} */ task) => (check = task),
  });
  Object.defineProperty(document, "hidden", { value: hidden, configurable: true });
  mock.method(Date, "now", () => now);
  mock.method(Math, "random", () => 0.999);
  await run("new_release.js");
  await settled();
  assert.equal(reloads, 0, "not at once, with all other pages");
  now += 30_000;
}

/** Lets the script look at the page, and returns the number of reloads so far. */
async function look() {
  check();
  for (let turn = 0; turn < 3; turn += 1) await settled();
  return reloads;
}

/** @param {string} selector */
const find = (selector) => /** @type {any} */ (document.querySelector(selector));

test("the new release is announced with a reload button", async () => {
  await open("/play");
  assert.match(find("#new-release > p").textContent, /^A new version is available\. Reload$/);
  assert.equal(find("#new-release").style.position, "sticky");
  find("#new-release button").dispatchEvent(new Event("click"));
  assert.equal(reloads, 1);
});

test("a hidden waiting room is reloaded, unless it can play sounds", async () => {
  await open("/play");
  assert.equal(await look(), 0, "in sight");
  await open("/play", "", { hidden: true });
  assert.equal(await look(), 1);
  await open("/play", "", { hidden: true, audible: true });
  assert.equal(await look(), 0);
  document.documentElement.dataset.sound = "off";
  assert.equal(await look(), 1);
});

test("neither a running match nor an open table is reloaded, hidden or not", async () => {
  for (const path of ["/match/7", "/t/abc", "/computer/game", "/analysis", "/account"]) {
    for (const hidden of [false, true]) {
      await open(path, "", { hidden });
      assert.equal(await look(), 0, path);
    }
  }
});

test("the notice covers nothing during a match", async () => {
  await open("/match/7");
  assert.equal(find("#new-release").style.position, "static");
  document.body.insertAdjacentHTML("afterbegin", ENDED);
  await look();
  assert.equal(find("#new-release").style.position, "sticky");
});

test("the page of a finished match is reloaded when the visitor is idle", async () => {
  await open("/match/7", ENDED);
  for (const name of ["pointerdown", "keydown", "wheel"]) {
    document.dispatchEvent(new Event(name));
    now += 9_999;
    assert.equal(await look(), 0, name);
  }
  now += 1;
  assert.equal(await look(), 1);
  await open("/match/7", `<div class="in-past">${ENDED}</div>`, { hidden: true });
  assert.equal(await look(), 0, "at an earlier position");
});

test("a page with changed form fields is not reloaded", async () => {
  const fields = `
    <input name="text"><textarea name="why">because</textarea><input type="checkbox" name="rated" checked>
    <select name="clock"><option>none</option><option>300+5</option></select>
    <select name="game"><option>dots</option><option selected>boxes</option></select>`;
  for (const change of [
    () => (find("[name=text]").value = "hello"),
    () => (find("[name=why]").value = ""),
    () => (find("[name=rated]").checked = false),
    () => (find("[name=clock]").selectedIndex = 1),
    () => (find("[name=game]").selectedIndex = 0),
  ]) {
    await open("/play", fields, { hidden: true });
    change();
    assert.equal(await look(), 0, `${change}`);
  }
  await open("/play", fields, { hidden: true });
  assert.equal(await look(), 1);
});

test("the move slider, which follows the match, does not prevent a reload", async () => {
  await open("/match/5", `${ENDED}<input type="range" name="ply" max="3" value="0">`, { hidden: true });
  find("[name=ply]").value = "3";
  assert.equal(await look(), 1);
});

test("a page with an open dialog is not reloaded", async () => {
  await open("/play", "<dialog open></dialog>", { hidden: true });
  assert.equal(await look(), 0);
  find("dialog").remove();
  assert.equal(await look(), 1);
});

test("a page is not reloaded twice within ten minutes, nor without session storage", async () => {
  await open("/play", "", { hidden: true });
  assert.equal(await look(), 1);
  const storage = kept;
  await open("/play", "", { hidden: true, storage });
  assert.equal(await look(), 0);
  now += 600_000;
  assert.equal(await look(), 1);
  await open("/play", "", { hidden: true, storage: null });
  assert.equal(await look(), 0);
});

test("a page is not reloaded while the server does not answer", async () => {
  await open("/play", "", { hidden: true });
  isServerThere = false;
  assert.equal(await look(), 0);
  isServerThere = true;
  assert.equal(await look(), 1);
});
