// @ts-check
/** `public/recovery_codes.js`, on a page as `crates/pages/src/ui/account/recovery.rs` draws it. */
import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";
import { load, run, settled } from "./page.js";

/** @param {string} attributes @param {string[]} items */
const page = (attributes, items) => `<html lang="en">
  <ol id="recovery-codes" ${attributes} data-title="Codes of ann" data-file="tochki-recovery-codes.txt">
    ${items.map((item) => `<li><code>${item}</code></li>`).join("")}
  </ol>
  <button id="copy-codes" hidden data-done="Copied" data-else="Selected">Copy</button>
  <button id="download-codes" hidden>Save</button>
  <button id="print-codes" hidden>Print</button>
  <p id="codes-done" role="status"></p>`;

/** The texts written to the clipboard, the last one last. @type {string[]} */
let copied;
/** The elements of which everything was selected, by their ids. @type {string[]} */
let selected;
/** The files that were saved: their names and texts. @type {{ name: string, text: Promise<string> }[]} */
let saved;
/** @type {string[]} */
let revoked;
let prints = 0;

beforeEach(() => {
  [copied, selected, saved, revoked, prints] = [[], [], [], [], 0];
});

/** @param {{ single?: boolean, isAllowed?: boolean }} [options] */
async function open({ single = false, isAllowed = true } = {}) {
  /** @type {Blob[]} */
  const blobs = [];
  const writeText = async (/** @type {string} */ text) => {
    if (!isAllowed) throw new Error("not allowed");
    copied.push(text);
  };
  const html = single ? page('class="codes single"', ["a-token"]) : page('class="codes"', ["k3vd-9x2m", "p7qa-w0tz"]);
  const { HTMLAnchorElement } = load(html, {
    navigator: { clipboard: { writeText } },
    getSelection: () => ({ selectAllChildren: (/** @type {Element} */ { id }) => selected.push(id) }),
    print: () => (prints += 1),
    URL: Object.assign(class extends URL {}, {
      createObjectURL: (/** @type {Blob} */ blob) => `blob:${blobs.push(blob) - 1}`,
      revokeObjectURL: (/** @type {string} */ url) => revoked.push(url),
    }),
  });
  HTMLAnchorElement.prototype.click = function click() {
    const blob = blobs[Number(this.href.slice("blob:".length))];
    assert(blob);
    saved.push({ name: this.download, text: blob.text() });
  };
  await run("recovery_codes.js");
}

/** @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @param {string} id */
async function press(id) {
  byId(id).click();
  await settled();
}

const said = () => byId("codes-done").textContent;

test("the buttons are shown once they work", async () => {
  await open();
  for (const id of ["copy-codes", "download-codes", "print-codes"]) assert.equal(byId(id).hidden, false, id);
});

test("codes are copied with their title, a line each", async () => {
  await open();
  await press("copy-codes");
  assert.deepEqual(copied, ["Codes of ann\n\nk3vd-9x2m\np7qa-w0tz\n"]);
  assert.equal(said(), "Copied");
});

test("a token is copied without a title", async () => {
  await open({ single: true });
  await press("copy-codes");
  assert.deepEqual(copied, ["a-token"]);
});

test("without permission to copy, the codes are selected", async () => {
  await open({ isAllowed: false });
  await press("copy-codes");
  assert.deepEqual(selected, ["recovery-codes"]);
  assert.equal(said(), "Selected");
});

test("codes are saved as a text file, and its object URL is revoked", async () => {
  await open();
  await press("download-codes");
  const [file] = saved;
  assert.equal(file?.name, "tochki-recovery-codes.txt");
  assert.equal(await file?.text, "Codes of ann\n\nk3vd-9x2m\np7qa-w0tz\n");
  assert.deepEqual(revoked, ["blob:0"]);
});

test("codes are printed with the page", async () => {
  await open();
  await press("print-codes");
  assert.equal(prints, 1);
});
