/** The lobbies of the games: switching between them, and the choice that each remembers. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, Player, test } from "./fixtures";

// Several browser contexts, and hydration of a debug build is slow.
test.describe.configure({ timeout: 240_000 });

const games = (page: Page) => page.getByRole("navigation", { name: "Games" });
const chosen = (page: Page) => page.locator("#chosen");
const row = (page: Page, player: Player) => page.getByRole("row", { name: player.name });

/** Registers a player and opens the lobby of this game. */
async function enter(player: Player, game: string): Promise<void> {
  await player.account();
  await player.page.goto(`/play?game=${game}`);
  await player.waitForHydration();
  await expect(row(player.page, player)).toBeVisible();
}

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("the chosen game is remembered for the next visit", async ({ alice, bob }) => {
      await enter(alice, "dots");
      const { page } = alice;
      await expect(games(page).getByRole("link", { name: "Dots", exact: true })).toHaveAttribute("aria-current", "page");

      // The filter is not kept, because ratings of different games are not comparable.
      await page.goto("/play?game=dots&min=1400&open=choice");
      await games(page).getByRole("link", { name: "Gomoku" }).click();
      await alice.waitForHydration();
      await expect(page).toHaveURL(/\/play\?game=gomoku(?!.*min=)/);
      await expect(games(page).getByRole("link", { name: "Gomoku" })).toHaveAttribute("aria-current", "page");
      await expect(chosen(page)).toHaveText("Gomoku · 19 × 19 · freestyle · 5 min + 5 s per move · rated");

      if (scripts) {
        await expectAccessible(page);
        await page.getByText("Game settings").click();
        await page.getByLabel("15 × 15").check();
        await page.getByLabel("standard").check();
      } else {
        await page.goto("/play?game=gomoku&size=15&rule=standard&open=choice");
      }
      const mine = "Gomoku · 15 × 15 · standard · 5 min + 5 s per move · rated";
      await expect(chosen(page)).toHaveText(mine);

      // A challenge from this lobby is for its game.
      await enter(bob, "gomoku");
      if (!scripts) await page.goto("/play");
      await expect(row(page, bob)).toBeVisible();
      await expect(async () => {
        await bob.challenge(alice);
        await expect(bob.page.getByText(`Waiting for ${alice.name} to answer.`)).toBeVisible();
      }).toPass();
      if (!scripts) await page.goto("/play");
      const asks = page.getByRole("region", { name: "Challenges" }).locator("form");
      await expect(asks).toContainText(`${bob.name} (1600?) challenges you`);
      await expect(asks).toContainText("Gomoku · 19 × 19 · freestyle · 5 min + 5 s per move · rated");
      await asks.getByRole("button", { name: "Decline" }).click();
      await expect(asks).toHaveCount(0);

      await page.goto("/");
      await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Play" }).click();
      await alice.waitForHydration();
      await expect(chosen(page)).toHaveText(mine);
      await games(page).getByRole("link", { name: "Dots", exact: true }).click();
      await alice.waitForHydration();
      await expect(chosen(page)).toHaveText(/^Dots · 39 × 32 · empty board/);
      await games(page).getByRole("link", { name: "Gomoku" }).click();
      await expect(chosen(page)).toHaveText(mine);
    });
  });
}

test("the front page and the rules link to each game", async ({ alice }) => {
  const { page } = alice;
  await alice.account();
  for (const [name, heading] of [
    ["Dots", "How to play Dots"],
    ["Dots and Boxes", "How to play Dots and Boxes"],
    ["Gomoku", "How to play Gomoku"],
    ["Reversi", "How to play Reversi"],
  ]) {
    await page.goto("/");
    await page.getByRole("region", { name: "Choose a game" }).getByRole("link", { name, exact: true }).click();
    await expect(games(page).locator("[aria-current]")).toHaveText(name);
    await page.goto("/rules");
    await page.getByRole("main").getByRole("link", { name, exact: true }).click();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(heading);
    await page.getByRole("main").getByRole("link", { name: "Play", exact: true }).click();
    await expect(games(page).locator("[aria-current]")).toHaveText(name);
  }
});
