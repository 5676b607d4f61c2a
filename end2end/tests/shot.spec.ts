import { test } from "./fixtures";
import { devices, openPageState, pageStates } from "./page_states";
test.skip(!process.env.SHOTS);
for (const device of devices) for (const state of pageStates) {
  if (!(process.env.SHOTS ?? "").split(",").includes(state.name)) continue;
  test(`${state.name} ${device.name}`, async ({ browser, data }: any) => {
    const page = await openPageState(state, device, browser, data);
    await page.screenshot({ path: `/tmp/w/shots/${state.name}-${device.name}.png`, fullPage: false });
  });
}
