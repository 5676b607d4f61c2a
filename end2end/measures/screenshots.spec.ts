/** Screenshots of every page with all viewports and colour schemes, in `screenshots/`, which git ignores. */
import { test } from "../tests/fixtures";
import { devices, openPageState, pageStates, pseudoStates } from "../tests/page_states";

// The server of the release, which `cargo make screenshots` uses, has no pseudo-language.
const states = process.env.E2E_PROFILE === "release" ? pageStates : [...pageStates, ...pseudoStates];

for (const state of states) {
  for (const device of devices) {
    test(`${state.name}, ${device.name}`, async ({ browser, data }) => {
      const page = await openPageState(state, device, browser, data);
      await page.screenshot({ path: `screenshots/${state.name}-${device.name}.png`, fullPage: true });
      await page.context().close();
    });
  }
}
