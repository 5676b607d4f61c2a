/** The front page: a stranger plays at once, a finished game is shown again. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, openCoordinates, test } from "./fixtures";
import { Fingers, pointOnScreen } from "./match_actions";

const OWN = ".own-game svg.board";

/** The dots of the visitor and of the computer. The cross at the start has two of each. */
const own = (page: Page) => page.locator(`${OWN} .dots .dot.red`);
const theirs = (page: Page) => page.locator(`${OWN} .dots .dot.blue`);

/** Clicks a point of the visitor's board. */
async function click(page: Page, x: number, y: number): Promise<void> {
  const spot = await pointOnScreen(page, x, y, OWN);
  await page.mouse.click(spot.x, spot.y);
}

/** How the parts of the page look that are the same at each visit. */
function looks(page: Page): Promise<string[]> {
  const parts = page.locator("header *, .pitch, .pitch *, .own-game, .own-game *, .choose-game *, footer *");
  return parts.evaluateAll((parts) => {
    const names = ["display", "color", "font", "margin", "padding", "border-width", "width", "height", "position", "background-color", "fill", "visibility", "order"];
    return parts.map((part) => {
      const style = getComputedStyle(part);
      return [part.tagName, part.getAttribute("class"), ...names.map((name) => style.getPropertyValue(name))].join(" ");
    });
  });
}

/** Files of the island, none of which the match page has. */
const islandFiles = /\/pkg\/(?!tochki\.)[^/]*\.wasm$/;

test("a stranger's first move is answered, and the computer's page goes on with the same game", async ({ page }) => {
  await page.goto("/");
  const next = page.getByRole("link", { name: "Resume" });
  await expect(own(page)).toHaveCount(2);
  await click(page, 3, 3);
  await expect(own(page)).toHaveCount(3);
  await expect(theirs(page)).toHaveCount(3, { timeout: 30_000 });
  await expect(next).toBeHidden();
  await expect(page.getByRole("link", { name: "Play a person" })).toBeVisible();
  for (const [count, x] of [[4, 0], [5, 12]] as const) {
    await click(page, x, 0);
    await expect(own(page)).toHaveCount(count);
    await expect(theirs(page)).toHaveCount(count, { timeout: 30_000 });
  }
  await expect(page.locator(".own-next [role=status]")).toHaveText(/^(You lead|The computer leads|The score is even)/);
  await expect(next).toBeVisible();
  await expectAccessible(page);

  await next.click();
  await expect(page).toHaveURL(/\/computer\/game\?id=/);
  const moves = page.getByRole("region", { name: "Moves" }).getByRole("listitem");
  await expect(moves).toHaveCount(6);
  await expect(moves.first()).toContainText("3,3");
  await openCoordinates(page);
  await page.getByRole("textbox", { name: "Coordinates" }).fill("0,12");
  await page.getByRole("button", { name: "Place" }).click();
  await expect(moves).toHaveCount(8, { timeout: 30_000 });

  // Whoever comes back finds the game as it is, and another game has a board of its own.
  await page.goto("/");
  await expect(own(page)).toHaveCount(6);
  await expect(theirs(page)).toHaveCount(6);
  await page.getByRole("navigation", { name: "Game", exact: true }).getByRole("link", { name: "Gomoku" }).click();
  await expect(page).toHaveURL("/?game=gomoku");
  await expect(page.locator(`${OWN} .dots .dot`)).toHaveCount(0);
});

test("a press before the code has come is a move when it has", async ({ page }) => {
  let release = () => {};
  const rest = new Promise<void>((done) => (release = done));
  await page.route(/\/pkg\/.*\.wasm$/, async (route) => {
    await rest;
    await route.continue();
  });
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await expect(page.locator(OWN)).toBeVisible();
  await click(page, 3, 3);
  await expect(own(page), "the mark is drawn at once").toHaveCount(3);
  await expect(theirs(page)).toHaveCount(2);
  release();
  await expect(theirs(page)).toHaveCount(3, { timeout: 30_000 });
  await expect(own(page)).toHaveCount(3);
});

test("a first visit has its rules in the page, and looks like any other", async ({ page, context }) => {
  const sheets = page.locator("link[rel=stylesheet]");
  const load = async () => {
    await page.goto("/");
    await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
    return looks(page);
  };
  const first = await load();
  await expect(sheets).toHaveCount(0);
  await context.addCookies([{ name: "seen", value: "yes", url: page.url() }]);
  const second = await load();
  await expect(sheets).toHaveCount(2);
  expect(second).toEqual(first);
});

test("on a phone the first tap aims, and the second plays", async ({ browser }) => {
  const context = await browser.newContext({ viewport: { width: 360, height: 740 }, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
  const fingers = await Fingers.on(page);
  await fingers.tap(await pointOnScreen(page, 3, 3, OWN));
  await expect(page.getByText("Tap again to place")).toBeVisible();
  await expect(own(page)).toHaveCount(2);
  await fingers.tap(await pointOnScreen(page, 3, 3, OWN));
  await expect(own(page)).toHaveCount(3);
  await expect(theirs(page)).toHaveCount(3, { timeout: 30_000 });
  await context.close();
});

test("a page whose island cannot be loaded keeps a picture, and says so", async ({ page }) => {
  await page.route(islandFiles, (route) => route.abort());
  const reported = page.waitForRequest("/api/report_failure");
  await page.goto("/");
  await expect(page.locator("#fallback")).toContainText("This page could not start fully.", { timeout: 30_000 });
  // It is the line that has failed, and not the code.
  expect(new URLSearchParams((await reported).postData()!).get("kind")).toBe("not_started");
  await expect(page.locator(OWN)).toBeHidden();
  const picture = page.locator(".own-picture");
  await expect(picture.getByRole("img")).toBeVisible();
  await expect(picture.getByRole("link", { name: "Learn the rules" })).toHaveAttribute("href", "/rules/dots");
});

test("a finished game goes on by itself, but not for those who prefer reduced motion", async ({ page }) => {
  const marks = page.locator(".replayed .dots > *");
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.clock.install();
  await page.goto("/?game=reversi");
  // Other stories play here: where a match is live, there is no finished game to show.
  test.skip((await page.locator(".replayed").count()) === 0);
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
  const all = await marks.count();
  await page.clock.runFor(5_000);
  await expect(marks).toHaveCount(all);
  const figure = page.locator(".replayed");
  await figure.getByRole("button", { name: "Replay" }).click();
  await page.clock.runFor(2_000);
  await expect.poll(() => marks.count()).toBeLessThan(all);
  await figure.getByRole("button", { name: "Pause" }).click();
  await expect(figure.getByRole("button", { name: "Replay" })).toBeVisible();
});
