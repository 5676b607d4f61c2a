/** Every page as it looks, on a desk and on a phone, by day and by night: pictures in `screenshots/`, which git ignores. */
import { test } from "../tests/fixtures";
import { looks, open, scenes } from "../tests/scenes";

for (const scene of scenes) {
  for (const look of looks) {
    test(`${scene.name}, ${look.name}`, async ({ browser, stage }) => {
      const page = await open(scene, look, browser, stage);
      await page.screenshot({ path: `screenshots/${scene.name}-${look.name}.png`, fullPage: true });
      await page.context().close();
    });
  }
}
