/** The differences between the games in a match: previews, moves, and the end of the game. */
import { expect, test, expectAccessible, type Player } from "./fixtures";
import { move, startMatch, pointOnScreen, type Setup } from "./match_actions";

/** Moves the mouse to a place of the board, which may be between two points. */
async function pointAt(player: Player, x: number, y: number): Promise<void> {
  const spot = await pointOnScreen(player.page, x, y);
  await player.page.mouse.move(spot.x, spot.y);
}

async function clickAt(player: Player, x: number, y: number): Promise<void> {
  const spot = await pointOnScreen(player.page, x, y);
  await player.page.mouse.click(spot.x, spot.y);
}

/** The middle of a line in the notation `h:0,0`. */
function middleOf(line: string): [number, number] {
  const [way, x, y] = line.split(/[:,]/);
  return way === "h" ? [Number(x) + 0.5, Number(y)] : [Number(x), Number(y) + 0.5];
}

/** The square in the notation `d3`. */
function square(name: string): [number, number] {
  return [name.charCodeAt(0) - "a".charCodeAt(0), Number(name[1]) - 1];
}

test("Dots and Boxes: a closed box is previewed, announced, and gives another turn, until the end", async ({ alice, bob }) => {
  await startMatch({ cols: 2, rows: 2 }, alice, bob, "none", "boxes");
  for (const [player, line] of [
    [alice, "h:0,0"],
    [bob, "v:0,0"],
    [alice, "h:0,1"],
  ] as const) {
    await expect(player.page.getByText("Your move")).toBeVisible();
    await clickAt(player, ...middleOf(line));
  }
  await expect(bob.page.getByText("Your move")).toBeVisible();
  await pointAt(bob, ...middleOf("v:1,0"));
  await expect(bob.page.getByText("Takes 1 box, and you move again.")).toBeVisible();
  await expect(bob.page.locator(".board .capture-preview")).toHaveCount(1);
  await clickAt(bob, ...middleOf("v:1,0"));
  for (const player of [alice, bob]) {
    const box = player.page.locator(".area.box");
    await expect(box).toHaveClass(/blue/);
    await expect(box).toHaveText("b");
  }
  await expect(bob.page.getByText("Your move")).toBeVisible();
  await expect(alice.page.getByText(/line below dot 1, 0. Takes 1 box and moves again./)).toBeAttached();

  // With the arrow keys, from the last line to the row above.
  await bob.board.focus();
  await bob.page.keyboard.press("ArrowUp");
  await expect(bob.page.getByText(/line below dot 1, 0: Blue/)).toBeAttached();
  await bob.page.keyboard.press("ArrowUp");
  await expect(bob.page.getByText(/line right of dot 1, 0: free/)).toBeAttached();
  await bob.page.keyboard.press("Enter");
  await expect(alice.page.getByText("Your move")).toBeVisible();
  await clickAt(alice, ...middleOf("h:1,0"));
  await expect(alice.page.getByText("This line is drawn already.").first()).toBeVisible();
  await expectAccessible(alice.page);

  // The side to move draws the remaining lines.
  const left = ["v:0,1", "h:0,2", "v:1,1", "v:2,0", "h:1,1", "v:2,1", "h:1,2"];
  for (const line of left) {
    const turn = async () => (await alice.page.getByText("Your move").isVisible()) ? alice : bob;
    const player = await turn();
    const before = await player.moves.count();
    await move(player, line);
    for (const { moves } of [alice, bob]) await expect(moves).toHaveCount(before + 1);
  }
  for (const player of [alice, bob]) {
    await expect(player.page.getByText("All boxes are taken.")).toBeVisible();
    // The winner's own score comes first, and the loser's own to the loser.
    await expect(player.page.locator(".turn")).toHaveText(/^(You win [34] : [01]|You lose [01] : [34]|Draw 2 : 2)$/);
    await expect(player.page.locator(".area.box")).toHaveCount(4);
  }
});

test("Gomoku: the fifth stone is previewed and wins; the row is marked, also in the replay", async ({
  alice,
  bob,
}) => {
  const match = await startMatch({ size: 15 }, alice, bob, "none", "gomoku");
  for (let x = 3; x < 7; x += 1) {
    await expect(alice.page.getByText("Your move")).toBeVisible();
    await clickAt(alice, x, 7);
    await expect(bob.page.getByText("Your move")).toBeVisible();
    await clickAt(bob, x, 8);
  }
  await expect(alice.page.getByText("Your move")).toBeVisible();
  await clickAt(alice, 3, 8);
  await expect(alice.page.getByText("This place is taken.").first()).toBeVisible();
  await pointAt(alice, 7, 7);
  await expect(alice.page.getByText("Five in a row: you win.")).toBeVisible();
  await expect(alice.page.locator(".board .ghost")).toHaveCount(1);
  await clickAt(alice, 7, 7);
  await expect(alice.page.getByRole("heading", { name: "You win" })).toBeVisible();
  await expect(bob.page.getByRole("heading", { name: "You lose" })).toBeVisible();
  for (const player of [alice, bob]) {
    await expect(player.page.locator(".won.red")).toHaveCount(1);
    await expect(player.page.getByText("Five in a row.").first()).toBeVisible();
    // Nine stones of 225: the bar below the board has begun.
    await expect(player.page.locator(".board .progress")).toHaveAttribute("d", /h[1-9]\d*$/);
  }
  await expectAccessible(bob.page);
  await bob.page.goto(`/match/${match}/replay`);
  await bob.waitForHydration();
  await expect(bob.page.locator(".won.red")).toHaveCount(1);
  await bob.page.getByRole("button", { name: "Previous move" }).click();
  await expect(bob.page.locator(".won.red")).toHaveCount(0);
});

