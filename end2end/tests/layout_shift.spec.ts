/** No layout shift while a page loads, in whatever order and however slowly its files arrive, and while others join and leave. */
import type { Page } from "@playwright/test";
import { DeliveryProxy, type Order } from "./delivery_proxy";
import { dropSharedWorker, expect, test } from "./fixtures";
import { devices, openPageState, pageStates, pseudoStates } from "./page_states";
import { begin, startMatch } from "./match_actions";

declare global {
  interface Window {
    /** The layout shifts since the last call. `isParsing` says that a part of the document has been parsed since. */
    layoutShifts: (isParsing: boolean) => string[];
  }
}

/**
 * The states whose page is loaded only in a state with actions after it. The actions are left out here: their files would
 * wait for the proxy, which ends with the load. All other states with actions load as one without them does.
 */
const loadedAlone = ["account", "match-chat-watched", "analysis", "analysis-match"];
const loads = pageStates
  .filter(({ name, prepare }) => !prepare || loadedAlone.includes(name))
  .map((state) => ({ ...state, prepare: undefined }));

/** In the pseudo-language, on a phone and in one order: its lines are longer, so that more of them wrap. */
const pseudoLoads = pseudoStates.filter(
  // The tools of a board take a second line there when they appear.
  ({ name }) => name !== "rules-pseudo" && name !== "match-own-turn-pseudo",
);

for (const device of devices.filter(({ name }) => name.endsWith("-light"))) {
  const isPhone = device.name.startsWith("phone");
  for (const state of isPhone ? [...loads, ...pseudoLoads] : loads) {
    // On a phone everything stands below everything else, so there the other order is tried, too.
    const orders: Order[] = isPhone && !pseudoLoads.includes(state) ? ["first", "last"] : ["first"];
    for (const order of orders) {
      const title = `no layout shift in ${state.name}, ${device.name}, files requested ${order} arrive first`;
      test(title, async ({ browser, data, baseURL }) => {
        const delivery = await DeliveryProxy.start(baseURL!);
        const shifts: string[] = [];
        let delivered = Promise.resolve();
        const observe = async (page: Page) => {
          await page.addInitScript(observeLayoutShifts);
          // The proxy counts the connections of the page, and knows nothing of those of a worker.
          await page.addInitScript(dropSharedWorker);
          await page.addInitScript(extendStartTimeout);
          delivered = delivery.run(page, order, async ({ name, isDocument }) => {
            for (const shift of await rendered(page, isDocument)) shifts.push(`after ${name}: ${shift}`);
          });
        };
        // A time zone other than that of the server, because times are converted in the browser.
        const slow = { ...device, baseURL: delivery.origin, timezoneId: "Pacific/Kiritimati" };
        const page = await openPageState(state, slow, browser, data, observe);
        await delivered;
        expect(shifts).toEqual([]);
        await page.context().close();
        await delivery.stop();
      });
    }
  }
}

test("no layout shift when others join and leave", async ({ alice, bob, browser }) => {
  await alice.page.setViewportSize({ width: 360, height: 740 });
  await alice.page.addInitScript(observeLayoutShifts);
  const match = await startMatch({}, alice, bob);
  // Without the countdown of the first moves, which ends with them.
  await begin(alice, bob);
  await alice.page.reload();
  await alice.waitForHydration();
  const visitor = await browser.newPage();
  await visitor.goto(`/match/${match}`);
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await bob.page.goto("/");
  // The front page shows a running game, but never the player's own: a player who has left the table is away.
  await expect(bob.page.locator(`.live a[href="/match/${match}"]`)).toHaveCount(0);
  await expect(alice.page.getByText("is away")).toBeVisible();
  expect(await rendered(alice.page)).toEqual([]);
  await visitor.close();
});

/** In a page: gives its code an hour to start (`public/start_check.js`). One file after the other may take more than ten seconds. */
function extendStartTimeout(): void {
  const { setTimeout } = window;
  const extended = (handler: TimerHandler, delay?: number, ...args: unknown[]) =>
    setTimeout(handler, delay === 10_000 ? 3_600_000 : delay, ...args);
  window.setTimeout = extended as typeof setTimeout;
}

function observeLayoutShifts(): void {
  type Move = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
  type Shift = PerformanceEntry & { value: number; sources: Move[] };
  const rect = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
  const tellMove = ({ node, previousRect, currentRect }: Move) => {
    const name = node instanceof Element ? node.outerHTML.slice(0, 160) : `text "${node?.textContent}"`;
    return `${rect(previousRect)} → ${rect(currentRect)}: ${name}`;
  };
  const tell = ({ value, sources }: Shift) => [value, ...sources.map(tellMove)].join("\n    ");

  /** The nodes that were there when the shifts were last asked for. */
  let painted = new WeakSet<Node>();
  const notePainted = () => {
    painted = new WeakSet();
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) painted.add(walker.currentNode);
  };
  /** Returns the moves of the painted nodes by all shifts together. */
  const moves = (shifts: Shift[]) => {
    const moved = new Map<Node, Move>();
    for (const move of shifts.flatMap(({ sources }) => sources)) {
      if (!move.node || !painted.has(move.node)) continue;
      const { previousRect } = moved.get(move.node) ?? move;
      moved.set(move.node, { node: move.node, previousRect, currentRect: move.currentRect });
    }
    return [...moved.values()].filter(({ previousRect, currentRect }) => rect(previousRect) !== rect(currentRect));
  };

  const seen: Shift[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[])));
  observer.observe({ type: "layout-shift", buffered: true });
  window.layoutShifts = (isParsing) => {
    seen.push(...(observer.takeRecords() as Shift[]));
    const shifts = seen.splice(0);
    // The parser may pause anywhere in what it has received, and a frame then shows half a paragraph. How that moves while the
    // rest is parsed is no shift of the page.
    const told = isParsing ? moves(shifts).map(tellMove) : shifts.map(tell);
    notePainted();
    return told;
  };
}

/** Waits until the page has been painted, and returns the layout shifts since the last call. */
function rendered(page: Page, isParsing = false): Promise<string[]> {
  return page.evaluate(async (isParsing) => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return window.layoutShifts(isParsing);
  }, isParsing);
}
