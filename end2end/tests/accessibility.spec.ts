/** Automated accessibility checks (axe) of every page, in both colour schemes, with desktop and phone viewports. */
import { expect, expectAccessible, test } from "./fixtures";
import { devices, openPageState, pageStates } from "./page_states";

// It has no scripts, so it is no state of a page that hydrates.
test("no accessibility violations in the frame for other sites", async ({ page, data }) => {
  for (const match of [data.running, data.finished]) {
    await page.goto(`/embed/match/${match}`);
    await expectAccessible(page);
  }
});

for (const device of devices.filter(({ name }) => ["desktop-light", "phone-dark"].includes(name))) {
  for (const state of pageStates) {
    test(`no accessibility violations in ${state.name}, ${device.name}`, async ({ browser, data }) => {
      const page = await openPageState(state, device, browser, data);
      // Nobody else has changed the page, so nothing of it had to be restored.
      await expect(page.locator("html")).not.toHaveAttribute("data-repaired");
      await expectAccessible(page);
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overhang, "the page scrolls sideways").toBeLessThanOrEqual(0);
      await page.context().close();
    });
  }
}
