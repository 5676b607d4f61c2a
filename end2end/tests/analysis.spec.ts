/** Analysing a game: variations, the engine, a review of the whole game, and taking it along. */
import { readFile } from "node:fs/promises";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, test } from "./fixtures";
import { startMatch } from "./match_actions";

/** A search answers within this time on any machine; its module may have to be compiled first. */
const SEARCH = { timeout: 40_000 };

/** The list of moves, as its text without line breaks. */
const list = (page: Page) => page.getByRole("region", { name: "Moves" });

test("another move begins a variation, which becomes the main line, is shared and deleted", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/analysis");
  await page.getByRole("link", { name: "Gomoku" }).click();
  await page.getByRole("button", { name: "Open board" }).click();
  await alice.waitForHydration();
  await expect(page.getByText("Black to move")).toBeVisible();
  for (const move of ["5,5", "G13", "h12"]) await alice.type(move);
  await expect(alice.moves).toHaveCount(3);
  await alice.type("7,7");
  await expect(page.getByRole("alert").getByText("This place is taken.")).toBeVisible();

  // A step back and another move: a variation.
  await page.getByRole("button", { name: "Previous move" }).click();
  await alice.type("8,8");
  await expect(alice.moves).toHaveCount(4);
  await expect(page).toHaveURL(/moves=5,5_6,6_7,7\(8,8\)&at=4/);
  await page.getByLabel("Comment on this position").fill("Worth a try");
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(list(page).getByText("Worth a try")).toBeVisible();
  await page.getByRole("group", { name: "Moves tried here" }).getByRole("button", { name: "I11" }).click();
  await page.getByRole("button", { name: "Make main line" }).click();
  await expect(page).toHaveURL(/moves=5,5_6,6_8,8\(7,7\)&notes=3\.Worth%20a%20try$/);
  await expect(page.getByRole("button", { name: "Make main line" })).toBeDisabled();

  // The keys and the board play, too.
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByText("Move 2 of 3: White G13")).toBeVisible();
  await alice.board.focus();
  // The cursor begins at the last move.
  for (const key of ["ArrowRight", "ArrowRight", "Enter"]) await page.keyboard.press(key);
  await expect(alice.moves).toHaveCount(5);

  // The link brings another visitor to the same position.
  const link = await page.getByLabel("Link to this position").inputValue();
  await page.getByRole("button", { name: "Delete from here" }).click();
  await expect(alice.moves).toHaveCount(4);
  await page.goto(link);
  await alice.waitForHydration();
  await expect(alice.moves).toHaveCount(5);
  await expect(page.getByText("Move 3 of 3: Black")).toBeVisible();
  await expect(list(page).getByText("Worth a try")).toBeVisible();
  await expectAccessible(page);
});

test("a position is set up by hand and searched for either side", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/analysis?game=gomoku");
  await alice.waitForHydration();
  const next = page.getByRole("group", { name: "Side to move" });
  await expect(next.getByRole("radio", { name: "In turn" })).toBeChecked();
  await next.getByRole("radio", { name: "Black" }).check();
  for (const move of ["3,3", "4,3", "5,3", "6,3"]) await alice.type(move);
  await next.getByRole("radio", { name: "White" }).check();
  for (const move of ["2,3", "9,9"]) await alice.type(move);
  await expect(page).toHaveURL(/moves=3,3_1\.4,3_1\.5,3_1\.6,3_2,3_2\.9,9&turn=2$/);
  await expectAccessible(page);

  // White has to block, black wins.
  const best = page.getByRole("list", { name: "Best moves" }).getByRole("listitem").first();
  await page.getByLabel("Analyse position").check();
  await expect(page.getByText("White to move")).toBeVisible();
  await expect(best).toContainText("H16", SEARCH);
  await next.getByRole("radio", { name: "In turn" }).check();
  await expect(page.getByText("Black to move")).toBeVisible();
  await expect(best).toContainText("exact", SEARCH);
  await expect(best).toContainText("H16");

  // The link has the turn, too.
  await next.getByRole("radio", { name: "White" }).check();
  await page.goto(await page.getByLabel("Link to this position").inputValue());
  await alice.waitForHydration();
  await expect(next.getByRole("radio", { name: "White" })).toBeChecked();
  await expect(page.getByText("White to move")).toBeVisible();
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(next.getByRole("radio", { name: "In turn" })).toBeChecked();
});

