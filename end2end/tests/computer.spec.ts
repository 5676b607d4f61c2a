/** Playing the computer: without an account, kept by the browser, and without a connection. */
import { readFileSync } from "node:fs";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, openCoordinates, test } from "./fixtures";

test.use({ serviceWorkers: "allow" });

/** Opens the table of a new game. */
async function begin(page: Page, terms: string): Promise<void> {
  await page.goto(`/computer/game?${terms}`);
  await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
}

const turn = (page: Page) => page.locator(".turn");
const moves = (page: Page) => page.getByRole("region", { name: "Moves" }).getByRole("listitem");

/** Waits for the visitor's turn. The engine takes as long as the machine does. */
async function expectOwnTurn(page: Page): Promise<void> {
  await expect(turn(page)).toHaveText(/Your move/, { timeout: 30_000 });
}

async function type(page: Page, move: string): Promise<void> {
  await openCoordinates(page);
  await page.getByRole("textbox", { name: "Coordinates" }).fill(move);
  await page.getByRole("button", { name: "Place" }).click();
}

/** All lines of 3 × 3 boxes, as they are typed. */
const lines = [0, 1, 2, 3].flatMap((far) => [0, 1, 2].flatMap((near) => [`h:${near},${far}`, `v:${far},${near}`]));

/** Plays 3 × 3 boxes to the end, on lines that are free. */
async function playBoxes(page: Page): Promise<void> {
  while (true) {
    await expect(turn(page)).toHaveText(/Your move|You win|You lose|Draw/, { timeout: 30_000 });
    if (!/move/.test((await turn(page).textContent())!)) return;
    const drawn = await moves(page).allInnerTexts();
    const free = lines.find((line) => !drawn.some((move) => move.includes(line)));
    const count = drawn.length;
    await type(page, free!);
    await expect.poll(() => moves(page).count()).toBeGreaterThan(count);
  }
}

test("a newcomer plays from the front page, without an account", async ({ page }) => {
  await page.goto("/");
  await page.getByRole("link", { name: "Play the computer" }).click();
  // Who has not played before gets a small board.
  await expect(page.getByRole("radio", { name: "20 × 20" })).toBeChecked();
  await page.getByRole("radio", { name: "13 × 13" }).check();
  await page.getByLabel("Level").selectOption("1");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expectOwnTurn(page);
  await type(page, "6,6");
  await expect(moves(page).first()).toContainText("6,6");
  await expect(moves(page)).toHaveCount(2, { timeout: 30_000 });
  await expectOwnTurn(page);
  // The engine's move is announced.
  await expect(page.locator("[aria-live=polite]").filter({ hasText: "blue" })).toHaveCount(1);

  await page.getByRole("button", { name: "Hint" }).click();
  await expect(page.getByRole("status").filter({ hasText: /^Hint: \d+,\d+\./ })).toBeVisible({ timeout: 30_000 });
  await expect(page.locator(".board .hint-mark")).toHaveCount(1);

  await page.getByRole("button", { name: "Takeback" }).click();
  await expect(moves(page)).toHaveCount(0);
  await expect(page.locator(".board .hint-mark")).toHaveCount(0);
  await expectOwnTurn(page);
  await expect(page.getByRole("button", { name: "Takeback" })).toBeDisabled();

  // The move comes again with its answer, until another one is made.
  await page.getByRole("button", { name: "Redo" }).click();
  await expect(moves(page)).toHaveCount(2);
  await expectOwnTurn(page);
  await expect(page.getByRole("button", { name: "Redo" })).toBeDisabled();
  await page.getByRole("button", { name: "Takeback" }).click();
  await type(page, "5,5");
  await expect(page.getByRole("button", { name: "Redo" })).toBeDisabled();
});

