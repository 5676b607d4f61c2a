// @ts-check
/** `public/push.js`: a browser that can subscribe, and browsers that cannot. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run, settled } from "./page.js";

const KEY = "BAAB";
const TEXTS = { on: "is on", off: "is off", denied: "is denied", none: "has none", install: "install", failed: "failed" };

/** The requests to the server. @type {string[]} */
let sent;
/** @type {boolean} */
let isSubscribed;
/** The subscription of the browser. @type {ReturnType<typeof subscription> | undefined} */
let known;
let permission = "default";
let answer = "granted";
let status = 200;
/** The scripts that were registered as the service worker. @type {string[]} */
let registered;
/** The service worker that is being installed. @type {{ state: string } | null} */
let installing;

/** @param {number[]} key */
const subscription = (key) => ({
  endpoint: "https://push.test/a",
  options: { applicationServerKey: new Uint8Array(key).buffer },
  getKey: (/** @type {string} */ name) => new Uint8Array(name === "auth" ? [255, 254] : [4, 0]).buffer,
  unsubscribe: async () => void (known = undefined),
});

const pushManager = {
  getSubscription: async () => known,
  subscribe: async (/** @type {{ userVisibleOnly: boolean, applicationServerKey: string }} */ options) => {
    assert.deepEqual(options, { userVisibleOnly: true, applicationServerKey: KEY });
    return (known = subscription([4, 0, 1]));
  },
};

/** @param {string} address @param {{ body?: URLSearchParams }} [options] */
const fetch = async (address, options) => {
  sent.push(options?.body ? `${address} ${options.body}` : address);
  return new Response(JSON.stringify({ key: KEY, subscribed: isSubscribed }), { status });
};

/** Loads the account page in a browser. @param {Record<string, unknown>} [differs] */
async function open(differs = {}) {
  const data = Object.entries(TEXTS).map(([name, text]) => `data-${name}="${text}"`);
  const registration = { pushManager };
  const serviceWorker = {
    // Of a worker that cannot be installed there is never one that is ready.
    ready: installing ? new Promise(() => {}) : Promise.resolve(registration),
    getRegistration: async () => (known ? registration : undefined),
    register: async (/** @type {string} */ script) => {
      registered.push(script);
      return { installing };
    },
  };
  const Notification = { get permission() { return permission; }, requestPermission: async () => (permission = answer) };
  const window = load(
    `<html lang="cs"><div id="push" data-key="${KEY}" ${data.join(" ")}><p role="status"></p>
      <button hidden data-act="on"></button><button hidden data-act="off"></button></div>`,
    { fetch, navigator: { serviceWorker }, Notification, ...differs },
  );
  if (!("window" in differs)) Object.assign(window, { PushManager: {}, Notification });
  await run("push.js");
  await rest();
}

async function rest() {
  for (let turn = 0; turn < 8; turn += 1) await settled();
}

/** @param {string} act */
const button = (act) => /** @type {HTMLButtonElement} */ (document.querySelector(`[data-act=${act}]`));
const said = () => document.querySelector("[role=status]")?.textContent;

/** The sentence, and the buttons that are there. */
const shown = () => [said(), ...["on", "off"].filter((act) => !button(act).hidden)];

/** @param {string} act */
async function press(act) {
  button(act).click();
  await rest();
}

test.beforeEach(() => {
  [sent, isSubscribed, known, permission, answer, status] = [[], false, undefined, "default", "granted", 200];
  [registered, installing] = [[], null];
});

test("nothing is asked before the press, and a press subscribes", async () => {
  await open();
  assert.deepEqual(shown(), ["is off", "on"]);
  assert.equal(permission, "default");
  assert.deepEqual([sent, registered], [[], []]);
  await press("on");
  assert.deepEqual(shown(), ["is on", "off"]);
  assert.deepEqual(registered, ["/service_worker.js"], "no other page may have done so");
  assert.deepEqual(sent, ["/api/subscribe_push endpoint=https%3A%2F%2Fpush.test%2Fa&p256dh=BAA&auth=__4&language=cs"]);
  await press("off");
  assert.deepEqual(shown(), ["is off", "on"]);
  assert.equal(known, undefined);
  assert.equal(sent[1], "/api/unsubscribe_push endpoint=https%3A%2F%2Fpush.test%2Fa");
});

test("a subscription of a session that has ended, or of another server, is none", async () => {
  known = subscription([4, 0, 1]);
  await open();
  assert.deepEqual(shown(), ["is off", "on"], "of another session");
  isSubscribed = true;
  await open();
  assert.deepEqual(shown(), ["is on", "off"]);
  known = subscription([4, 0, 2]);
  await open();
  assert.deepEqual(shown(), ["is off", "on"], "of another server");
  await press("on");
  assert.deepEqual(shown(), ["is on", "off"]);
});

test("a refusal is said", async () => {
  await open();
  answer = "denied";
  await press("on");
  assert.deepEqual(shown(), ["is denied"]);
  assert.deepEqual(sent, []);
  await open();
  assert.deepEqual(shown(), ["is denied"], "without asking again");
  [permission, answer, status] = ["default", "granted", 503];
  await open();
  await press("on");
  assert.deepEqual(shown(), ["failed", "on"]);
});

test("a service worker that cannot be installed is said, and the button can be pressed again", async () => {
  let changed = () => {};
  const worker = { state: "installing", addEventListener: (/** @type {string} */ _, /** @type {() => void} */ told) => void (changed = told) };
  installing = worker;
  await open();
  await press("on");
  assert.equal(button("on").disabled, true, "it is being installed");
  worker.state = "redundant";
  changed();
  await rest();
  assert.deepEqual(shown(), ["failed", "on"]);
  assert.equal(button("on").disabled, false);
});

test("a browser without pushes says so, and one that wants the site installed says that", async () => {
  await open({ window: {}, navigator: {} });
  assert.deepEqual(shown(), ["has none"]);
  await open({ window: {}, navigator: { standalone: false, serviceWorker: {} } });
  assert.deepEqual(shown(), ["install"]);
});
