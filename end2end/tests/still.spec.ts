/** Every page can be read before the client arrives, and nothing on it moves when it does. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { looks, open, scenes } from "./scenes";
import { sitAt } from "./tables";

declare global {
  interface Window {
    /** Everything that has moved in this document. */
    moved: string[];
  }
}

for (const look of looks.filter(({ name }) => name.endsWith("-day"))) {
  for (const scene of scenes.filter(({ then }) => !then)) {
    test(`nothing jumps in ${scene.name}, ${look.name}`, async ({ browser, stage }) => {
      // The client waits at the door until the page has been painted and can be read.
      const held = async (page: Page) => {
        await page.addInitScript(watch);
        // What others do in the meantime moves lists, too; so nobody is heard of.
        await page.route("**/events/**", () => {});
        await page.route("**/*.wasm", async (route) => {
          await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
          await page.evaluate(twoFrames);
          await route.continue();
        });
      };
      const page = await open(scene, look, browser, stage, held);
      await page.evaluate(twoFrames);
      expect(await page.evaluate(() => window.moved)).toEqual([]);
      await page.context().close();
    });
  }
}

test("nothing jumps when others come and go", async ({ alice, bob, browser }) => {
  await alice.page.setViewportSize({ width: 360, height: 740 });
  await alice.page.addInitScript(watch);
  const match = await sitAt({}, alice, bob);
  const visitor = await browser.newPage();
  await visitor.goto(`/match/${match}`);
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await bob.page.goto("/");
  await expect(alice.page.getByText("is away")).toBeVisible();
  await alice.page.evaluate(twoFrames);
  expect(await alice.page.evaluate(() => window.moved)).toEqual([]);
  await visitor.close();
});

function watch(): void {
  type Shift = PerformanceEntry & { value: number; sources: { node: Node | null }[] };
  const tell = ({ value, sources }: Shift) => {
    const nodes = sources.map(({ node }) => (node instanceof Element ? node.outerHTML.slice(0, 200) : node?.nodeName));
    return `${value}: ${nodes.join(", ")}`;
  };
  window.moved = [];
  const observer = new PerformanceObserver((list) => window.moved.push(...(list.getEntries() as Shift[]).map(tell)));
  observer.observe({ type: "layout-shift", buffered: true });
}

/** What was to be painted has been then, and what moved has been noted. */
function twoFrames(): Promise<void> {
  return new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done())));
}
