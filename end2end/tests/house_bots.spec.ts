/** House bots in a browser: one row of the lobby, however many they are, and a game with the one that is chosen. */
import { expectFit } from "./fit";
import { expect, test } from "./fixtures";
import { OwnServer } from "./own_server";

test("house bots are one row of the lobby, and the chosen one plays", async ({ alice }) => {
  const server = await OwnServer.start(() => ({ HOUSE_BOTS: "on" }));
  try {
    const { page } = alice;
    await page.setViewportSize({ width: 360, height: 740 });
    await alice.account(server.origin);
    await page.goto(`${server.origin}/play?game=boxes&board=3x3`);
    await alice.waitForHydration();
    const bots = page.locator(".bot-row");
    const level = bots.getByLabel("Play a bot");
    await expect(level.locator("option")).toHaveCount(8, { timeout: 60_000 });
    // A player without a rating meets a beginner.
    await expect(level.locator("option:checked")).toHaveText("Level 2 · 900");
    await expect(page.locator(".players tbody tr:not(.me)")).toHaveCount(0);
    await expect(page.locator("summary .with-people")).toBeVisible();
    await expectFit(page);

    await level.selectOption({ index: 0 });
    await bots.getByRole("button", { name: "Play" }).press("Enter");
    await expect(page).toHaveURL(/\/match\/\d+/);
    await alice.waitForHydration();
    await expect(page.locator(".seat").filter({ hasText: "Level 1" })).toBeVisible();
    await expect(page.locator(".turn")).toHaveText("Your move", { timeout: 30_000 });
    // Chance has said who begins, and the bot moves in either case.
    const lines = page.locator(".dots .bar");
    const own = (await lines.count()) === 0 ? 1 : 0;
    if (own > 0) await alice.type("h:0,0");
    await expect.poll(() => lines.count()).toBeGreaterThan(own);
  } finally {
    await server.stop();
  }
});
