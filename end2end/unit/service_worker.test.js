// @ts-check
/** `public/service_worker.js`, with a server, caches and windows that are lists. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { beforeEach, test } from "node:test";
import vm from "node:vm";
import { settled } from "./page.js";

const script = new vm.Script(readFileSync(new URL("../../public/service_worker.js", import.meta.url), "utf8"));
const ORIGIN = "http://tochki.test";

const RELEASE = {
  version: "v1",
  pages: ["/computer", "/computer/game", "/rules"],
  files: ["/pkg/tochki.1.js", "/board.js?v=1", "/engines/dots.js?v=1", "/icon.svg"],
};

/** @typedef {{ url: string, mode: string, method: string, destination: string }} FakeRequest */

/** The contents of the caches, by name and address. @type {Map<string, Map<string, Response>>} */
let stored;
/** The requests to the server, with the options of the worker. @type {string[]} */
let fetched;
/** Responses in place of the usual ones; an error is that of the network. @type {Record<string, () => unknown>} */
let server;
/** The release that the server says it is. */
let release = "v1";
/** @type {string[]} */
let windows;
/** @type {string[]} */
let steps;
/** The registration: its other workers, notifications and subscriptions. @type {Record<string, any>} */
let registration;
/** @type {Map<string, (event: any) => void>} */
let listeners;
/** What requests wait for beside their responses. @type {Promise<unknown>[]} */
let waited = [];
/** The timers that run. @type {Map<number, { ms: number, task: () => void }>} */
let timers;

const caches = {
  has: async (/** @type {string} */ name) => stored.has(name),
  keys: async () => [...stored.keys()],
  delete: async (/** @type {string} */ name) => stored.delete(name),
  open: async (/** @type {string} */ name) => {
    const cache = stored.get(name) ?? new Map();
    stored.set(name, cache);
    return {
      put: async (/** @type {string} */ address, /** @type {Response} */ response) => void cache.set(address, response),
      match: async (/** @type {string} */ address) => cache.get(address)?.clone(),
    };
  },
};

/** @param {string | FakeRequest} request @param {RequestInit} [options] */
async function fetch(request, options) {
  const address = typeof request === "string" ? request : request.url.slice(ORIGIN.length);
  if (options?.method) fetched.push(`${address} ${options.body}`);
  else fetched.push(options ? `${address} ${options.credentials} ${options.cache}` : address);
  await settled();
  if (address in server) return server[address]();
  return answer(address);
}

/** @param {string} body @param {number} [status] */
const answer = (body, status = 200) => new Response(body, { status, headers: { "x-release": release } });
const offline = () => Promise.reject(new TypeError("no connection"));
/** A server that does not answer. */
const silent = () => new Promise(() => {});

/** Runs the script, as the browser does for each worker. */
function start(version = "v1") {
  listeners = new Map();
  const self = {
    registration,
    skipWaiting: async () => void steps.push("skip waiting"),
    clients: {
      claim: async () => void steps.push("claim"),
      matchAll: async (/** @type {object} */ options) => {
        assert.deepEqual({ ...options }, { type: "window", includeUncontrolled: true });
        return windows.map((path) => ({ url: ORIGIN + path, focus: async () => void steps.push(`focus ${path}`) }));
      },
      openWindow: async (/** @type {string} */ path) => void steps.push(`open ${path}`),
    },
    addEventListener: (/** @type {string} */ name, /** @type {() => void} */ listener) => listeners.set(name, listener),
    importScripts: (/** @type {string} */ address) => {
      assert.equal(address, "/release.js");
      self.RELEASE = { ...RELEASE, version };
    },
    RELEASE: /** @type {unknown} */ (undefined),
  };
  const setTimeout = (/** @type {() => void} */ task, /** @type {number} */ ms, /** @type {unknown[]} */ ...args) => {
    const id = timers.size + 1;
    timers.set(id, { ms, task: task.bind(null, ...args) });
    return id;
  };
  const clearTimeout = (/** @type {number} */ id) => timers.delete(id);
  const location = new URL(`${ORIGIN}/service_worker.js`);
  const setAppBadge = async (/** @type {number} */ count) => void steps.push(`badge ${count}`);
  const clearAppBadge = async () => void steps.push("badge none");
  const navigator = { language: "cs", setAppBadge, clearAppBadge };
  script.runInNewContext({
    self, caches, fetch, Response, URL, URLSearchParams, location, navigator, setTimeout, clearTimeout,
  });
}

