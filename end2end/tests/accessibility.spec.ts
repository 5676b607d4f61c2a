/** Automated accessibility checks (axe) of every page, on a phone in the dark scheme and on a desktop in the light one. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";
import { devices, openPageState, pageStates } from "./page_states";

// This page has no scripts, so it is no state of a page that hydrates.
test("no accessibility violations in the frame for other sites", async ({ page, data }) => {
  for (const match of [data.running, data.finished]) {
    await page.goto(`/embed/match/${match}`);
    await expectAccessible(page);
  }
});

const [desktop, phone] = ["desktop-light", "phone-dark"].map((wanted) => devices.find(({ name }) => name === wanted)!);

for (const state of pageStates) {
  test(`no accessibility violations in ${state.name}`, async ({ browser, data }) => {
    // First on the phone, because parts that are opened there are open on a desktop anyway, and not the reverse.
    const page = await openPageState(state, phone, browser, data);
    // Nobody else has changed the page, so nothing of it had to be restored.
    await expect(page.locator("html")).not.toHaveAttribute("data-repaired");
    await expectFit(page);
    // The same page, instead of loading another one, which takes longer than the check.
    const session = await page.context().newCDPSession(page);
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
    await page.emulateMedia({ colorScheme: desktop.colorScheme });
    await page.setViewportSize(desktop.viewport);
    await expectFit(page);
    await page.context().close();
  });
}

/** Expects no violations, and that the page does not scroll sideways. */
async function expectFit(page: Page): Promise<void> {
  await expectAccessible(page);
  const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
  expect(overhang, "the page scrolls sideways").toBeLessThanOrEqual(0);
}
