/** Puzzles: solved, failed and helped, on a desktop and a phone, in both languages, by mouse and by keys. */
import { request as httpRequest } from "node:http";
import { devices, type APIRequestContext, type Page } from "@playwright/test";
import { expect, expectAccessible, openCoordinates, test } from "./fixtures";

type Puzzle = { id: number; moves: string[]; seat: 1 | 2; solved: boolean };

/** Asks for the next move from another address: where a solution was shown, nobody gets a rating for it. */
function askElsewhere(url: URL, id: number, moves: string): Promise<string> {
  const body = new URLSearchParams({ id: String(id), moves }).toString();
  const headers = { "content-type": "application/x-www-form-urlencoded", "content-length": body.length };
  return new Promise((resolve, reject) => {
    const asked = httpRequest(url, { method: "POST", headers, localAddress: "127.0.0.2" }, (answer) => {
      let text = "";
      answer.setEncoding("utf8").on("data", (part: string) => (text += part));
      answer.on("end", () => resolve(JSON.parse(text).line[0]));
    });
    asked.on("error", reject).end(body);
  });
}

/** The solution of a puzzle, as a visitor at another address may ask for it. */
async function solution(request: APIRequestContext, id: number): Promise<string[]> {
  const found: string[] = [];
  for (;;) {
    const moves = found.join(" ");
    const read = await request.get("/api/puzzle", { params: { id, moves } });
    const view: Puzzle = await read.json();
    if (view.solved) return found;
    found.push(await askElsewhere(new URL("/api/help_puzzle", read.url()), id, moves));
  }
}

/** The first puzzle of a game, by its row. */
async function first(request: APIRequestContext, game: string): Promise<number> {
  const { rows } = await (await request.get("/api/puzzles")).json();
  return rows.find((row: { game: string }) => row.game === game).next;
}

async function open(page: Page, id: number): Promise<void> {
  await page.goto(`/puzzle/${id}`);
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 90_000 });
}

async function type(page: Page, move: string): Promise<void> {
  await openCoordinates(page);
  await page.locator("#mv").fill(move);
  await page.locator("form.entry button[type=submit]").click();
}

const said = (page: Page) => page.locator(".puzzle-said");

/** A corner or an edge that is free and not the sought move. */
function wrongMove(sought: string, played: string[]): string {
  const places = Array.from({ length: 12 }, (_, at) => [`${at},0`, `0,${at}`, `${at},11`]).flat();
  return places.find((place) => place !== sought && !played.includes(place))!;
}

for (const [name, device] of [
  ["desktop", {}],
  ["phone", { viewport: devices["Pixel 7"].viewport, hasTouch: true, isMobile: true }],
] as const) {
  test(`a visitor solves a puzzle on a ${name}`, async ({ browser, request }) => {
    const context = await browser.newContext(device);
    const page = await context.newPage();
    await page.goto("/puzzles");
    await expect(page.getByRole("heading", { name: "Puzzle of the day" })).toBeVisible();
    await expectAccessible(page);
    const id = await first(request, "gomoku");
    await open(page, id);
    await expectAccessible(page);
    const task = page.locator(".table-head .task");
    await expect(said(page)).toHaveText((await task.textContent())!);
    // A phone has no room to say it twice.
    await expect(task).toBeVisible({ visible: name === "desktop" });
    const moves = await solution(request, id);
    for (const [at, move] of moves.entries()) {
      await type(page, move);
      await expect(said(page)).toHaveText(at + 1 === moves.length ? "Solved." : /^Correct\. Keep going\. The answer: /);
    }
    await expect(page.getByRole("link", { name: "Analyse" })).toBeVisible();
    await expect(page.locator("form.entry")).toBeHidden();
    await page.getByRole("link", { name: "Next puzzle" }).click();
    await expect(page).toHaveURL(/\/puzzle\/\d+$/);
    expect(page.url()).not.toMatch(new RegExp(`/puzzle/${id}$`));
    await context.close();
  });
}

test("wrong moves show an error, three end the try, and the solution can be shown", async ({ page, request }) => {
  const id = await first(request, "dots");
  const view: Puzzle = await (await request.get("/api/puzzle", { params: { id } })).json();
  const [sought] = await solution(request, id);
  await open(page, id);
  const played = [...view.moves];
  for (const left of [2, 1]) {
    const wrong = wrongMove(sought, played);
    played.push(wrong);
    await type(page, wrong);
    await expect(said(page)).toHaveText(`Not the best move. Tries left: ${left}.`);
    await expect(page.getByRole("link", { name: "Analyse" })).toHaveAttribute("href", /^\/analysis/);
  }
  await type(page, wrongMove(sought, played));
  await expect(said(page)).toContainText("That was your third try.");
  await page.getByRole("button", { name: "Show solution" }).click();
  await expect(said(page)).toHaveText("This is the solution.");
  await page.getByRole("link", { name: "Start over" }).click();
  await expect(page.locator("form.entry")).toBeVisible();
  // An occupied place is refused, and no wrong move.
  await type(page, view.moves[0]);
  await expect(said(page)).toHaveText("This place is taken.");
});

test("a hint marks the place; the first try of a player counts", async ({ alice, request }) => {
  await alice.account();
  const page = alice.page;
  const solved = await first(request, "reversi");
  await open(page, solved);
  for (const move of await solution(request, solved)) {
    await expect(page.locator("form.entry button")).toBeEnabled();
    await type(page, move);
    await expect(said(page)).toHaveText(/^(Right|Solved)/);
  }
  await expect(page.getByText(/^Your puzzle rating: 1500 → 15\d\d\.$/)).toBeVisible();
  await page.reload();
  await expect(page.getByText("You solved it at the first try.")).toBeVisible();

  await open(page, await first(request, "dots"));
  await page.getByRole("button", { name: "Hint" }).click();
  await expect(said(page)).toHaveText(/^Look at \d+,\d+\.$/);
  await expect(page.locator(".board .hint-mark")).toHaveCount(1);
  await page.reload();
  await expect(page.getByText("Your first try failed.")).toBeVisible();
  await page.goto("/puzzles");
  await expect(page.getByText(/Tried: 2, solved at first try: 1\./)).toBeVisible();
});

test("a puzzle in Russian with the keyboard alone", async ({ browser, request }) => {
  const context = await browser.newContext({ locale: "ru-RU" });
  const page = await context.newPage();
  // Not of the game whose puzzle is rated above: a visitor's solution counts for nobody else at this address.
  const id = await first(request, "gomoku");
  const [move] = await solution(request, id);
  await open(page, id);
  await expect(page.getByRole("heading", { name: `Задача ${id}` })).toBeVisible();
  await page.locator(".typed-move summary").press("Enter");
  await page.locator("#mv").focus();
  await page.keyboard.type(move);
  await page.keyboard.press("Enter");
  await expect(said(page)).toHaveText(/^(Верно|Решено)/);
  await context.close();
});

test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("a puzzle is solved with forms alone", async ({ page, request }) => {
    const id = await first(request, "gomoku");
    await page.goto(`/puzzle/${id}`);
    for (const move of await solution(request, id)) {
      await page.getByRole("textbox", { name: "Coordinates" }).fill(move);
      await page.getByRole("button", { name: "Place" }).click();
    }
    await expect(said(page)).toHaveText("Solved.");
  });
});
