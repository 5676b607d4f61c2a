/**
 * Automated accessibility checks (axe) of every page, on a phone in the dark scheme and on a desktop in the light one. With a
 * default font of 24 or 32 px, as people with weak eyes set it, no page is wider than a small phone, nor at 400 %.
 */
import type { CDPSession, Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";
import { devices, openPageState, pageStates, pseudoStates, translatedStates } from "./page_states";

// This page has no scripts, so it is no state of a page that hydrates.
test("no accessibility violations in the frame for other sites", async ({ page, data }) => {
  for (const match of [data.running, data.finished]) {
    await page.goto(`/embed/match/${match}`);
    await expectAccessible(page);
  }
});

const [desktop, phone] = ["desktop-light", "phone-dark"].map((wanted) => devices.find(({ name }) => name === wanted)!);

for (const state of [...pageStates, ...pseudoStates]) {
  test(`no accessibility violations and no sideways scrolling in ${state.name}`, async ({ browser, data }) => {
    // First on the phone, because parts that are opened there are open on a desktop anyway, and not the reverse.
    const page = await openPageState(state, phone, browser, data);
    // Nobody else has changed the page, so nothing of it had to be restored.
    await expect(page.locator("html")).not.toHaveAttribute("data-repaired");
    await expectFit(page);
    // The same page, instead of loading another one, which takes longer than the checks.
    const session = await page.context().newCDPSession(page);
    for (const fontSizes of [{ standard: 24, fixed: 20 }, { standard: 32, fixed: 26 }]) {
      await setFontSizes(page, session, fontSizes);
      await expectNoOverhang(page);
    }
    await setFontSizes(page, session, { standard: 16, fixed: 13 });
    // A desktop of 1,280 px at 400 %.
    await page.setViewportSize({ width: 320, height: 256 });
    await expectNoOverhang(page);
    await page.setViewportSize(phone.viewport);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await page.emulateMedia({ colorScheme: desktop.colorScheme });
    await page.setViewportSize(desktop.viewport);
    await expectFit(page);
    await page.context().close();
  });
}

// The markup is that of the English pages, so one page goes through all of them, and nothing waits for their code.
test("no sideways scrolling in any language", async ({ browser, data }) => {
  test.setTimeout(240_000);
  const { viewport } = phone;
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  for (const state of translatedStates) {
    await test.step(state.name, async () => {
      const user = await state.user?.(data);
      // A page whose session ends reloads itself.
      await page.goto("about:blank");
      await context.clearCookies();
      await context.addCookies((await user?.cookies()) ?? []);
      await page.goto(state.path(data));
      for (const size of [viewport, desktop.viewport]) {
        await page.setViewportSize(size);
        await expectNoOverhang(page);
      }
    });
  }
  await context.close();
});

/** Expects no violations, and that the page does not scroll sideways. */
async function expectFit(page: Page): Promise<void> {
  // What is there in the place of a text that the page has not loaded (crates/pages/src/ui/text/island_texts.rs).
  expect(await page.content()).not.toContain("[text]");
  await expectAccessible(page);
  await expectNoOverhang(page);
}

/** Sets the default font of the browser in pixels, which media queries in `rem` follow, too. */
async function setFontSizes(page: Page, session: CDPSession, fontSizes: { standard: number; fixed: number }): Promise<void> {
  await session.send("Page.setFontSizes", { fontSizes });
  await expect(page.locator("html")).toHaveCSS("font-size", `${fontSizes.standard}px`);
}

/** Expects that the page does not scroll sideways. */
async function expectNoOverhang(page: Page): Promise<void> {
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
