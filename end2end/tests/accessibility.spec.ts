/** Every page, in both themes, on a desk and on a phone, as far as a machine can check it. */
import { expect, expectAccessible, test } from "./fixtures";
import { looks, open, scenes } from "./scenes";

for (const look of looks.filter(({ name }) => ["desk-day", "phone-night"].includes(name))) {
  for (const scene of scenes) {
    test(`axe finds nothing in ${scene.name}, ${look.name}`, async ({ browser, stage }) => {
      const page = await open(scene, look, browser, stage);
      await expectAccessible(page);
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overhang, "the page scrolls sideways").toBeLessThanOrEqual(0);
      await page.context().close();
    });
  }
}
