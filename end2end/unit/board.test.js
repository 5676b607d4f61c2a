// @ts-check
/** `public/board.js`, on a board as `crates/pages/src/ui/board_view/` renders it. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run } from "./page.js";

const PAGE = `<html>
  <template id="board-tools"><button name="in"></button><button name="out"></button><button name="whole"></button></template>
  <div class="board-frame"><div class="board-sheet">
    <svg class="board" role="application" viewBox="0 0 400 300">
      <g class="areas"></g><g class="dots"></g><g class="ring"></g>
    </svg>
  </div></div>
  <div class="board-tools"></div>`;

/** A board of 400 × 300 units on a sheet of as many pixels: points are 10 pixels apart, and 80 at the largest scale. */
const SIZE = { width: 400, height: 300 };
const MAX_SCALE = 8;

/** Stands for Panzoom, which needs a layout: it keeps scale and pan, and tells of changes. */
class PanzoomStub {
  scale = 1;
  pan_ = { x: 0, y: 0 };
  /** @type {Record<string, unknown>} */
  options = {};

  /** @param {HTMLElement} sheet */
  constructor(sheet) {
    this.sheet = sheet;
  }

  getScale = () => this.scale;
  getPan = () => this.pan_;
  setOptions = (/** @type {object} */ options) => Object.assign(this.options, options);
  pan = (/** @type {number} */ x, /** @type {number} */ y) => this.change({ pan_: { x, y } });
  zoom = (/** @type {number} */ scale) => this.change({ scale });
  zoomToPoint = (/** @type {number} */ scale) => this.change({ scale });
  reset = () => this.change({ scale: 1, pan_: { x: 0, y: 0 } });

  /** @param {object} members */
  change(members) {
    Object.assign(this, members);
    this.sheet.dispatchEvent(new Event("panzoomchange"));
  }
}

/** @type {PanzoomStub} */
let panzoom;
/** The clicks that reach the board. */
let clicks = 0;

const $ = (/** @type {string} */ selector) => /** @type {HTMLElement} */ (document.querySelector(selector));
const tool = (/** @type {string} */ name) => /** @type {HTMLButtonElement} */ ($(`.board-tools [name=${name}]`));

beforeEach(async () => {
  clicks = 0;
  const media = { matches: false, addEventListener() {} };
  const window = load(PAGE, {
    matchMedia: () => media,
    ResizeObserver: class {
      observe() {}
    },
    requestAnimationFrame: (/** @type {() => void} */ frame) => frame(),
    getComputedStyle: () => ({ color: "black" }),
    devicePixelRatio: 1,
    DOMMatrix: class {
      scale = () => this;
      translate = () => this;
      multiply = () => this;
    },
  });
  for (const [name, value] of [["offsetWidth", SIZE.width], ["offsetHeight", SIZE.height], ["clientWidth", 80]]) {
    Object.defineProperty(window.HTMLElement.prototype, name, { value, configurable: true });
  }
  const prototypes = { svg: window.SVGSVGElement.prototype, element: window.Element.prototype };
  Object.defineProperty(prototypes.svg, "viewBox", { value: { baseVal: { x: 0, y: 0, ...SIZE } }, configurable: true });
  prototypes.element.getAnimations = () => [];
  window.HTMLCanvasElement.prototype.getContext = /** @type {never} */ (
    () => ({ resetTransform() {}, clearRect() {}, setTransform() {} })
  );
  // The script imports Panzoom, which defines itself; the stub takes its place before the board is opened.
  Object.defineProperty(globalThis, "Panzoom", {
    get: () => (/** @type {HTMLElement} */ sheet) => (panzoom = new PanzoomStub(sheet)),
    set() {},
    configurable: true,
  });
  await run("board.js");
  $(".board").addEventListener("click", () => (clicks += 1));
});

/** @param {string} type @param {Record<string, unknown>} [members] */
function send(type, members) {
  const event = new Event(type, { bubbles: true, cancelable: true });
  for (const [name, value] of Object.entries(members ?? {})) Object.defineProperty(event, name, { value });
  $(".board").dispatchEvent(event);
  return event;
}