/** Sends an event and waits for what it waits for. @param {string} name @param {object} [fields] */
async function send(name, fields) {
  /** @type {Promise<unknown>[]} */
  const promises = [];
  listeners.get(name)?.({ ...fields, waitUntil: (/** @type {Promise<unknown>} */ promise) => promises.push(promise) });
  await Promise.all(promises);
}

/**
 * Requests an address: the worker's response, or null if it is left to the browser.
 *
 * @param {string} address
 * @param {Partial<FakeRequest>} [fields]
 * @returns {Promise<Response> | null}
 */
function request(address, fields) {
  const url = address.startsWith("http") ? address : ORIGIN + address;
  /** @type {Promise<Response> | null} */
  let response = null;
  listeners.get("fetch")?.({
    request: { url, mode: "cors", method: "GET", destination: "script", ...fields },
    waitUntil: (/** @type {Promise<unknown>} */ promise) => waited.push(promise),
    respondWith: (/** @type {Promise<Response>} */ promise) => (response = promise),
  });
  return response;
}

/** Navigates to an address: status and content of the answer. @param {string} address */
async function navigate(address) {
  const response = await request(address, { mode: "navigate", destination: "document" });
  assert(response, `${address} is left to the browser`);
  return `${response.status} ${response.headers.get("location") ?? (await response.text())}`;
}

/** Fetches a file: its content. @param {string} address */
async function get(address) {
  const response = await request(address);
  assert(response, `${address} is left to the browser`);
  return response.text();
}

const addresses = (name = "tochki-v1") => [...(stored.get(name)?.keys() ?? [])].sort();
const everything = [...RELEASE.files, ...RELEASE.pages].sort();

beforeEach(() => {
  [stored, fetched, server, release, windows, steps, timers] = [new Map(), [], {}, "v1", [], [], new Map()];
  registration = {};
  waited = [];
  start();
});

/** Installs the worker; from then on, `server` answers with what differs from the cache. */
async function installed() {
  await send("install");
  fetched = [];
}

test("installation stores the files and then the pages, without the account", async () => {
  await send("install");
  assert.deepEqual(addresses(), everything);
  assert.deepEqual(fetched, [
    ...RELEASE.files,
    ...RELEASE.pages.map((page) => `${page}?offline=1 same-origin no-store`),
  ]);
  assert.deepEqual(steps, [], "it waits until a page asks for the update");
});

test("one failure fails the installation, and nothing is left of it", async () => {
  const redirected = () => Object.defineProperty(answer("another page"), "redirected", { value: true });
  for (const address of ["/board.js?v=1", "/rules?offline=1"]) {
    for (const response of [offline, redirected, () => answer("", 404), () => answer("", 500)]) {
      server = { [address]: response };
      await assert.rejects(send("install"));
      assert.deepEqual([...stored.keys()], []);
    }
  }
});

test("a page of another release fails the installation, and so does one that does not say", async () => {
  for (const response of [new Response("page", { headers: { "x-release": "v2" } }), new Response("page")]) {
    server = { "/rules?offline=1": () => response };
    await assert.rejects(send("install"), /of release (v2|null), not v1/);
    assert.deepEqual([...stored.keys()], []);
  }
});

test("a failed installation leaves the caches that are in use", async () => {
  await installed();
  server = { "/rules?offline=1": offline };
  await assert.rejects(send("install"), "of the same release");
  assert.deepEqual(addresses(), everything);
  start("v2");
  await assert.rejects(send("install"), "of the next release, which this server does not have");
  assert.deepEqual([...stored.keys()], ["tochki-v1"]);
  assert.deepEqual(addresses(), everything);
});

test("activation deletes the caches of other releases and nothing else", async () => {
  await installed();
  for (const name of ["tochki-v0", "other"]) await caches.open(name);
  await send("activate");
  assert.deepEqual([...stored.keys()], ["tochki-v1", "other"]);
  assert.deepEqual(steps, ["claim"]);
});

test("activation leaves the cache that a newer worker fills", async () => {
  for (const newer of [{ installing: {} }, { waiting: {} }]) {
    registration = newer;
    start();
    await caches.open("tochki-v2");
    await send("activate");
    assert(stored.has("tochki-v2"));
  }
});

test("an update takes place when no game is open", async () => {
  for (const path of ["/computer/game?id=3", "/match/7", "/match/7/analysis", "/t/abc", "/analysis"]) {
    windows = ["/", path];
    await send("message", { data: "update" });
    assert.deepEqual(steps, [], path);
  }
  windows = ["/", "/computer", "/rules/dots", "/tournaments"];
  await send("message", { data: "something else" });
  assert.deepEqual(steps, []);
  await send("message", { data: "update" });
  assert.deepEqual(steps, ["skip waiting"]);
});

