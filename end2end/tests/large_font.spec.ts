/** With a default font of 24 px, as people with weak eyes set it, no page is wider than a small phone. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { openPageState, pageStates } from "./page_states";

const phone = { viewport: { width: 360, height: 740 }, hasTouch: true };

/** Sets the default font of the browser, which media queries in `rem` follow, too. */
async function enlargeFont(page: Page): Promise<void> {
  const browser = await page.context().newCDPSession(page);
  await browser.send("Page.enable");
  await browser.send("Page.setFontSizes", { fontSizes: { standard: 24, fixed: 20 } });
}

/** Returns the elements beyond the right edge of the window, the widest first; parts that scroll by themselves do not count. */
function overhanging(): string[] {
  const found: { over: number; text: string }[] = [];
  for (const element of document.body.querySelectorAll("*")) {
    const over = element.getBoundingClientRect().right - document.documentElement.clientWidth;
    if (over > 0.5) found.push({ over, text: `${Math.round(over)} px: ${element.outerHTML.slice(0, 120)}` });
  }
  return found.sort((one, other) => other.over - one.over).map(({ text }) => text);
}

// Several pages in each test, because opening a browser takes longer than the check.
const size = 12;
for (let from = 0; from < pageStates.length; from += size) {
  const states = pageStates.slice(from, from + size);
  test(`no sideways scrolling with a large font: ${states[0].name} to ${states.at(-1)!.name}`, async ({ browser, data }) => {
    for (const state of states) {
      const page = await openPageState(state, phone, browser, data, enlargeFont);
      const fontSize = await page.evaluate(() => getComputedStyle(document.documentElement).fontSize);
      expect(fontSize, "the font is the one that was set").toBe("24px");
      const [wide, parts] = await page.evaluate((overhanging) => {
        const wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
        return [wide, new Function(`return (${overhanging})()`)()] as const;
      }, String(overhanging));
      expect.soft(wide, `${state.name} scrolls sideways:\n${parts.slice(0, 8).join("\n")}`).toBeLessThanOrEqual(0);
      await page.context().close();
    }
  });
}
