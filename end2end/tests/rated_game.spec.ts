/** Two players meet in the lobby and play a rated game with a capture to the end. */
import { expect, test, type Player } from "./fixtures";

// Also beside a service worker.
test.use({ serviceWorkers: "allow" });

async function meet(alice: Player, bob: Player): Promise<void> {
  await alice.register();
  await bob.register();
  await alice.waitForHydration();
  await bob.waitForHydration();
}

/** Starts a match from the lobby; the challenger is red. */
async function sitDown(red: Player, blue: Player): Promise<void> {
  await meet(red, blue);
  await red.challenge(blue);
  await blue.page.getByRole("button", { name: "Accept" }).click();
  for (const player of [red, blue]) {
    await expect(player.page).toHaveURL(/\/match\/\d+/);
    await player.waitForHydration();
  }
}

test("players see each other join and leave; challenges are declined and cancelled", async ({ alice, bob }) => {
  await meet(alice, bob);
  await expect(alice.page.getByRole("row", { name: bob.name })).toContainText("1600?");
  await expect(bob.page.getByRole("row", { name: alice.name })).toContainText("1600?");

  await alice.challenge(bob);
  await expect(alice.page.getByText(`Waiting for ${bob.name} to answer`)).toBeVisible();
  await expect(bob.page.getByText(`${alice.name} (1600?) challenges you`)).toBeVisible();
  await bob.page.getByRole("button", { name: "Decline" }).click();
  await expect(alice.page.getByText(`${bob.name} declined your challenge`)).toBeVisible();
  await expect(bob.page.getByText(`You declined the challenge from ${alice.name}`)).toBeVisible();

  await alice.challenge(bob);
  await alice.page.getByRole("button", { name: "Cancel" }).click();
  await expect(bob.page.getByText(`${alice.name} withdrew the challenge`)).toBeVisible();

  await bob.page.close();
  await expect(alice.page.getByRole("row", { name: bob.name })).toHaveCount(0, { timeout: 30_000 });
});

test("a whole rated game: preview of a capture, refused move, resignation, new ratings", async ({
  alice,
  bob,
}) => {
  await sitDown(alice, bob);
  await expect(alice.page.getByText("Your move")).toBeVisible();
  await expect(bob.page.getByText("Opponent’s move")).toBeVisible();

  const moves: [Player, number, number][] = [
    [alice, 18, 15],
    [bob, 19, 15],
    [alice, 20, 15],
    [bob, 5, 5],
    [alice, 19, 14],
    [bob, 5, 6],
  ];
  for (const [ply, [player, x, y]] of moves.entries()) {
    await expect(player.page.getByText("Your move")).toBeVisible();
    await player.click(x, y);
    await expect(player.moves).toHaveCount(ply + 1);
  }

  // The preview of the capturing move.
  await expect(alice.page.getByText("Your move")).toBeVisible();
  await alice.hover(19, 16);
  await expect(alice.page.getByText("Captures 1 dot.")).toBeVisible();
  await expect(alice.board.getByText("+1")).toBeVisible();
  await alice.hover(5, 5);
  await expect(alice.page.getByText("This place is taken.")).toBeVisible();
  await alice.click(5, 5);
  await expect(alice.moves).toHaveCount(6);

  await alice.click(19, 16);
  for (const player of [alice, bob]) {
    await expect(player.moves).toHaveCount(7);
    await expect(player.page.locator("section.seat", { hasText: alice.name }).locator(".points")).toContainText("1");
  }
  await expect(bob.page.getByText("Red at 19, 16. Captures 1.")).toBeAttached();

  // A move onto a captured dot is refused with a message; the next move is accepted.
  await bob.type("19,15");
  await expect(bob.page.getByText("This place is taken.")).toBeVisible();
  await bob.type("6,6");
  await expect(alice.moves).toHaveCount(8);

  await bob.page.getByText("Resign", { exact: true }).click();
  await bob.page.getByRole("button", { name: "Yes, resign" }).click();
  await expect(alice.page.getByRole("heading", { name: "You win" })).toBeVisible();
  await expect(bob.page.getByRole("heading", { name: "You lose" })).toBeVisible();
  for (const player of [alice, bob]) {
    await expect(player.page.getByText(`${bob.name} resigned.`)).toBeVisible();
    await expect(player.page.getByText(`${alice.name}: 1600? → 1612?`)).toBeVisible();
    await expect(player.page.getByText(`${bob.name}: 1600? → 1588?`)).toBeVisible();
  }

  await alice.page.getByRole("link", { name: "Back to the lobby" }).click();
  await expect(alice.page.getByRole("row", { name: alice.name })).toContainText("1612?");
});

test("a visitor watches without an account and has no controls", async ({ alice, bob, browser }) => {
  await sitDown(alice, bob);
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(alice.page.url());
  await expect(visitor.getByText(`${alice.name} to move`)).toBeVisible();
  await alice.click(3, 3);
  await expect(visitor.getByText(`${bob.name} to move`)).toBeVisible();
  await expect(visitor.getByRole("button", { name: "Place" })).toHaveCount(0);
  for (const name of ["Abort", "Resign"]) await expect(visitor.getByText(name, { exact: true })).toHaveCount(0);
  await visitor.context().close();
});

test("a move made offline is shown at once, marked as pending, and made exactly once", async ({
  alice,
  bob,
}) => {
  await alice.shareNoStream();
  await sitDown(alice, bob);
  await alice.page.context().setOffline(true);
  await alice.click(3, 3);
  await expect(alice.moves).toHaveText([/3,3/]);
  await expect(alice.page.getByText("Connection lost")).toBeVisible();
  await alice.page.context().setOffline(false);
  await expect(alice.page.getByText("Connection lost")).toHaveCount(0, { timeout: 20_000 });
  await expect(alice.moves).toHaveText([/3,3/]);
  await expect(bob.moves).toHaveText([/3,3/]);
});
