/** A whole game without scripts, with pages and forms alone. */
import { expect, test, type Player } from "./fixtures";

test.use({ scripts: false });

test("the front page shows a position, and leads to the rules and to people", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/?game=boxes");
  const game = page.getByRole("region", { name: "Your game" });
  await expect(game.getByRole("img")).toBeVisible();
  await expect(game.getByRole("application")).toHaveCount(0);
  await game.getByRole("link", { name: "Learn the rules" }).click();
  await expect(page).toHaveURL("/rules/boxes");
  await page.goBack();
  await game.getByRole("link", { name: "Reversi" }).click();
  await expect(page).toHaveURL("/?game=reversi");
  await game.getByRole("link", { name: "Play a person" }).click();
  await expect(page).toHaveURL(/\/play\?game=reversi|\/login/);
});

test("a whole game with forms alone", async ({ alice, bob }) => {
  await alice.registerOnPage();
  await bob.register();

  // A 5 × 5 board, so that the game ends by its rules.
  await alice.page.goto("/play?game=dots&board=own&width=5&height=5");
  await bob.page.goto("/play");
  await alice.page.reload();
  await alice.challenge(bob);
  await expect(alice.page.getByText(`Waiting for ${bob.name} to answer`)).toBeVisible();
  await bob.page.reload();
  await bob.page.getByRole("button", { name: "Decline" }).click();
  await alice.page.goto("/play?game=dots&board=own&width=5&height=5");
  await expect(alice.page.getByText("to answer.")).toHaveCount(0);
  await alice.challenge(bob);
  await bob.page.goto("/play");
  await bob.page.getByRole("button", { name: "Accept" }).click();
  await expect(bob.page).toHaveURL(/\/match\/\d+/);
  // The challenger's page reloads itself and redirects to the match.
  await expect(alice.page).toHaveURL(/\/match\/\d+/);

  // Red encloses 1,1; then a move onto the captured dot is refused with a message.
  const opening: [Player, string][] = [
    [alice, "1,0"],
    [bob, "1,1"],
    [alice, "0,1"],
    [bob, "4,4"],
    [alice, "2,1"],
    [bob, "4,3"],
    [alice, "1,2"],
  ];
  for (const [player, move] of opening) {
    await player.refresh();
    await player.type(move);
  }
  await bob.refresh();
  await bob.type("1,1");
  await expect(bob.page.getByText("This place is taken.")).toBeVisible();

  // The remaining points, row by row.
  const taken = new Set(opening.map(([, move]) => move));
  let [turn, other] = [bob, alice];
  for (let y = 0; y < 5; y += 1) {
    for (let x = 0; x < 5; x += 1) {
      if (taken.has(`${x},${y}`)) continue;
      await turn.refresh();
      await turn.type(`${x},${y}`);
      [turn, other] = [other, turn];
    }
  }
  for (const player of [alice, bob]) {
    await player.refresh();
    await expect(player.page.getByText("The board is full")).toBeVisible();
    await expect(player.page.getByText(`${alice.name}: 1600? → 1612?`)).toBeVisible();
  }
  await alice.page.getByRole("link", { name: "Back to the lobby" }).click();
  await expect(alice.page).toHaveURL(/\/play/);
});
