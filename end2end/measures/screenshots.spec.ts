/** Screenshots of every page with all viewports and colour schemes, in `screenshots/`, which git ignores. */
import { test } from "../tests/fixtures";
import { devices, openPageState, pageStates } from "../tests/page_states";

for (const state of pageStates) {
  for (const device of devices) {
    test(`${state.name}, ${device.name}`, async ({ browser, data }) => {
      const page = await openPageState(state, device, browser, data);
      await page.screenshot({ path: `screenshots/${state.name}-${device.name}.png`, fullPage: true });
      await page.context().close();
    });
  }
}
