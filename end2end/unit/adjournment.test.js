// @ts-check
/** `public/adjournment.js`: the state of an adjourned match follows the time at which it goes on live. */
import assert from "node:assert/strict";
import { afterEach, beforeEach, mock, test } from "node:test";
import { load, run, settled } from "./page.js";

let hidden = false;
/** The pages of the server, in their order; `undefined` is no connection. @type {(string | undefined)[]} */
let answers = [];
let asked = 0;

/** @param {string} state @param {number} [ms] */
const page = (state, ms) => `<main><div id="adjournment"${ms ? ` data-renew-ms="${ms}"` : ""}>${state}</div></main>`;
const shown = () => document.getElementById("adjournment")?.innerHTML;
/** @param {number} ms */
const pass = async (ms) => {
  mock.timers.tick(ms);
  for (let turn = 0; turn < 10; turn += 1) await settled();
};

beforeEach(async () => {
  hidden = false;
  answers = [];
  asked = 0;
  mock.timers.enable({ apis: ["setTimeout"] });
  load(page("<p>later</p>", 60_000), {
    fetch: async () => {
      asked += 1;
      const html = answers.shift();
      if (html === undefined) throw new TypeError("offline");
      return new Response(html);
    },
  });
  Object.defineProperty(document, "hidden", { get: () => hidden, configurable: true });
  await run("adjournment.js");
});
afterEach(() => mock.timers.reset());

test("its players can come once the time has come, and no longer when it is over", async () => {
  answers = [page("<button>I am here</button>", 10_000), page("<button>I am here</button>", 10_000), page("<p>by correspondence</p>")];
  await pass(59_000);
  assert.equal(asked, 0);
  await pass(1_000);
  assert.equal(shown(), "<button>I am here</button>");
  const button = /** @type {HTMLElement} */ (document.querySelector("button"));
  button.focus();
  await pass(10_000);
  assert.equal(asked, 2);
  assert.equal(document.activeElement, button, "nothing has changed");
  await pass(10_000);
  assert.equal(shown(), "<p>by correspondence</p>");
  await pass(600_000);
  assert.equal(asked, 3);
});

test("a button that is renewed keeps the focus", async () => {
  answers = [page("<button>I am here</button>", 10_000), page("<p>Noted.</p><button>I am here</button>", 10_000)];
  await pass(60_000);
  /** @type {HTMLElement} */ (document.querySelector("button")).focus();
  await pass(10_000);
  assert.equal(document.activeElement, document.querySelector("button"));
  assert.match(String(shown()), /Noted/);
});

test("without an answer it is asked for again", async () => {
  answers = [undefined, page("<button>I am here</button>", 10_000)];
  await pass(60_000);
  assert.equal(shown(), "<p>later</p>");
  await pass(10_000);
  assert.equal(shown(), "<button>I am here</button>");
});

test("a page that nobody sees is renewed when its reader comes back", async () => {
  answers = [page("<button>I am here</button>", 10_000)];
  hidden = true;
  await pass(60_000);
  assert.equal(asked, 0);
  hidden = false;
  document.dispatchEvent(new Event("visibilitychange"));
  await pass(0);
  assert.equal(shown(), "<button>I am here</button>");
});
