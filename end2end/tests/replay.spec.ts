/** Stepping through a game: during the match, in its replay, and in an uploaded record. */
import { readFile } from "node:fs/promises";
import { expect, test, type Player } from "./fixtures";
import { move, startMatch } from "./match_actions";

/** Types these moves alternately; each is shown on all boards before the next. */
async function play(red: Player, blue: Player, moves: string[]): Promise<void> {
  for (const move of moves) {
    const before = await red.moves.count();
    await (before % 2 === 0 ? red : blue).type(move);
    for (const player of [red, blue]) {
      await expect(player.moves).toHaveCount(before + 1);
    }
  }
}

/** The last of these moves captures the blue dot at 1,1. */
const capture = ["1,0", "1,1", "0,1", "4,4", "2,1", "4,3", "1,2"];

const dots = (player: Player) => player.page.locator("svg.board circle.dot:not(.ghost)");
const slider = (player: Player) => player.page.getByRole("slider", { name: "Move shown" });
const press = (player: Player, name: string) => player.page.getByRole("button", { name }).click();

test("earlier positions of a running game can be viewed but not played in", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  await play(alice, bob, capture);

  // Stepping back with button, key and mouse does not affect the opponent's board.
  const mark = bob.page.getByText(/^Move \d+ of \d+.* · /);
  await expect(mark).toBeHidden();
  await press(bob, "Previous move");
  await expect(mark).toHaveText(/Move 6 of 7: Blue 4,3 · 0 : 0/);
  await expect(dots(bob)).toHaveCount(6);
  await expect(dots(alice)).toHaveCount(7);
  await bob.page.keyboard.press("ArrowLeft");
  await expect(mark).toHaveText(/Move 5 of 7/);
  await bob.page.keyboard.press("Home");
  await expect(dots(bob)).toHaveCount(0);
  await bob.page.getByRole("link", { name: "Blue 1,1" }).click();
  await expect(mark).toHaveText(/Move 2 of 7/);
  await expect(bob.page.locator("[aria-current=step]")).toHaveText(/1,1/);
  await expect(dots(bob)).toHaveCount(2);

  // Blue is to move, but not in an earlier position.
  await expect(bob.page.getByText("Your move")).toBeVisible();
  await expect(bob.page.getByRole("button", { name: "Place" })).toBeDisabled();
  await bob.click(20, 20);
  await expect(bob.page.getByText("Viewing an earlier move.")).toBeVisible();
  await expect(bob.moves).toHaveCount(7);

  // The score is the current one, the board shows the earlier position.
  await expect(bob.page.locator(".seat.red .points")).toContainText("1");

  await bob.page.getByRole("link", { name: "Back to the game" }).click();
  await expect(mark).toBeHidden();
  await expect(dots(bob)).toHaveCount(7);
  await bob.click(20, 20);
  await expect(alice.moves).toHaveCount(8);
});

test("new moves and takebacks are announced without leaving the earlier position", async ({
  alice,
  bob,
}) => {
  await startMatch({}, alice, bob);
  await play(alice, bob, ["1,0", "1,1", "0,1"]);
  await press(alice, "To the start");
  await press(alice, "Next move");
  await expect(dots(alice)).toHaveCount(1);
  await bob.type("5,5");
  await expect(alice.page.getByText("1 new move", { exact: true })).toBeVisible();
  await expect(dots(alice)).toHaveCount(1);
  await expect(alice.page.getByText("Move 1 of 4")).toBeVisible();

  await press(alice, "To the end");
  await expect(alice.page.getByText("new move")).toBeHidden();
  await expect(dots(alice)).toHaveCount(4);
  await alice.type("6,6");
  await expect(bob.moves).toHaveCount(5);

  // If the viewed move is taken back, the current position is shown.
  const watching = await bob.page.context().newPage();
  await watching.goto(`${bob.page.url()}?ply=4`);
  await expect(watching.getByText("Move 4 of 5")).toBeVisible();
  const id = /\/match\/(\d+)/.exec(alice.page.url())![1];
  const offered = await alice.page.request.post("/api/offer", { form: { match_id: id, kind: "takeback" } });
  expect(offered.status()).toBe(200);
  const accepted = await bob.page.request.post("/api/answer_offer", { form: { match_id: id, accept: "true" } });
  expect(accepted.status()).toBe(200);
  await expect(alice.moves).toHaveCount(4);
  await expect(watching.getByText("Move 4 of 5")).toBeHidden();
  await expect(watching.locator("svg.board circle.dot")).toHaveCount(4);
  await alice.type("7,7");
  await expect(watching.locator("svg.board circle.dot")).toHaveCount(5);
});

