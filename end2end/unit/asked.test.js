// @ts-check
/** `public/asked.js`: the requests of the opponent, told to a player in another tab. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** The notifications that were shown and closed. @type {string[]} */
let log = [];
/** @type {(request: string) => Promise<void>} */
let show;

/** @param {{ hidden?: boolean, permission?: string, worker?: object }} [page] */
async function open({ hidden = true, permission = "granted", worker } = {}) {
  log = [];
  class NotificationStub {
    static permission = permission;

    /** @param {string} title @param {{ tag: string }} options */
    constructor(title, { tag }) {
      log.push(`${tag}: ${title}`);
    }

    close() {
      log.push("closed");
    }
  }
  const { document } = load("<title>A game</title>", {
    Notification: NotificationStub,
    navigator: { serviceWorker: { getRegistration: async () => worker } },
  });
  Object.defineProperty(document, "hidden", { value: hidden });
  ({ show } = await import(await run("asked.js")));
}

beforeEach(() => open());

test("a request is in the title, and shown until it is over", async () => {
  await show("Asked\nann offers a draw.");
  assert.equal(document.title, "(1) Asked");
  assert.deepEqual(log, ["asked: ann offers a draw."]);
  await show("");
  assert.equal(document.title, "A game");
  assert.deepEqual(log, ["asked: ann offers a draw.", "closed"]);
});

test("the title returns after several requests", async () => {
  await show("Asked\nann offers a draw.");
  await show("Asked\nann asks for a takeback.");
  await show("");
  await show("");
  assert.equal(document.title, "A game");
});

test("no notification without permission, nor on a page that is seen", async () => {
  for (const page of [{ hidden: false }, { permission: "default" }]) {
    await open(page);
    await show("Asked\nann offers a draw.");
    assert.equal(document.title, "(1) Asked");
    assert.deepEqual(log, []);
  }
});

test("with a service worker, it shows the notification; what it refuses ends nothing", async () => {
  const shown = /** @type {string[]} */ ([]);
  await open({
    worker: {
      active: {},
      showNotification: async (/** @type {string} */ title) => {
        shown.push(title);
        if (title === "refused") throw new TypeError("no permission");
      },
      getNotifications: async () => [{ close: () => shown.push("closed") }],
    },
  });
  await show("Asked\nrefused");
  await show("Asked\nann offers a draw.");
  await show("");
  await settled();
  assert.deepEqual(shown, ["refused", "ann offers a draw.", "closed"]);
  assert.deepEqual(log, []);
});