test("several games survive a reload; each can be downloaded and deleted", async ({ page }) => {
  await begin(page, "game=dots&board=13x13&level=1&first=computer");
  await expectOwnTurn(page);
  await expect(moves(page)).toHaveCount(1);
  const address = page.url();
  expect(address).toContain("/computer/game?id=");
  await type(page, "0,0");
  await expect(moves(page)).toHaveCount(3, { timeout: 30_000 });
  await page.reload();
  await expect(moves(page)).toHaveCount(3);
  await begin(page, "game=gomoku&board=15&level=2");
  expect(page.url()).not.toBe(address);

  await page.goto("/computer");
  const saved = page.locator(".saved-list li");
  await expect(saved).toHaveCount(2);
  await saved.filter({ hasText: "Moves: 3" }).getByRole("link", { name: "Resume" }).click();
  await expect(moves(page)).toHaveCount(3);
  await page.getByText("Resign", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await expect(page.getByRole("heading", { name: "You lose" })).toBeVisible();
  const files = { sgf: /^\(;.*GM\[40\].*;B.*;W\[aa\]/s, jsonl: /^\{"game":"dots".*"0,0".*"winner":1/ };
  for (const [ending, content] of Object.entries(files)) {
    const download = page.waitForEvent("download");
    await page.locator(`a[download$=".${ending}"]`).click();
    expect(readFileSync(await (await download).path(), "utf8")).toMatch(content);
  }

  await page.goto("/computer");
  await expect(saved.filter({ hasText: "You lose" }).getByRole("link", { name: "View", exact: true })).toBeVisible();
  for (const left of [1, 0]) {
    await saved.first().getByRole("button", { name: /^Delete/ }).click();
    await expect(saved).toHaveCount(left);
  }
  await page.goto(address);
  await expect(page.getByText("This browser has no such game.")).toBeVisible();
});

test("the same game in two tabs stays synchronized", async ({ page, context }) => {
  await begin(page, "game=boxes&board=3x3&level=1");
  const other = await context.newPage();
  await other.goto(page.url());
  await expectOwnTurn(other);
  await type(page, "h:0,0");
  await expect(moves(other).first()).toContainText("h:0,0");
});

test("the moves that the computer considers are shown when that is turned on", async ({ page }) => {
  await begin(page, "game=reversi&level=4");
  await page.getByRole("checkbox", { name: "Show evaluation" }).check();
  await expectOwnTurn(page);
  await type(page, "d3");
  await expect(page.locator(".thoughts li").first()).toContainText("for the computer", { timeout: 30_000 });
});

test("invalid terms show an error", async ({ page }) => {
  for (const terms of ["game=chess", "game=dots&board=2x2", "game=dots&board=own&width=x&height=9"]) {
    await page.goto(`/computer/game?${terms}`);
    await expect(page.getByText("This board can’t be played. Choose another.")).toBeVisible({ timeout: 30_000 });
  }
});

test("an engine that cannot be loaded shows an error, and loads after a retry", async ({ page, context }) => {
  await context.route(/\/engines\/.*wasm/, (route) => route.abort());
  await begin(page, "game=boxes&board=3x3&level=1&first=computer");
  await expect(page.getByRole("alert").filter({ hasText: "Could not load the engine" })).toBeVisible({ timeout: 30_000 });
  await context.unroute(/\/engines\/.*wasm/);
  await page.getByRole("button", { name: "Try again" }).click();
  await expectOwnTurn(page);
  await expect(moves(page)).not.toHaveCount(0);
});

test("an engine that does not come can be loaded anew, and the page says what it waits for", async ({ page }) => {
  let lost = true;
  await page.route(/\/engines\/.*wasm/, (route) => (lost ? undefined : route.continue()));
  await page.clock.install();
  await begin(page, "game=boxes&board=3x3&level=1&first=computer");
  await expect(page.getByText("Loading the computer…")).toBeVisible();
  await page.clock.runFor(8_000);
  const retry = page.getByRole("button", { name: "Try again" });
  await expect(page.getByRole("alert").filter({ hasText: "This is taking long." })).toBeVisible();
  lost = false;
  await retry.click();
  await expectOwnTurn(page);
  await expect(moves(page)).not.toHaveCount(0);
  await expect(retry).toHaveCount(0);
});

test("a table that does not come shows how far it is, and can be loaded anew", async ({ page }) => {
  let lost = true;
  await page.route(/\/pkg\/(?!tochki\.)[^/]*\.wasm$/, (route) => (lost ? undefined : route.continue()));
  await page.goto("/computer/game?game=boxes&board=3x3&level=1");
  const bar = page.getByRole("progressbar", { name: "Setting up the board…" });
  await expect.poll(() => bar.evaluate((bar: HTMLProgressElement) => bar.position)).toBeGreaterThan(0);
  const retry = page.locator(".loading .late a");
  await expect(retry).toBeHidden();
  await retry.evaluate((link) => {
    for (const animation of link.parentElement!.getAnimations()) animation.finish();
  });
  lost = false;
  await retry.click();
  await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
});

test("offline, a whole game is played and kept after a restart", async ({ page, context }) => {
  await page.goto("/computer/boxes");
  await expect(page.locator("html")).toHaveAttribute("data-offline-ready", "", { timeout: 60_000 });
  await context.setOffline(true);
  // The link leads to a page that is kept, though this address was never visited.
  await page.goto("/computer/boxes");
  await page.getByRole("radio", { name: "3 × 3" }).check();
  await page.getByLabel("Level").selectOption("1");
  await page.getByRole("button", { name: "Play", exact: true }).click();
  await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
  await playBoxes(page);
  await expect(page.getByRole("heading", { name: /You win|You lose/ })).toBeVisible();
  await page.close();

  const again = await context.newPage();
  await again.goto("/play");
  await expect(again.getByRole("heading", { name: "Play the computer" })).toBeVisible();
  await again.getByRole("link", { name: "View", exact: true }).click();
  await expect(moves(again)).toHaveCount(24);
  await context.setOffline(false);
});

test("offline, a game is analysed with the computer", async ({ page, context }) => {
  await page.goto("/analysis/boxes");
  await expect(page.locator("html")).toHaveAttribute("data-offline-ready", "", { timeout: 60_000 });
  await context.setOffline(true);
  await page.goto("/analysis/boxes");
  await page.getByRole("radio", { name: "3 × 3" }).check();
  await page.getByRole("button", { name: "Open board" }).click();
  await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
  // The form of the copy is not seen beside the board.
  await expect(page.getByRole("button", { name: "Open board" })).toBeHidden();
  for (const line of ["h:0,0", "h:1,0", "h:0,1", "h:1,1"]) await type(page, line);
  await expect(moves(page)).toHaveCount(4);
  await page.getByLabel("Analyse position").check();
  await expect(page.getByText("Chains: 2.")).toBeVisible();
  const best = page.getByRole("list", { name: "Best moves" }).getByRole("listitem");
  await expect(best).toHaveCount(3, { timeout: 40_000 });
  // The line about it comes and goes without moving the board.
  const line = page.locator(".offline-line");
  await expect(line).toBeVisible();
  const before = await page.locator(".board-frame").boundingBox();
  await context.setOffline(false);
  await expect(line).toBeHidden();
  expect(await page.locator(".board-frame").boundingBox()).toEqual(before);
  await context.setOffline(true);
  await expect(line).toBeVisible();
  // Without a game in the address the same copy is the form.
  await page.goto("/analysis");
  await expect(page.getByRole("button", { name: "Open board" })).toBeVisible();
  await context.setOffline(false);
});

test("pages cached for offline use contain no account name", async ({ alice }) => {
  await alice.account();
  const kept = await alice.page.request.get("/computer?offline=1");
  expect(await kept.text()).not.toContain(alice.name);
  expect(kept.headers()["x-release"]).toMatch(/^[0-9a-f]+$/);
  const usual = await alice.page.request.get("/computer");
  expect(await usual.text()).toContain(alice.name);
  expect(usual.headers()["x-release"]).toBeUndefined();
});

test("a game against the computer in Russian", async ({ browser }) => {
  const context = await browser.newContext({ locale: "ru-RU" });
  const page = await context.newPage();
  await page.goto("/computer/reversi");
  await expect(page.getByRole("heading", { name: "Игра с компьютером" })).toBeVisible();
  await page.getByRole("button", { name: "Играть", exact: true }).click();
  await expect(page.getByText("Компьютер · Новичок").first()).toBeVisible({ timeout: 30_000 });
  await expect(turn(page)).toHaveText(/Ваш ход/, { timeout: 30_000 });
  await context.close();
});

test("a finished game is kept in the history of an account", async ({ alice }) => {
  const { page } = alice;
  await begin(page, "game=boxes&board=3x3&level=1");
  await playBoxes(page);
  await page.getByRole("button", { name: "Save game" }).click();
  // A visitor without an account is led to it and back.
  await expect(page.getByText("Sign in to save games.")).toBeVisible();
  await expect(page.locator(".keep-answer").getByRole("link", { name: "Sign in" })).toHaveAttribute("href", /next=/);
  const address = page.url();
  await alice.account();
  await page.goto(address);
  await page.getByRole("button", { name: "Save game" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
  await page.getByRole("link", { name: "Saved games" }).click();
  await expect(page.getByText("1 game")).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("link", { name: "Replay of the game against Computer · First steps" }).click();
  await expect(page.getByRole("heading", { name: /You|Draw/ }).first()).toBeVisible();
  await expect(page.getByRole("link", { name: "Download JSON" })).toBeVisible();
  await expectAccessible(page);
  await page.getByRole("button", { name: "Delete game" }).click();
  await expect(page.getByText("No saved games yet.")).toBeVisible();
});
