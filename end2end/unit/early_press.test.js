// @ts-check
/** `public/early_press.js`, on a board whose code comes later. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run, settled } from "./page.js";

/** An event with the members that a script reads. */
class EventStub extends Event {
  /** @param {string} type @param {Record<string, unknown>} members */
  constructor(type, members = {}) {
    super(type, members);
    for (const name of ["clientX", "clientY", "pointerType", "isPrimary"]) Object.defineProperty(this, name, { value: members[name] });
  }
}

/** Opens the page. Returns the board and what the code of the page has heard of since it runs. */
async function open() {
  const window = load('<html><div class="own-game"><div class="board"></div></div>', { PointerEvent: EventStub, MouseEvent: EventStub });
  // Events are of the document's own realm.
  Object.setPrototypeOf(EventStub.prototype, window.Event.prototype);
  Object.setPrototypeOf(EventStub, window.Event);
  await run("early_press.js");
  const board = /** @type {HTMLElement} */ (document.querySelector(".board"));
  /** @type {string[]} */
  const heard = [];
  const start = async () => {
    for (const type of ["pointerdown", "pointerup", "click"]) {
      board.addEventListener(type, (event) => {
        const { clientX, clientY, pointerType = "" } = /** @type {PointerEvent} */ (event);
        heard.push(`${type} ${clientX},${clientY} ${pointerType}`.trim());
      });
    }
    document.documentElement.dataset.hydrated = "";
    await settled();
  };
  return { board, heard, start };
}

test("the last press before the code runs is repeated then, by the same device", async () => {
  const { board, heard, start } = await open();
  for (const clientX of [10, 20]) {
    board.dispatchEvent(new EventStub("pointerdown", { bubbles: true, pointerType: "touch" }));
    board.dispatchEvent(new EventStub("click", { bubbles: true, clientX, clientY: 5 }));
  }
  await start();
  assert.deepEqual(heard, ["pointerdown 20,5 touch", "pointerup 20,5 touch", "click 20,5"]);
});

test("without a press nothing is repeated, and later ones are the code's alone", async () => {
  const { board, heard, start } = await open();
  await start();
  assert.deepEqual(heard, []);
  board.dispatchEvent(new EventStub("click", { bubbles: true, clientX: 1, clientY: 2 }));
  await settled();
  assert.deepEqual(heard, ["click 1,2"]);
});
