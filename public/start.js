// @ts-check
/**
 * Starts the code of a page: hydrates its islands, one after the other. Hydration finds its elements by their places, and other scripts
 * may have changed the page by then, so each island is compared with what the server has sent, and restored where it differs
 * (`repair.js`). The page has its islands once more, as text (`crates/web/src/http/islands.rs`).
 */
export {}; // A module, so that its names are its own.

const { code = "", wasm, repair = "" } = /** @type {HTMLElement} */ (document.getElementById("start")).dataset;

/** The time after which the code is started though the page is not idle: a page in the background may not be for long. */
const IDLE_TIMEOUT_MS = 2_000;

/** Whether the code of the page runs: a failure from then on is a fault of running code, and not of its start. */
let isRunning = false;

/** The markup of each island as the server has sent it. @type {Map<Element, Element>} */
const sent = new Map();
/** The island whose code is being loaded. @type {Element | null} */
let waiting = null;

/** @type {any} `repair.js`, once it is loaded. */
let tools;
const load = async () => (tools ??= await import(repair));

/** Returns whether the nodes are those of the copy. The copies of elements that islands' children or our scripts fill are empty.
 * @param {Node} live @param {Node | undefined} copy */
function isAsSent(live, copy) {
  let node = live.firstChild;
  for (let part = copy?.firstChild; part; part = part.nextSibling) {
    if (node?.nodeName !== part.nodeName || node.nodeValue !== part.nodeValue || !isAsSent(node, part)) return false;
    node = node.nextSibling;
  }
  return true;
}

// An island whose code is loaded first says so when that is done, immediately before it is hydrated (`crates/pages/src/ui/islands/data.rs`).
document.addEventListener("hydrate", () => waiting && tools?.repair(waiting, sent.get(waiting)));

/** @param {Element} island The name of its component. */
const nameOf = (island) => /** @type {HTMLElement} */ (island).dataset.component ?? "";

/** @param {any} module */
async function hydrate(module) {
  const islands = [...document.querySelectorAll("leptos-island")];
  const copies = document.createElement("div");
  copies.innerHTML = document.getElementById("islands")?.textContent ?? "";
  for (const copy of copies.children) {
    const island = islands.find((island) => !sent.has(island) && nameOf(island) === nameOf(copy));
    if (!island) throw new Error(`the page has lost ${nameOf(copy)}`);
    sent.set(island, copy);
  }
  for (const island of islands) {
    const copy = sent.get(island);
    if (!isAsSent(island, copy)) (await load()).repair(island, copy);
    // The island runs as a part of the island around it.
    /** @type {any} */ (island.parentElement?.closest("leptos-children"))?.$$on_hydrate?.();
    const done = module[nameOf(island)](island);
    waiting = sent.has(island) ? island : null;
    await done;
    waiting = null;
  }
}

/** @param {MutationRecord[]} records */
const isTranslated = (records) => records.some(({ addedNodes }) => [...addedNodes].some(({ nodeName }) => nodeName === "FONT"));

async function start() {
  const module = await import(code);
  // Beside the code of the page there is that of an island: while that is loaded, the page may be changed.
  const isLazy = document.querySelectorAll("link[rel=preload][type='application/wasm']").length > 1;
  await Promise.all([module.default({ module_or_path: wasm }), isLazy && load().catch(() => {})]);
  isRunning = true;
  module.hydrate();
  new MutationObserver((records) => {
    if (tools || isTranslated(records)) void load().then(({ follow }) => follow(records), () => {});
  }).observe(document.body, { childList: true, subtree: true });
  await hydrate(module);
  fallback.started();
}

// Safari has no idle callbacks.
const whenIdle = globalThis.requestIdleCallback ?? setTimeout;
whenIdle(() => start().catch((error) => fallback.fail(isRunning ? "panic" : "not_started", error?.stack ?? error)), {
  timeout: IDLE_TIMEOUT_MS,
});