const pointer = (/** @type {number} */ clientX, more = {}) => ({
  pointerId: 1, isPrimary: true, pointerType: "mouse", clientX, clientY: 100, movementX: 1, movementY: 0, ...more,
});

test("the buttons come from the template, and the whole board cannot be zoomed out", () => {
  assert.deepEqual([tool("in").disabled, tool("out").disabled, tool("whole").disabled], [false, true, true]);
  tool("in").click();
  assert.equal(panzoom.scale, 1.5);
  assert.deepEqual([tool("out").disabled, tool("whole").disabled], [false, false]);
  assert.ok($(".board-frame").classList.contains("zoomed"));
  assert.ok(document.querySelector(".overview"));
  tool("whole").click();
  assert.equal(panzoom.scale, 1);
  assert.equal(document.querySelector(".overview"), null);
});

test("keys zoom up to the largest scale, but not together with Control", () => {
  send("keydown", { key: "+", ctrlKey: true });
  assert.equal(panzoom.scale, 1);
  for (let press = 0; press < 20; press += 1) send("keydown", { key: "+" });
  assert.equal(panzoom.scale, MAX_SCALE);
  assert.ok(tool("in").disabled);
  send("keydown", { key: "0" });
  assert.equal(panzoom.scale, 1);
});

test("a press is a click, the end of a pan is not", () => {
  send("pointerdown", pointer(100));
  send("pointermove", pointer(104));
  send("pointerup", pointer(104));
  assert.equal(send("click", { clientX: 104, clientY: 100 }).defaultPrevented, false);
  assert.equal(clicks, 1);
  send("pointerdown", pointer(100));
  send("pointermove", pointer(120));
  send("pointerup", pointer(120));
  assert.equal(send("click", { clientX: 120, clientY: 100 }).defaultPrevented, true);
  assert.equal(clicks, 1);
});

test("a tap zooms in where points are too close for a finger", () => {
  const finger = pointer(100, { pointerType: "touch" });
  send("pointerdown", finger);
  send("pointerup", finger);
  send("click", { clientX: 100, clientY: 100 });
  assert.equal(panzoom.scale, 3, "points are 30 pixels apart");
});

test("the wheel scrolls the page until the mouse has moved on the board", () => {
  const wheel = { deltaY: -100, deltaMode: 0, ctrlKey: false, timeStamp: 1_000 };
  assert.equal(send("wheel", wheel).defaultPrevented, false);
  send("pointermove", pointer(100));
  assert.equal(send("wheel", wheel).defaultPrevented, true);
  assert.ok(panzoom.scale > 1);
  send("wheel", { ...wheel, deltaY: 10_000 });
  assert.equal(panzoom.scale, 1);
  assert.equal(send("wheel", { ...wheel, deltaY: 100, timeStamp: 2_000 }).defaultPrevented, false, "it is whole");
});

test("a second tap at once zooms and does not reach the board; a later one does", () => {
  const touch = pointer(100, { pointerType: "touch" });
  /** @type {(timeStamp: number) => void} */
  const tap = (timeStamp) => {
    send("pointerdown", touch);
    send("click", { ...touch, timeStamp, detail: 1 });
  };
  tap(1_000);
  assert.equal(clicks, 1);
  const before = panzoom.scale;
  tap(1_299);
  assert.equal(clicks, 1);
  assert.ok(panzoom.scale > before);
  tap(1_700);
  assert.equal(clicks, 2);
  // A mouse is quicker, and means it.
  for (const timeStamp of [2_000, 2_100]) {
    send("pointerdown", pointer(100));
    send("click", { ...pointer(100), timeStamp, detail: 1 });
  }
  assert.equal(clicks, 4);
});

test("a board that appears later gets its buttons, too", async () => {
  const later = $(".board-frame").cloneNode(true);
  const tools = document.createElement("div");
  document.body.append(later, tools);
  await new Promise((done) => setTimeout(done));
  assert.equal(tools.querySelectorAll("button").length, 3);
  assert.ok(/** @type {Element} */ (later).classList.contains("zoomable"));
});
