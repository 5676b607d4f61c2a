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

/** A point that a transformation leaves where it is. */
class PointStub {
  constructor(/** @type {number} */ x, /** @type {number} */ y) {
    Object.assign(this, { x, y });
  }

  matrixTransform() {
    return this;
  }
}

/** A board of Dots, 3 by 3. */
const DOTS = '<rect class="paper" width="30" height="30"/><g class="open"></g><g class="dots"><circle cx="10" cy="10"/></g>';

/** Opens the page, whose pixels are the units of the board. Returns the board and what the code of the page has heard of since it runs. */
async function open(drawing = DOTS, side = "") {
  const html = `<html><div class="own-game ${side}"><svg class="board">${drawing}</svg></div>`;
  const window = load(html, { PointerEvent: EventStub, MouseEvent: EventStub, DOMPoint: PointStub });
  const svg = /** @type {any} */ (document.querySelector(".board"));
  svg.getScreenCTM = () => ({ inverse: () => null });
  // Events are of the document's own realm.
  Object.setPrototypeOf(EventStub.prototype, window.Event.prototype);
  Object.setPrototypeOf(EventStub, window.Event);
  await run("early_press.js");
  const board = /** @type {Element} */ (document.querySelector(".board"));
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
  const press = (/** @type {number} */ clientX, /** @type {number} */ clientY, pointerType = "mouse") => {
    board.dispatchEvent(new EventStub("pointerdown", { bubbles: true, pointerType }));
    board.dispatchEvent(new EventStub("click", { bubbles: true, clientX, clientY }));
    return board.querySelector(".dots:nth-of-type(n + 3)")?.innerHTML ?? "";
  };
  return { board, heard, start, press };
}

test("the last press before the code runs is repeated then, by the same device", async () => {
  const { heard, start, press } = await open();
  for (const clientX of [10, 20]) press(clientX, 5, "touch");
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

test("the mark of a press is drawn at once where a move is, and is gone when the code runs", async () => {
  const { board, start, press } = await open();
  assert.equal(press(21, 9), '<circle class="dot red" cx="20" cy="10" r="3.4"></circle>');
  assert.equal(press(9, 12), "", "a dot is there");
  assert.equal(press(-6, 0), "", "it is beside the board");
  assert.equal(press(0, 26), "");
  assert.equal(press(0, 1, "touch"), '<circle class="dot red ghost" cx="0" cy="0" r="3.4"></circle>');
  assert.equal(board.querySelectorAll(".dots").length, 2, "of two presses the last one is drawn");
  await start();
  assert.equal(board.querySelectorAll(".dots").length, 1);
});

test("a mark is drawn as the game has it", async () => {
  const gomoku = await open('<rect class="paper" width="30" height="30"/><g class="open"></g><g class="dots"></g>', "stones");
  assert.equal(gomoku.press(1, 19), '<circle class="dot stone red" cx="0" cy="20" r="4.2"></circle>');
  const reversi = await open('<rect class="paper" width="30" height="30"/><g class="open"><circle cx="10" cy="0"/></g><g class="dots"></g>', "stones");
  assert.equal(reversi.press(20, 0), "", "there is no move");
  assert.equal(reversi.press(10, 0), '<circle class="dot stone red" cx="10" cy="0" r="4.2"></circle>');
  const paper = '<rect class="paper" width="30" height="30"/><circle class="peg"/><g class="open"></g>';
  const boxes = await open(`${paper}<g class="dots"><g class="bar"><path d="M2 0h6"/></g></g>`);
  assert.equal(boxes.press(5, 1), "", "a line is there");
  assert.equal(boxes.press(5, 9), '<g class="bar red"><path d="M2 10h6"></path></g>');
  assert.equal(boxes.press(19, 14), '<g class="bar red"><path d="M20 12v6"></path></g>');
  assert.equal(boxes.press(25, 21), "", "it is beside the board");
});
