/**
 * Screenshots of every page with all viewports and colour schemes, and of the most visited ones in all languages, in `screenshots/`,
 * which git ignores. The server is a debug build: that of a release has no pseudo-language.
 */
import { test } from "../tests/fixtures";
import { devices, openPageState, pageStates, pseudoStates, translatedStates } from "../tests/page_states";

for (const state of [...pageStates, ...pseudoStates, ...translatedStates]) {
  for (const device of devices) {
    test(`${state.name}, ${device.name}`, async ({ browser, data }) => {
      const page = await openPageState(state, device, browser, data);
      await page.screenshot({ path: `screenshots/${state.name}-${device.name}.png`, fullPage: true });
      await page.context().close();
    });
  }
}
