// @ts-check
/** `public/start_check.js` with `public/fallback.js`, which makes a page one without scripts when its code does not start or breaks. */
import assert from "node:assert/strict";
import { mock, test } from "node:test";
import { load, runClassic } from "./page.js";

const PAGE = `<style>@media (scripting: none) { .with { display: none } } @media not (scripting: none) { .without { display: none } }</style>
  <p id="fallback" hidden data-panic="Broken." data-not_started="Not started."><span></span><a href="">Reload</a></p>
  <form><button></button><input></form>
  <noscript>&lt;meta http-equiv="refresh" content="5;url=/match/7">&lt;p id="plain">Without scripts&lt;/p></noscript>`;

/** The reports to the server. @type {string[]} */
let reports;
/** The addresses that the page was sent to, and its requests. @type {string[]} */
let visits;
let clicks = 0;

/** @param {Record<string, unknown>} [globals] */
function open(globals = {}) {
  mock.timers.reset();
  mock.timers.enable({ apis: ["setTimeout", "setInterval"] });
  [reports, visits, clicks] = [[], [], 0];
  const window = load(PAGE, {
    location: { pathname: "/match/7", href: "/match/7", assign: (/** @type {string} */ to) => visits.push(`to ${to}`) },
    navigator: { sendBeacon: (/** @type {string} */ to, /** @type {URLSearchParams} */ body) => reports.push(`${to} ${body}`) },
    fetch: async (/** @type {string} */ to) => void visits.push(`fetch ${to}`),
    console: { error: () => {} },
  });
  const global = /** @type {any} */ (window);
  Object.assign(global, { WebAssembly, fetch: () => {} }, globals);
  Object.assign(globalThis, { addEventListener: window.addEventListener.bind(window) });
  find("button").addEventListener("click", () => (clicks += 1));
  Object.defineProperty(document, "readyState", { value: "complete" });
  Object.defineProperty(document, "currentScript", { value: { getAttribute: () => "/fallback.js" } });
  // The script that is loaded runs at once.
  document.head.appendChild = (node) => {
    assert.match(/** @type {any} */ (node).src, /\/fallback\.js$/);
    runClassic("fallback.js");
    return node;
  };
  runClassic("start_check.js");
  return /** @type {{ fail(kind: string, message: unknown): void, started(): void }} */ (/** @type {any} */ (globalThis).fallback);
}

/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const line = () => (find("#fallback").hidden ? null : find("#fallback span").textContent);
const media = () => [...document.styleSheets[0].cssRules].map((rule) => /** @type {CSSMediaRule} */ (rule).media.mediaText);
const click = () => find("button").dispatchEvent(new Event("click", { bubbles: true, cancelable: true }));

test("a page whose code starts in time stays as it is", () => {
  const fallback = open();
  fallback.started();
  mock.timers.tick(20_000);
  click();
  assert.deepEqual([line(), reports, clicks, document.querySelector("#plain")], [null, [], 1, null]);
});

test("a page whose code does not start becomes one without scripts", () => {
  open();
  mock.timers.tick(9_999);
  assert.equal(line(), null);
  mock.timers.tick(1);
  assert.equal(line(), "Not started.");
  assert.ok(document.querySelector("#plain"));
  assert.deepEqual(media(), ["(min-width: 0px)", "not (min-width: 0px)"]);
  assert.deepEqual([click(), clicks], [true, 0], "the browser does what it does without handlers");
  assert.match(reports.join(), /^\/api\/report_failure kind=not_started&page=match&message=no\+start\+in\+time$/);
  mock.timers.tick(5_000);
  assert.deepEqual(visits, ["to /match/7"]);
});

test("the page is not loaded again while a field is in use, but still counts as presence", () => {
  open();
  mock.timers.tick(10_000);
  const field = /** @type {HTMLInputElement} */ (find("input"));
  field.value = "12,7";
  field.focus();
  mock.timers.tick(5_000);
  assert.deepEqual(visits, ["fetch /match/7"]);
});

test("a browser without WebAssembly need not wait", () => {
  open({ WebAssembly: undefined });
  assert.equal(line(), "Not started.");
});

test("code that starts late takes its page back", () => {
  const fallback = open();
  mock.timers.tick(10_000);
  fallback.started();
  mock.timers.tick(20_000);
  click();
  assert.deepEqual([line(), visits, clicks, document.querySelector("#plain")], [null, [], 1, null]);
  assert.deepEqual(media(), ["(scripting: none)", "not (scripting: none)"]);
});

test("a panic is reported with what called, and in characters that print", () => {
  const fallback = open();
  fallback.fail("panic", "panicked at \0\0\0:12:5:\n\0\0 at https://a.example/pkg/tochki.abc.wasm:wasm-function[12]:0x1f");
  const said = new URLSearchParams(reports[0].split(" ")[1]).get("message");
  assert.match(said ?? "", /^panicked at :12:5: at tochki\.abc\.wasm:\[12\]:0x1f Error .*fallback\.test\.js:\d+/);
});

test("a report does not have the address of the page", () => {
  const fallback = open();
  fallback.fail("panic", "at go (https://a.example:3000/t/secret:12:5) at https://a.example/pkg/tochki.abc.js?v=1:2:3");
  const said = new URLSearchParams(reports[0].split(" ")[1]).get("message");
  assert.match(said ?? "", /^at go \(page\) at tochki\.abc\.js\?v=1:2:3 /);
});

test("a panic stops the timers, and is final", () => {
  const fallback = open();
  fallback.started();
  fallback.fail("panic", `panicked at ${"x".repeat(1000)}`);
  fallback.fail("panic", "again");
  fallback.started();
  click();
  assert.deepEqual([line(), clicks, reports.length], ["Broken.", 0, 1]);
  assert.ok(reports[0].length < 600, "the message is short");
});