test("refresh stores the pages again, except those of another release and those that fail", async () => {
  await installed();
  server = {
    "/computer?offline=1": () => answer("по-русски"),
    "/computer/game?offline=1": () => new Response("new", { headers: { "x-release": "v2" } }),
    "/rules?offline=1": offline,
  };
  await send("message", { data: "refresh" });
  assert.deepEqual(fetched.length, 3, "no files");
  server = Object.fromEntries(RELEASE.pages.map((page) => [page, offline]));
  assert.equal(await navigate("/computer"), "200 по-русски");
  assert.equal(await navigate("/computer/game"), "200 /computer/game?offline=1");
  assert.equal(await navigate("/rules"), "200 /rules?offline=1");
});

test("the texts of the pages' language are stored with the pages, and those of no other", async () => {
  const inLanguage = (/** @type {string} */ code) => () => answer(`<script defer src="/texts/${code}.1f.js"></script>`);
  server = Object.fromEntries(RELEASE.pages.map((page) => [`${page}?offline=1`, inLanguage("cs")]));
  const ofLazyIslands = `<script defer src="/texts/cs-lazy.3c.js"></script>`;
  const [page] = RELEASE.pages;
  server[`${page}?offline=1`] = () => answer(`${ofLazyIslands}<script defer src="/texts/cs.1f.js"></script>`);
  await installed();
  assert.deepEqual(addresses(), [...everything, "/texts/cs-lazy.3c.js", "/texts/cs.1f.js"].sort());
  assert.equal(await get("/texts/cs.1f.js"), "/texts/cs.1f.js");
  assert.deepEqual(fetched, []);
  assert.equal(await get("/texts/zh-Hans.2e.js"), "/texts/zh-Hans.2e.js", "of another page, from the network");
  server = { "/rules?offline=1": inLanguage("zh-Hans") };
  await send("message", { data: "refresh" });
  assert(addresses().includes("/texts/zh-Hans.2e.js") === false && addresses().includes("/texts/zh-Hans.1f.js"));
});

test("refresh makes no cache of pages alone", async () => {
  await send("message", { data: "refresh" });
  assert.deepEqual([...stored.keys()], []);
});

test("requests of other kinds are not intercepted", async () => {
  await installed();
  for (const address of [
    "/api/whoami", "/events/match/1", "/healthz", "/readyz", "/release.js", "/service_worker.js",
    // Of another release, or never listed.
    "/pkg/tochki.2.js", "/engines/dots.js?v=2", "/engines/dots.js", "/texts/ru.1.json",
    "https://elsewhere.test/computer",
  ]) {
    assert.equal(request(address), null, address);
  }
  assert.equal(request("/computer", { method: "POST", mode: "navigate", destination: "document" }), null);
  assert.equal(request("/match/7/beat", { mode: "navigate", destination: "iframe" }), null);
  assert.deepEqual(fetched, []);
});

test("a page comes from the network, also if that answers with an error of its own", async () => {
  await installed();
  assert.equal(await navigate("/computer?id=3"), "200 /computer?id=3");
  for (const status of [404, 500]) {
    server = { "/rules": () => answer("error", status) };
    assert.equal(await navigate("/rules"), `${status} error`);
  }
  assert.equal(timers.size, 0);
});

test("a page comes from the cache when the network fails, whatever its query", async () => {
  await installed();
  server = { "/computer/game?id=3": offline, "/rules": offline };
  assert.equal(await navigate("/computer/game?id=3"), "200 /computer/game?offline=1");
  assert.equal(await navigate("/rules"), "200 /rules?offline=1");
  assert.equal(timers.size, 0);
});

test("a page comes from the cache when a proxy says that the server is away", async () => {
  await installed();
  for (const status of [502, 503, 504]) {
    server = { "/rules": () => answer("away", status), "/play": () => answer("away", status) };
    assert.equal(await navigate("/rules"), "200 /rules?offline=1");
    assert.equal(await navigate("/play"), `${status} away`, "for another page that is the answer");
  }
});

test("a page comes from the cache when the network has not answered for 4 s", async () => {
  await installed();
  server = { "/rules": silent };
  const navigation = navigate("/rules");
  await settled();
  assert.deepEqual([...timers.values()].map(({ ms }) => ms), [4000]);
  for (const { task } of timers.values()) task();
  assert.equal(await navigation, "200 /rules?offline=1");
});

