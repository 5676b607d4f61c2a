// @ts-check
/** `public/own_games.js`: the page of a player's games is loaded again when one of them has changed. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run } from "./page.js";

let reloads = 0;
let pressed = 0;
let hidden = false;
/** @type {EventTarget} */
let stream;

beforeEach(async () => {
  [reloads, pressed, hidden] = [0, 0, false];
  load(`<html lang="en"><script id="own-games" data-on-turn="3 5" data-turns="2"></script><a class="bell" data-unread="2"></a><input /><a id="next-game" href="#">Next</a>`, {
    location: { reload: () => (reloads += 1) },
    TopicStream: function TopicStream() {
      return (stream = document.createElement("i"));
    },
  });
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  document.getElementById("next-game")?.addEventListener("click", () => (pressed += 1));
  await run("own_games.js");
});

/** @param {string} name @param {object} data */
const tell = (name, data) => stream.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));

test("a game that is on turn now, or no more among them, loads the page again", () => {
  tell("your_move", { match: 5 });
  assert.equal(reloads, 0, "the page shows it");
  tell("your_move", { match: 7 });
  assert.equal(reloads, 1);
  tell("match_finished", { match: 3 });
  assert.equal(reloads, 2);
  tell("notified", { unread: 2 });
  tell("notified", { unread: 1 });
  assert.equal(reloads, 2, "nothing new");
  tell("notified", { unread: 2 });
  assert.equal(reloads, 3);
});

test("a game that is on turn no more loads the page again, without a notification", () => {
  tell("notified", { unread: 2, on_turn: 2 });
  assert.equal(reloads, 0, "the page shows it");
  tell("notified", { unread: 2, on_turn: 1 });
  assert.equal(reloads, 1);
  tell("notified", { unread: 2, on_turn: 1 });
  assert.equal(reloads, 1);
});

test("a page that nobody sees is loaded again when its reader comes back", () => {
  hidden = true;
  tell("match_started", { match: 9 });
  assert.equal(reloads, 0);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  assert.equal(reloads, 1);
});

test("the key N leads to the next game, but not while somebody types", () => {
  const press = (/** @type {Element} */ target) =>
    target.dispatchEvent(Object.assign(new Event("keydown", { bubbles: true }), { key: "n" }));
  press(document.body);
  assert.equal(pressed, 1);
  press(/** @type {Element} */ (document.querySelector("input")));
  assert.equal(pressed, 1);
});

test("the key N is found by its place where a layout has no Latin letters", () => {
  const press = (/** @type {string} */ key, /** @type {string} */ code) =>
    document.body.dispatchEvent(Object.assign(new Event("keydown", { bubbles: true }), { key, code }));
  press("т", "KeyN");
  assert.equal(pressed, 1);
  press("n", "KeyL");
  assert.equal(pressed, 2, "on a layout with other places");
  press("т", "KeyY");
  press("b", "KeyN");
  press("Dead", "");
  assert.equal(pressed, 2);
});
