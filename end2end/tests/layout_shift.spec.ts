/** No layout shift while a page loads, however slowly its parts come, and while others come and go. */
import type { Page } from "@playwright/test";
import { Delivery, type Order } from "./delivery";
import { expect, test } from "./fixtures";
import { looks, open, scenes } from "./scenes";
import { sitAt } from "./tables";

declare global {
  interface Window {
    /** Takes the layout shifts since it was called last. */
    layoutShifts: () => string[];
  }
}

for (const look of looks.filter(({ name }) => name.endsWith("-day"))) {
  for (const scene of scenes.filter(({ then }) => !then)) {
    for (const order of ["first", "last"] satisfies Order[]) {
      const title = `no layout shift in ${scene.name}, ${look.name}, files asked for ${order} come first`;
      test(title, async ({ browser, stage, baseURL }) => {
        const delivery = await Delivery.start(baseURL!);
        const shifts: string[] = [];
        let delivered = Promise.resolve();
        const observe = async (page: Page) => {
          await page.addInitScript(observeLayoutShifts);
          delivered = delivery.run(page, order, async (after) => {
            for (const shift of await rendered(page)) shifts.push(`after ${after}: ${shift}`);
          });
        };
        // Times of day are the visitor's, and theirs are not the server's.
        const slow = { ...look, baseURL: delivery.origin, timezoneId: "Pacific/Kiritimati" };
        const page = await open(scene, slow, browser, stage, observe);
        await delivered;
        expect(shifts).toEqual([]);
        await page.context().close();
        await delivery.stop();
      });
    }
  }
}

test("no layout shift when others come and go", async ({ alice, bob, browser }) => {
  await alice.page.setViewportSize({ width: 360, height: 740 });
  await alice.page.addInitScript(observeLayoutShifts);
  const match = await sitAt({}, alice, bob);
  const visitor = await browser.newPage();
  await visitor.goto(`/match/${match}`);
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await bob.page.goto("/");
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

/** Waits until the page has been painted as it is now; gives the layout shifts until then. */
function rendered(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return window.layoutShifts();
  });
}
