// @ts-check
/** `public/start.js` and `public/repair.js`, with pages that other scripts have changed before their islands are hydrated, and after. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run, settled } from "./page.js";

/** The markup of an island as the server sends it, which is hydrated, and its children, which are not. */
const FORM = '<form class="f"><label>Name <input name="name" class="field"></label><p class="note"><!>a hint<!></p></form>';
const CHILDREN = "<leptos-children><p>chat</p></leptos-children>";

/** The code of a page: each island says how it finds its markup. */
const CODE = `data:text/javascript,
  export default async () => {};
  export const hydrate = () => {};
  export const First = (island) => void globalThis.found.push(island.innerHTML);
  export const Lazy = async (island) => {
    await globalThis.loading;
    document.dispatchEvent(new Event("hydrate"));
    globalThis.found.push(island.innerHTML);
  };`;

/** @type {unknown[][]} */
let failures;
let starts = 0;
load("");
const repair = await run("repair.js");
/** @type {any} */
const world = globalThis;

/** Loads a page with these islands, changes it, and starts its code. @param {(document: Document) => void} [change] */
async function start(component = "First", html = FORM + CHILDREN, change = () => {}) {
  const preloads = '<link rel="preload" type="application/wasm">'.repeat(component === "Lazy" ? 2 : 1);
  [failures, starts, world.found] = [[], 0, []];
  const island = `<leptos-island data-component="${component}">`;
  const copy = html.replace(CHILDREN, "<leptos-children></leptos-children>");
  const page = `${island}${html}</leptos-island><script type="text/plain" id="islands">${island}${copy}</leptos-island></script>`;
  load(`<body><script id="start" data-code='${CODE}' data-repair="${repair}"></script>${preloads}${page}`, {
    requestIdleCallback: (/** @type {() => void} */ callback) => callback(),
    fallback: { fail: (/** @type {unknown[]} */ ...failure) => failures.push(failure), started: () => (starts += 1) },
  });
  change(document);
  await run("start.js");
  for (let turn = 0; turn < 5; turn += 1) await settled();
}

const isRepaired = () => document.documentElement.dataset.repaired !== undefined;
/** @param {string} selector */
const find = (selector) => /** @type {HTMLElement} */ (document.querySelector(selector));

/** Puts `<font>` around a text, as translators do. @param {Node} text */
function translate(text) {
  const font = document.createElement("font");
  font.append(document.createElement("font"));
  font.firstElementChild?.append(`«${text.nodeValue}»`);
  text.parentNode?.replaceChild(font, text);
}

test("a page that nobody has changed stays as it is", async () => {
  await start();
  assert.deepEqual(world.found, [FORM.replaceAll("<!>", "<!---->") + CHILDREN]);
  assert.equal(isRepaired(), false);
  assert.deepEqual([failures, starts], [[], 1]);
});

test("an element beside a field follows what the server has sent, and what is typed stays", async () => {
  await start("First", FORM + CHILDREN, () => {
    const input = /** @type {HTMLInputElement} */ (find("input"));
    input.value = "Anna";
    input.focus();
    find("form").prepend(document.createElement("div"));
    input.before(document.createComment("x"), document.createElement("i"));
    input.classList.add("filled");
  });
  const expected = '<form class="f"><label>Name <input name="name" class="field filled"><i></i></label><p class="note"><!---->a hint<!----></p><div></div></form>';
  assert.deepEqual(world.found, [expected + CHILDREN]);
  assert.equal(/** @type {HTMLInputElement} */ (document.activeElement).value, "Anna");
  assert.equal(isRepaired(), true);
});

test("a translated text is as the server has sent it", async () => {
  await start("First", FORM + CHILDREN, () => {
    for (const part of ["label", "p.note"]) for (const node of [...find(part).childNodes]) if (node instanceof Text) translate(node);
  });
  assert.deepEqual(world.found, [FORM.replaceAll("<!>", "<!---->") + CHILDREN]);
  assert.equal(document.querySelector("font"), null);
});

test("what is missing or wrapped is there again, with what was typed", async () => {
  for (const wrap of [true, false]) {
    await start("First", FORM + CHILDREN, () => {
      const input = /** @type {HTMLInputElement} */ (find("input"));
      input.value = "Anna";
      if (wrap) {
        const span = document.createElement("span");
        input.replaceWith(span);
        span.append(input);
      } else {
        find("p.note").remove();
      }
    });
    assert.deepEqual(world.found, [FORM.replaceAll("<!>", "<!---->") + CHILDREN]);
    assert.equal(/** @type {HTMLInputElement} */ (find("input")).value, "Anna");
  }
});

test("children of islands and what scripts of ours fill stay as they are", async () => {
  await start("First", `<div class="tools"></div>${CHILDREN}`, () => {
    find("leptos-children").append("a new message");
    find("leptos-children").classList.add("foreign");
    find(".tools").append(document.createElement("button"));
  });
  assert.deepEqual(world.found, [
    '<div class="tools"><button></button></div><leptos-children class="foreign"><p>chat</p>a new message</leptos-children>',
  ]);
  assert.equal(isRepaired(), false);
});

test("an island that was changed while its code was loading is restored before it is hydrated", async () => {
  let loaded = () => {};
  world.loading = new Promise((done) => (loaded = () => done(undefined)));
  await start("Lazy");
  assert.deepEqual(world.found, []);
  find("input").before(document.createElement("i"));
  loaded();
  await settled();
  assert.equal(world.found.length, 1);
  assert.match(world.found[0], /<input [^>]*><i><\/i>/);
  assert.equal(starts, 1);
});

test("a page that has lost an island, or whose code is not there, says so", async () => {
  await start("First", FORM, () => find("leptos-island").remove());
  assert.equal(failures[0][0], "panic");
  assert.match(String(failures[0][1]), /the page has lost First/);
  assert.equal(starts, 0);

  await start("First", FORM, () => (find("#start").dataset.code = "data:text/javascript,throw new Error('blocked')"));
  assert.equal(failures[0][0], "not_started");
});

test("a translated text that changes takes its place again, and one that goes takes its translation with it", async () => {
  await start();
  const [label, note] = [find("label").firstChild, find("p.note").childNodes[1]].map((node) => /** @type {Text} */ (node));
  translate(label);
  translate(note);
  await settled();
  await settled();
  assert.equal(find("label").textContent, "«Name »");
  label.nodeValue = "Nom ";
  await settled();
  assert.equal(find("label").textContent, "Nom ");
  translate(label);
  await settled();
  label.nodeValue = "Name ";
  await settled();
  assert.equal(find("label").textContent, "Name ");
  note.remove();
  assert.equal(find("p.note").textContent, "");
});