test("a finished match is analysed with the computer, a running one is not", async ({ alice, bob }) => {
  test.setTimeout(180_000);
  await startMatch({}, alice, bob);
  const table = alice.page.url();
  for (const [ply, move] of ["1,0", "1,1", "0,1", "4,4", "2,1", "4,3"].entries()) {
    await (ply % 2 ? bob : alice).type(move);
    for (const player of [alice, bob]) await expect(player.moves).toHaveCount(ply + 1);
  }
  await alice.page.goto(`${table}/analysis`);
  await expect(alice.page).toHaveURL(table);

  await bob.page.getByText("Resign", { exact: true }).click();
  await bob.page.getByRole("button", { name: "Yes, resign" }).click();
  await bob.page.getByRole("link", { name: "Analyse" }).click();
  await expect(bob.page).toHaveURL(`${table}/analysis`);
  await bob.waitForHydration();
  const { page } = bob;
  await expect(page.getByRole("heading", { name: `${alice.name} – ${bob.name}` })).toBeVisible();

  // The best three moves stand on the board and beside it. Red captures at 1,2.
  await page.getByLabel("Analyse position").check();
  const best = page.getByRole("list", { name: "Best moves" }).getByRole("listitem");
  await expect(best).toHaveCount(3, SEARCH);
  await expect(page.locator("svg.board .rank")).toHaveCount(3);
  // The best move wins a point, and its area is drawn.
  await expect(best.first()).toContainText("Red +1");
  await expect(page.locator("svg.board .capture-preview.red")).not.toHaveCount(0);
  await page.getByLabel("Analyse position").uncheck();
  await expect(page.locator("svg.board .rank")).toHaveCount(0);

  // The graph grows while the game is reviewed.
  const grown = page.evaluate(
    () =>
      new Promise((resolve) => {
        const look = () => document.querySelector("progress") && document.querySelector(".chances") && resolve(true);
        new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
      }),
  );
  await page.getByRole("button", { name: "Analyse game" }).click();
  expect(await grown).toBe(true);
  await expect(page.getByRole("img", { name: /^Winning chances of red by move/ })).toBeVisible(SEARCH);
  await expect(page.getByRole("button", { name: "Analyse game" })).toBeVisible();
  await expect(page.getByText(/Key moments|No mistakes found/)).toBeVisible();
  await expectAccessible(page);

  // The file has the variation and reads back.
  await page.getByRole("button", { name: "Previous move" }).click();
  await bob.type("9,9");
  const downloading = page.waitForEvent("download");
  await page.getByRole("link", { name: "Download SGF" }).click();
  const sgf = await readFile(await (await downloading).path(), "utf8");
  expect(sgf).toContain(";B[ba];W[bb];B[ab];W[ee];B[cb]\n(;W[ed])\n(;W[jj]))");
  await page.goto("/sgf");
  await page.getByLabel("Or paste its text").fill(sgf);
  await page.getByRole("button", { name: "Show game" }).click();
  await page.getByRole("link", { name: "Analyse" }).click();
  await bob.waitForHydration();
  // The six moves and the variation.
  await expect(bob.moves).toHaveCount(7);
  await expect(page).toHaveURL(/4,3\(9,9\)/);
});

test("a comment is kept as it is typed", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/analysis?game=gomoku&moves=5,5_6,6");
  await alice.waitForHydration();
  const comment = page.getByLabel("Comment on this position");
  await comment.pressSequentially("Not so bad");
  // The focus stays in the field.
  await page.reload();
  await alice.waitForHydration();
  await expect(comment).toHaveValue("Not so bad");
  await expect(list(page).getByText("Not so bad")).toBeVisible();
});

test("an address is read as people write moves, and says what of it cannot be read", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/analysis?game=reversi&moves=F5D6C3D3C4F4");
  await alice.waitForHydration();
  await expect(alice.moves).toHaveCount(6);
  await expect(page.getByText("Move 6 of 6")).toBeVisible();
  await expect(page.locator(".table-head").getByRole("alert")).toHaveCount(0);

  await page.goto("/analysis?game=gomoku&size=20&moves=5,5_x9_7,7&at=99&turn=red");
  await alice.waitForHydration();
  await expect(alice.moves).toHaveCount(1);
  await expect(page.locator(".table-head").getByRole("alert")).toHaveText([
    "Move 2 of the link, “x9”, is not possible. Everything from it on is left out.",
    "Could not read this part of the link: “size=20”.",
    "Could not read this part of the link: “at=99”.",
    "Could not read this part of the link: “turn=red”.",
  ]);
  await expectAccessible(page);
});

test("a record with many remarks is opened with all of them, and a link says that it has none", async ({ alice, bob }) => {
  const { page } = alice;
  const moves = Array.from({ length: 60 }, (_, n) => {
    const letter = (place: number) => String.fromCharCode(97 + place);
    return `;${n % 2 ? "W" : "B"}[${letter(n % 20)}${letter(Math.floor(n / 20))}]C[Remark ${n + 1}. ${"It is a long one. ".repeat(9)}]`;
  });
  await page.goto("/sgf");
  await page.getByLabel("Or paste its text").fill(`(;GM[40]SZ[20]${moves.join("")})`);
  await page.getByRole("button", { name: "Show game" }).click();
  await page.getByRole("link", { name: "Analyse" }).click();
  await alice.waitForHydration();
  await expect(alice.moves).toHaveCount(60);
  const comment = page.getByLabel("Comment on this position");
  await expect(comment).toHaveValue(/^Remark 60\./);
  await expect(page.getByText("Comments are left out")).toBeVisible();
  // Changes are kept, too.
  await comment.fill("Another remark.");
  await comment.blur();
  await page.reload();
  await alice.waitForHydration();
  await expect(comment).toHaveValue("Another remark.");
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(comment).toHaveValue(/^Remark 59\./);

  // Elsewhere the address has the moves alone, and says so; the link that is to be copied says nothing of the rest.
  await bob.page.goto(page.url());
  await bob.waitForHydration();
  await expect(bob.moves).toHaveCount(60);
  await expect(bob.page.getByText("The rest stayed in its tab")).toBeVisible();
  const link = await page.getByLabel("Link to this position").inputValue();
  expect(link.length).toBeLessThan(8000);
  await bob.page.goto(link);
  await bob.waitForHydration();
  await expect(bob.moves).toHaveCount(60);
  await expect(bob.page.locator(".table-head").getByRole("alert")).toHaveCount(0);
});
