/** How a page fits its window, and the font that its reader has chosen. */
import type { CDPSession, Page } from "@playwright/test";
import { expect, expectAccessible } from "./fixtures";

/** Expects no violations, and that the page does not scroll sideways. */
export async function expectFit(page: Page): Promise<void> {
  // What is there in the place of a text that the page has not loaded (crates/pages/src/ui/text/island_texts.rs).
  expect(await page.content()).not.toContain("[text]");
  await expectAccessible(page);
  await expectNoOverhang(page);
}

/** Sets the default font of the browser in pixels, which media queries in `rem` follow, too. */
export async function setFontSizes(page: Page, session: CDPSession, fontSizes: { standard: number; fixed: number }): Promise<void> {
  await session.send("Page.setFontSizes", { fontSizes });
  await expect(page.locator("html")).toHaveCSS("font-size", `${fontSizes.standard}px`);
}

/** Expects that the page does not scroll sideways. */
export async function expectNoOverhang(page: Page): Promise<void> {
  const [overhang, parts] = await page.evaluate(() => {
    const { scrollWidth, clientWidth } = document.documentElement;
    // Elements beyond the edge of the window to which lines go, the widest first, among them parts that scroll by themselves.
    const isMirrored = document.documentElement.dir === "rtl";
    const over = ({ left, right }: DOMRect) => (isMirrored ? -left : right - clientWidth);
    const beyond = [...document.body.querySelectorAll("*")]
      .map((element) => ({ element, over: over(element.getBoundingClientRect()) }))
      .filter(({ over }) => over > 0.5)
      .sort((one, other) => other.over - one.over);
    const parts = beyond.map(({ element, over }) => `${Math.round(over)} px: ${element.outerHTML.slice(0, 120)}`);
    return [scrollWidth - clientWidth, parts.slice(0, 8)] as const;
  });
  expect(overhang, `the page scrolls sideways:\n${parts.join("\n")}`).toBeLessThanOrEqual(0);
}
