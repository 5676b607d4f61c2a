/** Every page, in both themes, on a desk and on a phone, as far as a machine can check it. */
import { expect, expectAccessible, test } from "./fixtures";

const looks = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 360, height: 740 },
] as const;

for (const { colorScheme, width, height } of looks) {
  test(`axe finds nothing in ${colorScheme} at ${width} × ${height}`, async ({ alice, bob }) => {
    test.setTimeout(120_000);
    for (const player of [alice, bob]) {
      await player.page.setViewportSize({ width, height });
      // Colours that are still changing have no contrast to measure.
      await player.page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    }
    const { page } = alice;
    const check = async () => {
      await alice.awake();
      await expectAccessible(page);
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overhang, "the page scrolls sideways").toBeLessThanOrEqual(0);
    };

    for (const path of ["/", "/register", "/login", "/nowhere"]) {
      await page.goto(path);
      await check();
    }
    await alice.register();
    await bob.register();
    await expect(page.getByRole("row", { name: bob.name })).toBeVisible();
    await check();
    await bob.awake();
    await bob.challenge(alice);
    await expect(page.getByText("challenges you")).toBeVisible();
    await check();
    await page.getByRole("button", { name: "Accept" }).click();
    await expect(page).toHaveURL(/\/match\//);
    await bob.type("3,3");
    await expect(alice.moves).toHaveCount(1);
    await check();
    await page.getByText("Resign", { exact: true }).click();
    await page.getByRole("button", { name: "Yes, resign" }).click();
    await expect(page.getByRole("heading", { name: "You lose" })).toBeVisible();
    await check();
  });
}
