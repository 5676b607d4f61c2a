// @ts-check
/** `public/challenged.js`: challenges to a player whose finished match is still open. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, run, settled } from "./page.js";

/** The cards that the server renders. @type {string} */
let cards = "";
/** The sounds, and the requests that are told of in other tabs. @type {string[]} */
let told = [];
/** @type {EventTarget} */
let stream;

/** @param {number} id @param {string} name @param {number} seconds */
const card = (id, name, seconds) =>
  `<form class="call"><p class="prompt">${name} challenges you.</p><span class="countdown">${seconds}</span>` +
  `<input name="id" value="${id}"><button>Accept</button></form>`;
const here = () => /** @type {HTMLElement} */ (document.getElementById("challenges-here"));
const shown = () => [...here().querySelectorAll(".prompt")].map((prompt) => prompt.textContent?.split(" ")[0]);
const settle = async () => {
  for (let turn = 0; turn < 10; turn += 1) await settled();
};

/** @param {string} name @param {object} [data] */
const tell = async (name, data = {}) => {
  stream.dispatchEvent(Object.assign(new Event(name), { data: JSON.stringify(data) }));
  await settle();
};

beforeEach(async () => {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setInterval"] });
  [cards, told] = ["", []];
  load(`<html lang="en"><section id="challenges-here" data-heading="New challenge"></section>`, {
    fetch: async (/** @type {string} */ path) => new Response(`<main>${path}<section id="challenges-here">${cards}</section></main>`),
    location: { pathname: "/match/7" },
    setInterval,
    TopicStream: function TopicStream() {
      return (stream = document.createElement("i"));
    },
  });
  document.addEventListener("sound:call", () => told.push("call"));
  document.addEventListener("asked", (event) => told.push(/** @type {CustomEvent<string>} */ (event).detail));
  await run("challenged.js");
  told = [];
});

test("a challenge is shown and told once, and goes when it has ended", async () => {
  cards = card(3, "Ann", 15);
  await tell("challenged");
  assert.deepEqual(shown(), ["Ann"]);
  assert.deepEqual(told, ["call", "New challenge\nAnn challenges you."]);
  const button = here().querySelector("button");
  cards = card(3, "Ann", 12) + card(4, "Bob", 15);
  await tell("challenged");
  assert.deepEqual(shown(), ["Ann", "Bob"]);
  assert.equal(here().querySelector("button"), button, "a card that is there keeps the focus");
  assert.deepEqual(told.slice(2), ["call", "New challenge\nBob challenges you."]);
  cards = "";
  await tell("challenge_closed");
  assert.deepEqual(shown(), []);
  assert.deepEqual(told.slice(4), [""]);
});

test("what else is asked for stays, where no challenge was told of", async () => {
  await run("challenged.js");
  await tell("challenge_closed");
  assert.deepEqual(told, []);
});

test("a card counts down, and goes at its end", async () => {
  cards = card(3, "Ann", 2);
  await tell("challenged");
  mock.timers.tick(1000);
  assert.equal(here().querySelector(".countdown")?.textContent, "1");
  mock.timers.tick(1000);
  assert.deepEqual(shown(), []);
});

test("a stream that opens asks for the cards only where there is a challenge", async () => {
  cards = card(3, "Ann", 15);
  await tell("snapshot", { challenges: [] });
  assert.deepEqual(shown(), []);
  await tell("snapshot", { challenges: [{ id: 3 }] });
  assert.deepEqual(shown(), ["Ann"]);
});
