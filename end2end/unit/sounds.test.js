// @ts-check
/** `public/waiting.js`, and through it `public/sound.js`, with an audio context that only counts. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, preload, run, settled } from "./page.js";

/** The times at which tones start. @type {number[]} */
let tones = [];
/** The number of created contexts: a page has one at most. */
let contexts = 0;
/** The time that a context takes to start, in milliseconds of `now`. */
let startsAfter = 0;
let now = 0;

class AudioContextStub {
  state = "suspended";
  currentTime = 0;
  destination = {};

  constructor() {
    contexts += 1;
  }

  async resume() {
    await settled();
    now += startsAfter;
    this.state = "running";
  }

  suspend() {
    this.state = "suspended";
  }

  createGain() {
    const parameter = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    return { gain: parameter, connect: () => {} };
  }

  createOscillator() {
    const parameter = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    const start = (/** @type {number} */ at) => tones.push(at);
    return { frequency: parameter, connect: (/** @type {unknown} */ next) => next, start, stop() {} };
  }
}

/** The context that the script created, which lives as long as `sound.js`. @type {AudioContextStub | undefined} */
let context;

/** @param {string} attributes Of the document. @param {boolean} [active] Whether there was a user gesture. */
async function open(attributes, active = true) {
  [tones, now, startsAfter] = [[], 0, 0];
  load(`<html ${attributes}>`, {
    AudioContext: class extends AudioContextStub {
      constructor() {
        super();
        context = this;
      }
    },
    navigator: { userActivation: { hasBeenActive: active } },
    performance: { now: () => now },
  });
  await preload("sound.js");
  await run("waiting.js");
}

/** @param {string} name */
async function dispatch(name) {
  document.dispatchEvent(new Event(name));
  // Importing `sound.js` again and starting the context take a few turns.
  for (let turn = 0; turn < 20; turn += 1) await settled();
}

beforeEach(() => context?.suspend());

test("with sound off no audio context is created", async () => {
  await open('data-sound="off"');
  await dispatch("pointerdown");
  await dispatch("sound:call");
  assert.deepEqual([contexts, tones], [0, []]);
});

test("before the first gesture there is no sound", async () => {
  await open("", false);
  await dispatch("sound:call");
  assert.deepEqual(tones, []);
});

test("a challenge plays two tones in the single audio context of the page", async () => {
  await open("");
  await dispatch("pointerdown");
  await dispatch("sound:call");
  await dispatch("sound:call");
  assert.deepEqual(tones, [0, 0.22, 0, 0.22]);
  assert.equal(contexts, 1);
});

test("a sound that comes late because the context took long to start is dropped", async () => {
  await open("");
  startsAfter = 600;
  await dispatch("sound:call");
  assert.deepEqual(tones, []);
});