test("without a cache, a page comes from the network without a timeout, as do its errors", async () => {
  /** @type {(response: Response) => void} */
  let respond = () => {};
  server = { "/rules": () => new Promise((resolve) => (respond = resolve)), "/computer": offline, "/play": offline };
  const navigation = navigate("/rules");
  await settled();
  for (const { task } of timers.values()) task();
  await settled();
  respond(answer("late"));
  assert.equal(await navigation, "200 late");
  await assert.rejects(navigate("/computer"), /no connection/);
  await assert.rejects(navigate("/play"), /no connection/);
  server = { "/rules": () => answer("away", 503) };
  assert.equal(await navigate("/rules"), "503 away");
  assert.deepEqual([...stored.keys()], []);
});

test("a page that is not cached redirects to the games against the computer", async () => {
  await installed();
  assert.equal(await navigate("/play"), "200 /play");
  server = { "/play": offline, "/computer?offline=1": offline };
  assert.equal(await navigate("/play"), `302 ${ORIGIN}/computer?offline=1`);
  assert.equal(await navigate("/computer?offline=1"), "200 /computer?offline=1");
});

test("files with a hash in their address come from the cache, without a request", async () => {
  await installed();
  for (const file of ["/pkg/tochki.1.js", "/board.js?v=1", "/engines/dots.js?v=1"]) {
    server = { [file]: () => answer("another") };
    assert.equal(await get(file), file);
  }
  assert.deepEqual(fetched, []);
});

test("if the browser has deleted the cache, files come from the network", async () => {
  await installed();
  stored.clear();
  assert.equal(await get("/board.js?v=1"), "/board.js?v=1");
  assert.deepEqual(fetched, ["/board.js?v=1"]);
  assert.deepEqual([...stored.keys()], []);
});

test("other files come from the network while there is one, and from the cache only by their whole address", async () => {
  await installed();
  server = { "/icon.svg": () => answer("another icon") };
  assert.equal(await get("/icon.svg"), "another icon");
  server = { "/icon.svg": offline, "/icon.svg?v=2": offline, "/board.js?v=2": offline, "/board.js": offline };
  assert.equal(await get("/icon.svg"), "/icon.svg");
  for (const address of ["/icon.svg?v=2", "/board.js?v=2", "/board.js"]) {
    await assert.rejects(get(address), /no connection/, address);
  }
});

/** @param {unknown} content */
const pushed = (content) => ({ data: { json: () => (typeof content === "string" ? JSON.parse(content) : content) } });

test("each push is shown, also one that cannot be read", async () => {
  const showNotification = async (/** @type {string} */ title, /** @type {any} */ { tag, body, data }) =>
    void steps.push([title, body, tag, data.url].join(" | "));
  registration.showNotification = showNotification;
  const turn = { title: "Your turn against ann", body: "Dots", tag: "match-7", url: "/match/7", on_turn: 3 };
  await send("push", pushed(turn));
  await send("push", pushed("{"));
  await send("push", { data: null });
  const unread = "tochki.test |  | push | /notifications";
  assert.deepEqual(steps, ["badge 3", "Your turn against ann | Dots | match-7 | /match/7", unread, unread]);
});

test("a click on a notification shows its page, or opens it", async () => {
  const click = (/** @type {string | undefined} */ url) => {
    const close = () => steps.push("close");
    return send("notificationclick", { notification: { close, data: url === undefined ? null : { url } } });
  };
  windows = ["/play", "/match/7?ply=3"];
  await click("/match/7");
  await click("/match/8");
  await click(undefined);
  windows = [];
  await click(undefined);
  await click("https://evil.test/match/7");
  const done = steps.filter((step) => step !== "close");
  assert.deepEqual(done, ["focus /match/7?ply=3", "open /match/8", "focus /play", "open /play", "open /play"]);
  assert.equal(steps.length, 10);
});

test("a subscription that the browser has given up is replaced for the same account alone", async () => {
  const endpoint = "https://push.test/b";
  const unsubscribe = async () => void steps.push("unsubscribe");
  const subscription = { unsubscribe, toJSON: () => ({ endpoint, keys: { p256dh: "p", auth: "a" } }) };
  const old = { endpoint: "https://push.test/a", options: { userVisibleOnly: true } };
  registration.pushManager = {
    subscribe: async (/** @type {object} */ options) => {
      steps.push(JSON.stringify(options));
      return subscription;
    },
  };
  const request =
    "/api/subscribe_push endpoint=https%3A%2F%2Fpush.test%2Fb&p256dh=p&auth=a&language=cs&old_endpoint=https%3A%2F%2Fpush.test%2Fa";
  await send("pushsubscriptionchange", { oldSubscription: old });
  assert.deepEqual([...fetched, ...steps], [request, '{"userVisibleOnly":true}']);
  // Signed out, or somebody else: the server knows no such subscription of theirs.
  for (const status of [401, 404]) {
    steps = [];
    server = { "/api/subscribe_push": () => answer("", status) };
    await send("pushsubscriptionchange", { oldSubscription: old, newSubscription: subscription });
    assert.deepEqual(steps, ["unsubscribe"], String(status));
  }
});

