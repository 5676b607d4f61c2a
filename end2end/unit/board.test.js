// @ts-check
/** `public/board.js` and the overview that it loads, on a board as `crates/pages/src/ui/board_view/` renders it. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run } from "./page.js";

const PAGE = `<html>
  <template id="board-tools" data-hint="./tap_hint.js" data-overview="./board_overview.js"><button name="in"></button><button name="out"></button><button name="whole"></button></template>
  <div class="board-frame"><div class="board-sheet">
    <svg class="board" role="application" viewBox="0 0 400 300">
      <g class="areas"></g><g class="dots"></g><g class="ring"></g>
    </svg>
  </div></div>
  <div class="board-tools"></div>`;

/** A board of 400 × 300 units on a sheet of as many pixels: points are 10 pixels apart, and 80 at the largest scale. */
const SIZE = { width: 400, height: 300 };
const MAX_SCALE = 8;

/** How the board stands in its frame, by the style of its sheet. */
function shown() {
  const { transform } = $(".board-sheet").style;
  const [x, y, scale] = /^translate\((.+)px, (.+)px\) scale\((.+)\)$/.exec(transform)?.slice(1).map((number) => Math.round(1000 * Number(number)) / 1000) ?? [0, 0, 1];
  return { x, y, scale };
}
const scale = () => shown().scale;

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

/** Waits until the script of the overview is there. */
const overview = () => new Promise((done) => setTimeout(done, 50));

const pointer = (/** @type {number} */ clientX, more = {}) => ({
  pointerId: 1, isPrimary: true, pointerType: "mouse", clientX, clientY: 100, movementX: 1, movementY: 0, ...more,
});

test("the buttons come from the template, and the whole board cannot be zoomed out", async () => {
  assert.deepEqual([tool("in").disabled, tool("out").disabled, tool("whole").disabled], [false, true, true]);
  tool("in").click();
  assert.equal(scale(), 1.5);
  assert.deepEqual([tool("out").disabled, tool("whole").disabled], [false, false]);
  assert.ok($(".board-frame").classList.contains("zoomed"));
  await overview();
  assert.ok(document.querySelector(".overview"));
  tool("whole").click();
  assert.equal(scale(), 1);
  assert.equal(document.querySelector(".overview"), null);
});

test("the overview marks the part in view, in the corner that is farthest from it", async () => {
  const { Overview } = await import(await run("board_overview.js"));
  const [frame, sheet] = [$(".board-frame"), $(".board-sheet")];
  const overview = new Overview({ board: $(".board"), frame, sheet, isTurned: false, pitch: 10 });
  overview.show({ pan: { x: 100, y: -75 }, scale: 2 });
  const { left, top, width, height } = $(".overview .window").style;
  assert.deepEqual({ left, top, width, height }, { left: "0%", top: "50%", width: "50%", height: "50%" });
  assert.equal($(".overview").className, "overview at-top");
  overview.show({ pan: { x: -100, y: 75 }, scale: 2 });
  assert.equal($(".overview").className, "overview at-left");
  overview.remove();
  assert.equal(document.querySelector(".overview"), null);
});

test("the key N leads to the next game on turn, by its place too, but not while somebody types", () => {
  let pressed = 0;
  $("body").insertAdjacentHTML("beforeend", '<a id="next-game" href="#">Next game</a><textarea></textarea>');
  $("#next-game").addEventListener("click", (event) => {
    event.preventDefault();
    pressed += 1;
  });
  /** @param {Record<string, unknown>} members @param {Element} [target] */
  const press = (members, target = document.body) => {
    const event = Object.assign(new Event("keydown", { bubbles: true }), { key: "n", code: "KeyN", ...members });
    target.dispatchEvent(event);
  };
  press({});
  press({ key: "N" });
  // In a layout without Latin letters.
  press({ key: "т" });
  assert.equal(pressed, 3);
  for (const held of ["ctrlKey", "metaKey", "altKey"]) press({ [held]: true });
  press({}, $("textarea"));
  press({ key: "н", code: "KeyY" });
  assert.equal(pressed, 3);
});

test("keys zoom up to the largest scale, but not together with Control", () => {
  send("keydown", { key: "+", ctrlKey: true });
  assert.equal(scale(), 1);
  for (let press = 0; press < 20; press += 1) send("keydown", { key: "+" });
  assert.equal(scale(), MAX_SCALE);
  assert.ok(tool("in").disabled);
  send("keydown", { key: "0" });
  assert.equal(scale(), 1);
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

test("a zoomed board follows the pointer, to its edges and no farther", () => {
  tool("in").click();
  send("pointerdown", pointer(100, { buttons: 1 }));
  send("pointermove", pointer(130, { buttons: 1 }));
  assert.deepEqual(shown(), { x: 30, y: 0, scale: 1.5 });
  send("pointermove", pointer(900, { buttons: 1 }));
  assert.deepEqual(shown(), { x: 100, y: 0, scale: 1.5 }, "the left edge is at the frame's");
  send("pointermove", pointer(80, { buttons: 1 }));
  assert.deepEqual(shown(), { x: -20, y: 0, scale: 1.5 }, "the point is under the pointer again");
  // A mouse that was released outside of the window.
  send("pointermove", pointer(300, { buttons: 0 }));
  assert.deepEqual(shown(), { x: -20, y: 0, scale: 1.5 });
});

test("a board that is not zoomed stays where it is", () => {
  send("pointerdown", pointer(100, { buttons: 1 }));
  send("pointermove", pointer(200, { buttons: 1 }));
  assert.deepEqual(shown(), { x: 0, y: 0, scale: 1 });
});

test("two fingers zoom by the ratio of their distances, and what is between them goes with them", () => {
  const finger = (/** @type {number} */ pointerId, /** @type {number} */ clientX) =>
    pointer(clientX, { pointerId, isPrimary: pointerId === 1, pointerType: "touch", clientY: 0 });
  send("pointerdown", finger(1, -20));
  send("pointerdown", finger(2, 20));
  send("pointermove", finger(1, -40));
  send("pointermove", finger(2, 40));
  assert.deepEqual(shown(), { x: 0, y: 0, scale: 2 });
  // The middle moves by 10, and the board with it.
  send("pointermove", finger(2, 60));
  assert.deepEqual(shown(), { x: 10, y: 0, scale: 2.5 });
  // One finger that stays pans from where the board is.
  send("pointerup", finger(1, -40));
  send("pointermove", finger(2, 65));
  assert.deepEqual(shown(), { x: 15, y: 0, scale: 2.5 });
  send("pointerup", finger(2, 65));
  assert.equal(send("click", { clientX: 65, clientY: 0 }).defaultPrevented, true, "a pinch is no press");
});

test("a tap zooms in where points are too close for a finger", () => {
  const finger = pointer(100, { pointerType: "touch" });
  send("pointerdown", finger);
  send("pointerup", finger);
  send("click", { clientX: 100, clientY: 100 });
  assert.equal(scale(), 3, "points are 30 pixels apart");
});

test("the wheel scrolls the page until the mouse has moved on the board", () => {
  const wheel = { clientX: 100, clientY: 100, deltaY: -100, deltaMode: 0, ctrlKey: false, timeStamp: 1_000 };
  assert.equal(send("wheel", wheel).defaultPrevented, false);
  send("pointermove", pointer(100));
  assert.equal(send("wheel", wheel).defaultPrevented, true);
  assert.ok(scale() > 1);
  send("wheel", { ...wheel, deltaY: 10_000 });
  assert.equal(scale(), 1);
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
  const before = scale();
  tap(1_299);
  assert.equal(clicks, 1);
  assert.ok(scale() > before);
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
