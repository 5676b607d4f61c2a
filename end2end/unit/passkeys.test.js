// @ts-check
/** `public/passkeys.js`, on a page as `crates/pages/src/ui/account/login.rs` draws it. The ceremonies are stories of real browsers. */
import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";
import { load, run, runClassic, settled } from "./page.js";

const PAGE = `<html lang="en">
  <form id="credentials"><input name="name" autocomplete="username webauthn"><input name="password"></form>
  <form id="passkey-sign-in" action="/api/passkey_begin_sign_in" data-next="/history">
    <button disabled>Use passkey</button>
    <p role="alert" data-cancelled="Cancelled" data-unknown_passkey="Unknown" data-other="Not now" data-too_many_attempts="Too many"></p>
  </form>`;

/** The requests to the browser, the last one last. @type {{ mediation?: string, signal?: AbortSignal }[]} */
let asked;
/** Ends the last of these requests. @type {{ resolve: (credential: object) => void, reject: (error: Error) => void }} */
let authenticator;
/** @type {string[]} */
let requests;
/** The server's answers to the next requests, else a challenge. @type {(Response | Promise<Response>)[]} */
let answers;
/** @type {string[]} */
let visited;

const bytes = new Uint8Array([1, 2, 3]).buffer;
const CREDENTIAL = { id: "AQID", rawId: bytes, type: "public-key", response: { clientDataJSON: bytes, signature: bytes } };

/** @param {unknown} body @param {number} [status] */
const answer = (body, status = 200) => new Response(JSON.stringify(body), { status });

/** @param {string} selector @returns {any} */
const find = (selector) => document.querySelector(selector);
const said = () => find("[role=alert]").textContent;

const rest = async () => {
  for (let turn = 0; turn < 4; turn += 1) await settled();
};

/** @param {boolean} isConditional Whether the browser offers passkeys for fields. */
const open = async (isConditional) => {
  const options = { challenge: "AQID", rpId: "tochki.test" };
  /** @param {{ mediation?: string, signal?: AbortSignal }} request */
  const get = ({ mediation, signal }) => {
    asked.push({ mediation, signal });
    return new Promise((resolve, reject) => {
      authenticator = { resolve, reject };
      signal?.addEventListener("abort", () => reject(signal.reason));
    });
  };
  Object.defineProperty(globalThis, "navigator", { value: { credentials: { get } }, configurable: true });
  load(PAGE, {
    location: { assign: (/** @type {string} */ to) => visited.push(to) },
    PublicKeyCredential: { isConditionalMediationAvailable: () => Promise.resolve(isConditional) },
    /** @param {string} url @param {{ body: Blob, signal?: AbortSignal }} request */
    fetch: async (url, { body, signal }) => {
      signal?.throwIfAborted();
      assert.equal(body.type, "application/json");
      requests.push(new URL(url, "http://tochki.test").pathname);
      return answers.shift() ?? answer(options);
    },
  });
  runClassic("forms.js");
  await run("passkeys.js");
  await rest();
};

const turnToName = async (name = "focusin") => {
  find("[name=name]").dispatchEvent(new window.Event(name, { bubbles: true }));
  await rest();
};

const press = async () => {
  find("#passkey-sign-in").dispatchEvent(new window.Event("submit", { bubbles: true, cancelable: true }));
  await rest();
};

beforeEach(() => {
  [asked, requests, answers, visited] = [[], [], [], []];
});

test("passkeys are offered once the visitor points at or focuses the name field", async () => {
  await open(true);
  find("[name=password]").dispatchEvent(new window.Event("focusin", { bubbles: true }));
  await rest();
  assert.deepEqual(requests, [], "no challenge for a page that nobody uses");
  await turnToName();
  assert.deepEqual(asked.map(({ mediation }) => mediation), ["conditional"]);
  for (const name of ["focusin", "pointerover"]) await turnToName(name);
  assert.equal(asked.length, 1, "once");

  answers = [answer({})];
  authenticator.resolve(CREDENTIAL);
  await rest();
  assert.deepEqual(requests, ["/api/passkey_begin_sign_in", "/api/passkey_finish_sign_in"]);
  assert.deepEqual(visited, ["/history"]);
});

test("in a browser without autofill of passkeys only the button requests them", async () => {
  await open(false);
  await turnToName("pointerover");
  assert.deepEqual(requests, []);
  await press();
  assert.deepEqual(asked.map(({ mediation }) => mediation), [undefined]);
});

test("the button aborts the offer", async () => {
  await open(true);
  await turnToName("pointerover");
  await press();
  assert.deepEqual(asked.map(({ mediation }) => mediation), ["conditional", undefined]);
  assert.equal(asked[0]?.signal?.aborted, true);
  assert.equal(said(), "", "the end of the offer is no news");
  authenticator.reject(Object.assign(new Error(), { name: "NotAllowedError" }));
  await rest();
  assert.equal(said(), "Cancelled");
  assert.equal(find("#passkey-sign-in button").disabled, false);
  await turnToName();
  assert.equal(asked.length, 2, "the offer does not come back");
});

test("the button does not wait for a challenge of the offer", async () => {
  await open(true);
  /** @type {(response: Response) => void} */
  let respond = () => {};
  answers = [new Promise((resolve) => (respond = resolve))];
  await turnToName();
  await press();
  respond(answer({ challenge: "AQID" }));
  await rest();
  assert.deepEqual(asked.map(({ mediation }) => mediation), [undefined]);
});

test("an offer is renewed before its challenge is too old", async () => {
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    await open(true);
    const settle = async () => {
      for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
    };
    find("[name=name]").dispatchEvent(new window.Event("focusin", { bubbles: true }));
    await settle();
    assert.equal(asked.length, 1);
    mock.timers.tick(240_000);
    await settle();
    assert.equal(asked.length, 2);
    assert.equal(asked[0]?.signal?.aborted, true);
    assert.equal(asked[1]?.signal?.aborted, false);
  } finally {
    mock.timers.reset();
  }
});

test("a refusal by the server is shown, a cancellation in the browser is not", async () => {
  await open(true);
  await turnToName();
  answers = [answer({ code: "unknown_passkey" }, 404)];
  authenticator.resolve(CREDENTIAL);
  await rest();
  assert.equal(said(), "Unknown");

  await open(true);
  await turnToName();
  authenticator.reject(Object.assign(new Error(), { name: "NotAllowedError" }));
  await rest();
  assert.equal(said(), "");
});