test("a browser that does not tell the subscription it has given up asks for that of its session", async () => {
  const unsubscribe = async () => void steps.push("unsubscribe");
  const toJSON = () => ({ endpoint: "https://push.test/b", keys: { p256dh: "p", auth: "a" } });
  const subscription = { unsubscribe, toJSON };
  registration.pushManager = {
    subscribe: async (/** @type {object} */ options) => {
      steps.push(JSON.stringify(options));
      return subscription;
    },
  };
  const renewal = "/api/subscribe_push endpoint=https%3A%2F%2Fpush.test%2Fb&p256dh=p&auth=a&language=cs&old_endpoint=unknown";
  server = { "/api/push_key": () => answer('{"key":"k","subscribed":false}') };
  await send("pushsubscriptionchange", {});
  const options = '{"userVisibleOnly":true,"applicationServerKey":"k"}';
  assert.deepEqual([...fetched, ...steps], ["/api/push_key", renewal, options]);
  // The browser has subscribed by itself, and the session had none: that was of another account.
  [fetched, steps] = [[], []];
  server = { "/api/subscribe_push": () => answer("", 404) };
  await send("pushsubscriptionchange", { newSubscription: subscription });
  assert.deepEqual([...fetched, ...steps], [renewal, "unsubscribe"]);
  // Signed out: there is nothing to subscribe to.
  [fetched, steps] = [[], []];
  server = { "/api/push_key": () => answer("", 401) };
  await assert.rejects(send("pushsubscriptionchange", {}));
  assert.deepEqual([...fetched, ...steps], ["/api/push_key"]);
});

/** Gives the browser a subscription, and so many notices. @param {number} notices */
function subscribed(notices) {
  const endpoint = "https://push.test/a";
  const subscription = { endpoint, unsubscribe: async () => void steps.push("unsubscribe") };
  const notice = { close: () => steps.push("close") };
  registration.pushManager = { getSubscription: async () => subscription };
  registration.getNotifications = async () => Array(notices).fill(notice);
}

/** Navigates, and waits for what that lets the worker do. @param {string} [method] */
async function visit(method = "GET") {
  request("/somewhere", { mode: "navigate", destination: "document", method });
  await Promise.all(waited.splice(0));
}

const COMPARED = "/api/push_key?endpoint=https%3A%2F%2Fpush.test%2Fa";

test("who has signed out gets nothing more, and no notice is left", async () => {
  subscribed(2);
  server = { [COMPARED]: () => answer('{"key":"k","subscribed":true}') };
  await visit();
  await visit();
  assert.deepEqual(fetched, ["/somewhere", COMPARED, "/somewhere"], "once a visit");
  assert.deepEqual(steps, []);
  server = { [COMPARED]: () => answer("", 401) };
  await visit("POST");
  assert.deepEqual(steps, []);
  await visit();
  assert.deepEqual(steps, ["close", "close", "unsubscribe", "badge none"]);
});

test("a subscription of a session that has ended is given up", async () => {
  subscribed(1);
  server = { [COMPARED]: () => answer('{"key":"k","subscribed":false}') };
  await visit();
  assert.deepEqual(steps, ["close", "unsubscribe", "badge none"]);
  // The worker starts anew.
  for (const response of [offline, () => answer("", 503), () => answer("", 429)]) {
    steps = [];
    start();
    server = { [COMPARED]: response };
    await visit();
    assert.deepEqual(steps, [], "nothing is known");
  }
});

test("without a subscription the notices of a page are closed with the account, and nothing is asked without any", async () => {
  subscribed(1);
  registration.pushManager.getSubscription = async () => null;
  server = { "/api/push_key": () => answer('{"key":null,"subscribed":false}') };
  await visit();
  assert.deepEqual(steps, []);
  start();
  server = { "/api/push_key": () => answer("", 401) };
  await visit();
  assert.deepEqual(steps, ["close", "badge none"]);
  start();
  [fetched, registration.getNotifications] = [[], async () => []];
  await visit();
  assert.deepEqual(fetched, ["/somewhere"]);
});