test("Reversi: legal squares are marked, flips are previewed, and a side without discs loses", async ({
  alice,
  bob,
}) => {
  await startMatch({}, alice, bob, "none", "reversi");
  await expect(alice.page.locator(".board .open.red")).toHaveCount(4);
  await expect(bob.page.locator(".board .open circle")).toHaveCount(0);
  await clickAt(alice, 0, 0);
  await expect(alice.page.getByText("This move flips no discs.").first()).toBeVisible();
  await pointAt(alice, ...square("e6"));
  await expect(alice.page.getByText("Flips 1 disc.")).toBeVisible();
  await expect(alice.page.locator(".board .flip-preview")).toHaveCount(1);
  const line = ["e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5"];
  for (const [ply, name] of line.entries()) {
    const player = ply % 2 ? bob : alice;
    await expect(player.page.getByText("Your move")).toBeVisible();
    await clickAt(player, ...square(name));
  }
  for (const player of [alice, bob]) {
    await expect(player.page.getByText("Neither side can move.")).toBeVisible();
    await expect(player.page.locator(".board .stone.red")).toHaveCount(13);
    await expect(player.page.locator(".board .stone.blue")).toHaveCount(0);
    await expect(player.moves.last()).toContainText("c5");
  }
  await expectAccessible(alice.page);
});

test("Reversi: a player without a move passes, and both players see it", async ({ alice, bob }) => {
  await startMatch({}, alice, bob, "none", "reversi");
  const line = ["d3", "c3", "b3", "b2", "f5", "a3", "a1"];
  for (const [ply, name] of line.entries()) await move(ply % 2 ? bob : alice, name);
  await expect(bob.moves).toHaveCount(line.length);
  await bob.type("C1");
  await expect(bob.page.getByText(`Your move · ${alice.name} has no move.`)).toBeVisible();
  await expect(alice.page.getByText("Opponent’s move · You have no move.")).toBeVisible();
  await expect(alice.page.getByText(/White at c1. Flips \d discs?. You have no move./)).toBeAttached();
});

test("Reversi: a setting turns the marks off", async ({ alice, bob }) => {
  await startMatch({}, alice, bob, "none", "reversi");
  const mark = alice.page.locator(".board .open.red").first();
  await expect(mark).toBeVisible();
  await alice.page.getByRole("button", { name: "Settings" }).click();
  await alice.page.getByLabel("Show legal moves").uncheck();
  await expect(mark).toBeHidden();
});

for (const [game, setup, moves] of [
  ["gomoku", { size: 15 }, ["7,7", "8,8"]],
  ["reversi", {}, []],
] as const) {
  test(`the stones of ${game} are black and white, until the colours of the pens are chosen`, async ({ alice, bob }) => {
    await startMatch(setup, alice, bob, "none", game);
    for (const [ply, at] of moves.entries()) await move(ply % 2 ? bob : alice, at);
    const { page } = alice;
    await expect(page.locator(".board .stone.red").first()).toHaveCSS("fill", "rgb(20, 24, 28)");
    await expect(page.locator(".board .stone.blue").first()).toHaveCSS("fill", "rgb(255, 255, 255)");
    await expectAccessible(page);
    await page.getByRole("button", { name: "Settings" }).click();
    const palette = page.getByLabel("Colours");
    await palette.selectOption("pens");
    await expect(page.locator(".board .stone.red").first()).toHaveCSS("fill", "rgb(191, 42, 32)");
    // The panel is still open, and the page is the same.
    await palette.selectOption("stones");
    await expect(page.locator(".board .stone.red").first()).toHaveCSS("fill", "rgb(20, 24, 28)");
  });
}

test.describe("without scripts", () => {
  test.use({ scripts: false });

  const games: { game: string; setup: Setup; line: string; end: string }[] = [
    {
      game: "boxes",
      setup: { cols: 2, rows: 2 },
      line: "h:0,0 v:0,0 h:0,1 v:1,0 h:1,0 h:1,1 v:2,0 v:0,1 h:0,2 v:1,1 h:1,2 v:2,1",
      end: "All boxes are taken.",
    },
    { game: "gomoku", setup: { size: 15 }, line: "0,0 0,1 1,0 1,1 2,0 2,1 3,0 3,1 4,0", end: "Five in a row." },
    { game: "reversi", setup: {}, line: "e6 f4 e3 f6 g5 d6 e7 f5 c5", end: "Neither side can move." },
  ];

  for (const { game, setup, line, end } of games) {
    test(`a whole game of ${game} is played by typing moves`, async ({ alice, bob }) => {
      const match = await startMatch(setup, alice, bob, "none", game);
      await alice.type("99,99");
      await expect(alice.page.getByRole("alert")).not.toBeEmpty();
      const moves = line.split(" ");
      for (const [ply, mv] of moves.entries()) {
        const { to_move } = await (await alice.page.request.get(`/api/match?id=${match}`)).json();
        const player = [alice, bob][to_move - 1];
        // The page of the waiting player reloads itself every few seconds; a reload here is faster.
        await player.page.goto(`/match/${match}`);
        await player.type(mv);
        await expect(player.moves).toHaveCount(ply + 1);
      }
      for (const player of [alice, bob]) {
        await player.page.goto(`/match/${match}`);
        await expect(player.page.getByText(end).first()).toBeVisible();
      }
    });
  }
});
