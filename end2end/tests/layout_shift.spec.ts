/** No layout shift while a page loads, in whatever order and however slowly its files arrive, and while others join and leave. */
import type { Page } from "@playwright/test";
import { DeliveryProxy, type Order } from "./delivery_proxy";
import { expect, test } from "./fixtures";
import { devices, openPageState, pageStates } from "./page_states";
import { begin, startMatch } from "./match_actions";

declare global {
  interface Window {
    /** The layout shifts since the last call. */
    layoutShifts: () => string[];
  }
}

test.describe(() => {
  // Chromium's parser may pause anywhere in what it has received, and paint the half of a paragraph. That is rare, and not the
  // page's doing: a shift that the page makes comes in every run.
  test.describe.configure({ retries: 2 });

  for (const device of devices.filter(({ name }) => name.endsWith("-light"))) {
    for (const state of pageStates.filter(({ prepare }) => !prepare)) {
      // On a phone everything stands below everything else, so there the other order is tried, too.
      const orders: Order[] = device.name.startsWith("phone") ? ["first", "last"] : ["first"];
      for (const order of orders) {
        const title = `no layout shift in ${state.name}, ${device.name}, files requested ${order} arrive first`;
        test(title, async ({ browser, data, baseURL }) => {
          const delivery = await DeliveryProxy.start(baseURL!);
          const shifts: string[] = [];
          let delivered = Promise.resolve();
          const observe = async (page: Page) => {
            await page.addInitScript(observeLayoutShifts);
            delivered = delivery.run(page, order, async (after) => {
              for (const shift of await rendered(page)) shifts.push(`after ${after}: ${shift}`);
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
});

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
  // The front page shows a running game, but never the player's own: who has left the table is away.
  await expect(bob.page.locator(`.live a[href="/match/${match}"]`)).toHaveCount(0);
  await expect(alice.page.getByText("is away")).toBeVisible();
  expect(await rendered(alice.page)).toEqual([]);
  await visitor.close();
});

function observeLayoutShifts(): void {
  type Shift = PerformanceEntry & { value: number; sources: { node: Node | null; previousRect: DOMRect; currentRect: DOMRect }[] };
  const rect = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
  const tell = ({ value, sources }: Shift) => {
    const nodes = sources.map(({ node, previousRect, currentRect }) => {
      const name = node instanceof Element ? node.outerHTML.slice(0, 160) : `text "${node?.textContent}"`;
      return `\n    ${rect(previousRect)} → ${rect(currentRect)}: ${name}`;
    });
    return `${value}${nodes.join("")}`;
  };
  const seen: Shift[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[])));
  observer.observe({ type: "layout-shift", buffered: true });
  window.layoutShifts = () => {
    seen.push(...(observer.takeRecords() as Shift[]));
    return seen.splice(0).map(tell);
  };
}

/** Waits until the page has been painted, and returns the layout shifts since the last call. */
function rendered(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return window.layoutShifts();
  });
}
