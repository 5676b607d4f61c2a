/** The rules of a game: exercises to try, the rest folded. */
import { expect, expectAccessible, test } from "./fixtures";

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("five exercises are played before the rules are told", async ({ alice }) => {
      const { page } = alice;
      await page.setViewportSize({ width: 360, height: 740 });
      await page.goto("/rules/dots");
      const exercises = page.locator(".exercise");
      for (const [number, point] of ["2,3", "3,3", "3,2", "2,3", "2,2"].entries()) {
        const exercise = exercises.nth(number);
        await exercise.getByRole("radio", { name: point }).check();
        await expect(exercise.getByRole("status")).toHaveText(/^Right\./, { useInnerText: true });
        await exercise.getByRole("button", { name: "Again" }).click();
      }
      await expect(page.locator(".exercise .right")).toHaveCount(5);
      const two = exercises.filter({ hasText: "Close two lines with one dot." });
      await two.getByRole("radio", { name: "3,1" }).check();
      await expect(two.getByRole("status")).toHaveText("That does not do it. Try another point.", { useInnerText: true });
      await two.getByRole("radio", { name: "3,2" }).check();
      await expect(two.getByRole("status")).toHaveText("Right. Captures 2 dots.", { useInnerText: true });
      await expect(two.locator(".after .area")).toHaveCount(2);
      await expect(two.locator(".after svg")).toBeVisible();
      await two.getByRole("button", { name: "Again" }).click();
      await expect(two.locator(".after svg")).toBeHidden();

      const chapter = page.locator("details", { hasText: "Houses" });
      const rule = chapter.getByRole("heading", { name: "An empty enclosure is a house", includeHidden: true });
      await expect(rule).toBeHidden();
      await chapter.getByText("Houses").click();
      await expect(rule).toBeVisible();
      if (scripts) await expectAccessible(page);
    });
  });
}
