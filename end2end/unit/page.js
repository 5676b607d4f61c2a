// @ts-check
/** A document without a browser, in which a script of `public/` runs as it does on a page. */
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runInThisContext } from "node:vm";
import { JSDOM } from "jsdom";

// Node takes files outside a package of modules for something older than modules.
const scripts = mkdtempSync(join(tmpdir(), "tochki-scripts-"));
cpSync(new URL("../../public/", import.meta.url), scripts, { recursive: true });
writeFileSync(join(scripts, "package.json"), '{"type":"module"}');
process.on("exit", () => rmSync(scripts, { recursive: true, force: true }));

/** The globals that the scripts take from the window without naming it. */
const GLOBALS = [
  "window", "document", "location", "DOMParser", "Event", "CustomEvent", "FormData", "HTMLElement", "HTMLFormElement",
  "HTMLInputElement", "HTMLSelectElement", "HTMLTemplateElement", "HTMLAnchorElement", "HTMLButtonElement",
  "HTMLDetailsElement", "HTMLTimeElement", "Element", "Node", "SVGSVGElement", "SVGElement", "MutationObserver",
  "WheelEvent", "NodeList", "Text", "CharacterData",
];

/**
 * Makes `html` the document, until another one takes its place.
 *
 * @param {string} html
 * @param {Record<string, unknown>} [globals] What this page has beside what the DOM says, such as `fetch`.
 */
export function load(html, globals = {}) {
  const { window } = new JSDOM(html, { url: "http://tochki.test/play", pretendToBeVisual: true });
  const names = /** @type {Record<string, unknown>} */ (/** @type {unknown} */ (window));
  for (const name of GLOBALS) define(name, names[name]);
  // Node has none before version 21.
  if (!("navigator" in globalThis)) define("navigator", names.navigator);
  for (const [name, value] of Object.entries(globals)) define(name, value);
  return /** @type {Window & typeof globalThis} */ (/** @type {unknown} */ (window));
}

/** @param {string} name @param {unknown} value */
function define(name, value) {
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });
}

let loaded = 0;

/**
 * Runs a script of `public/` anew, in the document as it is now. Returns its address, at which others can import it.
 *
 * @param {string} name
 */
export async function run(name) {
  loaded += 1;
  const address = `${pathToFileURL(join(scripts, name))}?${loaded}`;
  await import(address);
  return address;
}

/**
 * Runs a script of `public/` that is no module and defines global names, in the document as it is now.
 *
 * @param {string} name
 */
export function runClassic(name) {
  runInThisContext(readFileSync(join(scripts, name), "utf8"));
}

/**
 * Loads a script of `public/` that others import, so that they have it at once.
 *
 * @param {string} name
 */
export function preload(name) {
  return import(pathToFileURL(join(scripts, name)).href);
}

/** Lets everything happen that waits for nothing but its turn. */
export function settled() {
  return new Promise((done) => setImmediate(done));
}
