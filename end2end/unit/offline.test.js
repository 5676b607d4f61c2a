// @ts-check
/** `public/offline.js`, with a browser that registers nothing. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** Before a document brings its own. */
const NodeEvent = globalThis.Event;

class Worker extends EventTarget {
  postMessage(/** @type {string} */ message) {
    steps.push(message);
  }
}

class Registration extends EventTarget {
  /** @type {Worker | null} */
  waiting = null;
  /** @type {Worker | null} */
  installing = null;
}

/** @type {string[]} */
let steps;
/** @type {Registration} */
let registration;
/** Makes the service worker active. */
let activate = () => {};
/** The callbacks of the browser's idle time. @type {(() => void)[]} */
let idle;
/** The answer to the request of `/healthz`; without one there is no connection. @type {Response | null} */
let health;

beforeEach(() => {
  [steps, idle, health, registration] = [[], [], new Response("ok"), new Registration()];
});

/** @param {{ onLine?: boolean, supported?: boolean, refused?: boolean }} [options] */
async function open({ onLine = true, supported = true, refused = false } = {}) {
  const container = {
    ready: new Promise((resolve) => (activate = () => resolve(registration))),
    register: async (/** @type {string} */ url, /** @type {RegistrationOptions} */ { updateViaCache }) => {
      steps.push(`register ${url} ${updateViaCache}`);
      if (refused) throw new Error("not allowed");
      return registration;
    },
  };
  const requestIdleCallback = (/** @type {() => void} */ task) => idle.push(task);
  const window = load("<html>", {
    navigator: supported ? { onLine, serviceWorker: container } : { onLine },
    requestIdleCallback,
    fetch: async (/** @type {string} */ url) => {
      steps.push(`fetch ${url}`);
      if (!health) throw new TypeError("no connection");
      return health;
    },
  });
  Object.assign(window, { requestIdleCallback });
  await run("offline.js");
  await settled();
}

/** The page is loaded, and idle. */
async function rest() {
  if (document.readyState !== "complete") window.dispatchEvent(new Event("load"));
  for (const task of idle) task();
  await settled();
}

const isOffline = () => document.documentElement.dataset.offline === "";

test("the worker is registered when the page is loaded and idle", async () => {
  await open();
  assert.deepEqual(steps, ["fetch /healthz"]);
  await rest();
  assert.deepEqual(steps, ["fetch /healthz", "register /service_worker.js none"]);
});

test("where there is no service worker, or none is allowed, nothing happens", async () => {
  await open({ supported: false });
  await rest();
  assert.deepEqual(steps, ["fetch /healthz"]);
  await open({ refused: true });
  await rest();
  assert.equal(document.documentElement.dataset.offlineReady, undefined);
});

test("a worker that waits is asked to update", async () => {
  registration.waiting = new Worker();
  await open();
  await rest();
  assert.equal(steps.at(-1), "update");
});

test("a worker that is installed while the page is open is asked to update", async () => {
  await open();
  await rest();
  registration.installing = new Worker();
  registration.dispatchEvent(new NodeEvent("updatefound"));
  registration.waiting = registration.installing;
  registration.waiting.dispatchEvent(new NodeEvent("statechange"));
  assert.equal(steps.at(-1), "update");
});

test("the document has an attribute when it can be used offline", async () => {
  await open();
  let events = 0;
  document.addEventListener("offline:ready", () => (events += 1));
  assert.equal(document.documentElement.dataset.offlineReady, undefined);
  activate();
  await settled();
  assert.equal(document.documentElement.dataset.offlineReady, "");
  assert.equal(events, 1);
});

test("a page is online when the server answers", async () => {
  await open();
  assert(!isOffline());
});

test("a page is offline when the browser says so, without a request", async () => {
  await open({ onLine: false });
  assert(isOffline());
  assert.deepEqual(steps, []);
});

test("a page is offline when the server cannot be reached, or is away", async () => {
  for (health of [null, new Response("away", { status: 502 })]) {
    await open();
    assert(isOffline());
  }
});

test("offline and online events change the state of the page", async () => {
  await open();
  window.dispatchEvent(new Event("offline"));
  assert(isOffline());
  window.dispatchEvent(new Event("online"));
  assert(!isOffline());
});