test("a finished game is replayed with keys, slider and URL, downloaded and uploaded again", async ({
  alice,
  bob,
}) => {
  await startMatch({}, alice, bob);
  await play(alice, bob, capture);
  const table = alice.page.url();
  await alice.page.goto(`${table}/replay`);
  await expect(alice.page).toHaveURL(table);

  await bob.page.getByText("Resign", { exact: true }).click();
  await bob.page.getByRole("button", { name: "Yes, resign" }).click();
  await bob.page.getByRole("link", { name: "Replay" }).click();
  await expect(bob.page).toHaveURL(`${table}/replay`);
  await bob.waitForHydration();
  await expect(bob.page.getByRole("heading", { name: `${alice.name} wins` })).toBeVisible();
  const points = bob.page.locator(".seat.red .points");
  await expect(points).toHaveText("Captured 1");

  // The keys work on the whole page, and the URL is updated.
  await bob.page.keyboard.press("ArrowLeft");
  await expect(bob.page.getByRole("status").getByText("Move 6 of 7: Blue 4,3")).toBeVisible();
  await expect(bob.page).toHaveURL(/\?ply=6$/);
  await expect(points).toHaveText("Captured 0");
  await slider(bob).focus();
  await bob.page.keyboard.press("Home");
  await expect(dots(bob)).toHaveCount(0);
  await bob.page.keyboard.press("ArrowRight");
  await expect(slider(bob)).toHaveAttribute("aria-valuetext", "Move 1 of 7: Red 1,0");
  await press(bob, "To the end");
  await expect(bob.page).toHaveURL(/\/replay$/);
  await expect(dots(bob)).toHaveCount(7);
  await bob.page.goto(`${table}/replay?ply=3`);
  await expect(dots(bob)).toHaveCount(3);

  const download = async (link: string) => {
    const downloading = bob.page.waitForEvent("download");
    await bob.page.getByRole("link", { name: link }).click();
    const file = await downloading;
    expect(file.suggestedFilename()).toMatch(new RegExp(`^${alice.name}-${bob.name}-\\d+\\.sgf$`));
    return { file, sgf: await readFile(await file.path(), "utf8") };
  };
  expect((await download("zagram.org")).sgf).toMatch(/Punish=0.*;B\[ba\];W\[bb\]/s);
  expect((await download("playdots.ru")).sgf).toMatch(/russian.*;B\[ba\];W\[bb\]/s);
  const { file, sgf } = await download("Download SGF");
  expect(sgf).toContain(";B[ba];W[bb];B[ab];W[ee];B[cb];W[ed];B[bc]");

  await bob.page.getByRole("link", { name: "Open an SGF" }).click();
  await bob.page.getByLabel("File", { exact: true }).setInputFiles(await file.path());
  await bob.page.getByRole("button", { name: "Show game" }).click();
  await bob.waitForHydration();
  await expect(bob.page.getByRole("heading", { name: `${alice.name} – ${bob.name}` })).toBeVisible();
  await expect(bob.page.getByText(`${bob.name} resigned.`)).toBeVisible();
  await expect(points).toHaveText("Captured 1");
  await bob.page.keyboard.press("ArrowLeft");
  await expect(points).toHaveText("Captured 0");
  await bob.page.getByRole("link", { name: "Red 1,0" }).click();
  await expect(dots(bob)).toHaveCount(1);
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("an uploaded record is stepped through with buttons", async ({ alice }) => {
    const { page } = alice;
    await page.goto("/sgf");
    await page.getByRole("button", { name: "Show game" }).click();
    await expect(page.getByText("Choose a file, or paste its text.")).toBeVisible();
    await page.getByLabel("Or paste its text").fill("(;GM[40]SZ[5]\nPB[Anna]PW[<b>Bo]\n;B[ba];W[bb];B[ab];W[ee])");
    await page.getByRole("button", { name: "Show game" }).click();
    await expect(page.getByRole("heading", { name: "Anna – <b>Bo" })).toBeVisible();
    await expect(dots(alice)).toHaveCount(4);
    await press(alice, "Previous move");
    await press(alice, "Previous move");
    await expect(dots(alice)).toHaveCount(2);
    await slider(alice).fill("1");
    await press(alice, "Show");
    await expect(dots(alice)).toHaveCount(1);
    await expect(page.getByText("Move 1 of 4")).toBeVisible();
  });

  test("an earlier position is a page with a link to the current one", async ({ alice, bob }) => {
    await startMatch({}, alice, bob);
    for (const [ply, at] of capture.entries()) await move(ply % 2 ? bob : alice, at);
    const { page } = bob;
    await page.goto(`${page.url()}?ply=2`);
    await expect(page.getByText("Move 2 of 7: Blue 1,1")).toBeVisible();
    await press(bob, "Next move");
    await expect(dots(bob)).toHaveCount(3);
    await expect(page.getByRole("button", { name: "Place" })).toBeDisabled();
    await page.getByRole("region", { name: "Moves" }).getByRole("link", { name: "Red 1,2" }).click();
    await expect(dots(bob)).toHaveCount(7);
    await expect(page.getByRole("link", { name: "Back to the game" })).toBeHidden();
    await press(bob, "To the start");
    await page.getByRole("link", { name: "Back to the game" }).click();
    await expect(dots(bob)).toHaveCount(7);
    await expect(page.getByRole("button", { name: "Place" })).toBeEnabled();
  });

  test("a rule is shown step by step", async ({ alice }) => {
    const { page } = alice;
    await page.goto("/");
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Rules" }).click();
    await page.getByRole("main").getByRole("link", { name: "Dots", exact: true }).click();
    await expect(page).toHaveURL(/\/rules\/dots$/);
    // The chapters are folded.
    await page.locator(".chapter summary").first().click();
    const rule = page.getByRole("region", { name: "A closed line captures" });
    const score = rule.locator(".score").filter({ visible: true });
    await expect(score).toHaveText("Score 0 : 0");
    await rule.getByRole("radio", { name: "The move" }).check();
    await expect(rule.getByText("+1")).toBeVisible();
    await rule.getByRole("radio", { name: "After" }).check();
    await expect(score).toHaveText("Score 1 : 0");
    // A click on the board steps forward, from the end to the start.
    await rule.locator("svg").filter({ visible: true }).click();
    await expect(rule.getByRole("radio", { name: "Before" })).toBeChecked();
    await expect(rule.getByRole("radio", { name: "After" })).toHaveAccessibleDescription(
      /Row 3: free, red, blue, captured, red, free\./,
    );
  });
});
