/** Profiles, standings, the history of games, and spectators. */
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "@playwright/test";
import { expect, expectAccessible, Player, test } from "./fixtures";
import { move, startMatch, winThroughApi } from "./match_actions";

test.describe.configure({ timeout: 240_000 });

const main = (page: Page) => page.getByRole("main");
const small = { width: 5, height: 5 };

/** Wins as many rated games, against as many opponents, as make Alice ranked. */
async function becomeRanked(alice: Player, bob: Player, browser: Browser): Promise<void> {
  for (let game = 0; game < 5; game++) await winThroughApi(alice, bob, small);
  for (const name of ["carol", "dave"]) {
    const other = await Player.open(browser, name, false);
    await winThroughApi(alice, other, small);
    await other.page.context().close();
  }
}

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("a finished game is on both profiles, with a link to its replay", async ({ alice, bob }) => {
      const match = await winThroughApi(alice, bob, small);
      const { page } = alice;
      // Names in URLs ignore case.
      await page.goto(`/@${bob.name.toUpperCase()}`);
      await expect(page).toHaveURL(`/@${bob.name}`);
      await expect(page).toHaveTitle(/^Player · /);
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(bob.name);

      const games = page.getByRole("region", { name: "Games", exact: true });
      await expect(games.getByRole("row", { name: /^Dots \d/ })).toHaveText(/^Dots1588\?001$/);
      const between = page.getByRole("region", { name: `You against ${bob.name}` });
      await expect(between.getByRole("row", { name: "Dots" })).toHaveText(/^Dots100$/);
      const colours = page.getByRole("table", { name: "Results by colour" });
      await expect(colours.getByRole("row", { name: "Blue" })).toHaveText(/^Blue001$/);
      await expect(page.getByText("Lost the last game.")).toBeVisible();

      const graph = page.getByRole("img", { name: /^Rating in Dots from .*: now 1588, highest 1600, lowest 1588$/ });
      await expect(graph).toBeVisible();
      await page.getByText("Rating table").click();
      await expect(page.getByRole("region", { name: "Rating table" }).getByRole("row")).toHaveCount(2);

      const past = page.getByRole("region", { name: "Recent games" }).getByRole("listitem");
      await expect(past).toContainText(["Lost"]);
      await expect(past).toContainText([`${bob.name} resigned.`]);
      await expect(past).toContainText(["1588? (−12)"]);
      if (scripts) await expectAccessible(page);

      await page.getByRole("navigation", { name: "Games" }).getByRole("link", { name: "Reversi" }).click();
      await expect(page).toHaveURL(/game=reversi/);
      await expect(page.getByText("No rated games yet")).toBeVisible();
      await page.getByRole("link", { name: `Replay of the game against ${alice.name}` }).click();
      await expect(page).toHaveURL(`/match/${match}/replay`);
    });

    test("players find themselves in the standings", async ({ alice, bob, browser }) => {
      await becomeRanked(alice, bob, browser);
      const { page } = alice;
      await page.goto("/standings/dots");
      await expect(page.getByRole("heading", { level: 1 })).toHaveText("Leaderboard: Dots");
      await expect(main(page).getByText(/^Your rank: \d+ of \d+/)).toBeVisible();
      await page.getByRole("link", { name: "Show me" }).click();
      await expect(page).toHaveURL(/\/standings\/dots\?page=\d+#me$/);
      const me = page.getByRole("row", { name: alice.name });
      await expect(me).toBeInViewport();
      await expect(me).toContainText("(you)");
      await expect(me).toContainText("1675");
      if (scripts) await expectAccessible(page);
      await me.getByRole("link", { name: alice.name }).click();
      await expect(page.getByRole("heading", { level: 1 })).toHaveText(alice.name);

      // Also without an account.
      await page.context().clearCookies();
      await page.goto("/standings/dots");
      await expect(main(page).getByText("Your rank")).toHaveCount(0);
      await expect(page.getByRole("table").getByRole("row").nth(1)).toBeVisible();
    });

    test("the history is filtered with the keyboard, and downloaded", async ({ alice, bob }) => {
      const match = await winThroughApi(alice, bob, small);
      const { page } = alice;
      await page.goto("/history");
      await alice.waitForHydration();
      await expect(page.getByText("1 game", { exact: true })).toBeVisible();
      await page.getByLabel("Opponent").focus();
      await page.keyboard.type(bob.name.slice(2, 9).toUpperCase());
      await page.keyboard.press("Tab");
      await expect(page.getByLabel("Result")).toBeFocused();
      await page.keyboard.press("W");
      await page.keyboard.press("Tab");
      await page.keyboard.press("Enter");
      await expect(page).toHaveURL(/opponent=.+&result=won/);
      await expect(page.getByLabel("Result")).toHaveValue("won");
      const list = page.getByRole("region", { name: "Finished games" });
      await expect(list.getByRole("listitem")).toHaveCount(1);
      await expect(list.getByRole("link", { name: `SGF of the game against ${bob.name}` })).toHaveAttribute("href", `/match/${match}/sgf`);
      if (scripts) await expectAccessible(page);

      const [sgf] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download SGF" }).click(),
      ]);
      expect(sgf.suggestedFilename()).toBe("tochki.sgf");
      expect(await readFile(await sgf.path(), "utf8")).toContain(`PB[${alice.name}]`);
      const [lines] = await Promise.all([
        page.waitForEvent("download"),
        page.getByRole("link", { name: "Download JSON" }).click(),
      ]);
      const [line] = (await readFile(await lines.path(), "utf8")).trim().split("\n");
      expect(JSON.parse(line)).toMatchObject({ match, game: "dots", moves: ["1,1", "3,3"], winner: 1 });

      await page.getByRole("combobox", { name: "Game" }).selectOption("boxes");
      await page.getByRole("button", { name: "Apply" }).click();
      await expect(page.getByText("None of your games matches this filter.")).toBeVisible();
      await page.getByRole("link", { name: "Reset" }).click();
      await expect(page).toHaveURL("/history");
      await expect(page.getByText("1 game", { exact: true })).toBeVisible();
    });

    test("the history redirects a visitor to the login and back", async ({ alice }) => {
      await alice.account();
      const { page } = alice;
      await page.context().clearCookies();
      await page.goto("/history?game=dots");
      await expect(page).toHaveURL(/\/login\?next=/);
      await alice.waitForHydration();
      await page.getByLabel("Name").fill(alice.name);
      await page.getByLabel("Password").fill(alice.password);
      await page.getByRole("button", { name: "Sign in" }).click();
      await expect(page).toHaveURL("/history?game=dots");
      await expect(page.getByText("None of your games matches this filter.")).toBeVisible();
    });
  });
}

test("the profile of an unknown name is a 404 page", async ({ page }) => {
  const answer = await page.goto("/@nobody-at-all");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("No such player");
  await expectAccessible(page);
});

test("the front page shows the best players of the selected game", async ({ alice, bob, browser }) => {
  await becomeRanked(alice, bob, browser);
  const { page } = alice;
  await page.goto("/?game=dots");
  const top = page.getByRole("region", { name: "Top 10" });
  await expect(top.getByRole("row").nth(1)).toContainText("1");
  await top.getByRole("link", { name: "Reversi" }).click();
  await expect(page).toHaveURL(/\?game=reversi#top$/);
  await expect(top.getByRole("link", { name: "Reversi" })).toHaveAttribute("aria-current", "page");
  await top.getByRole("link", { name: "Full leaderboard" }).click();
  await expect(page).toHaveURL("/standings/reversi");
});

test("a late spectator sees the whole game and is counted until they leave", async ({ alice, bob, browser }) => {
  const match = await startMatch(small, alice, bob);
  await move(alice, "1,1");
  await move(bob, "3,3");
  const visitor = await browser.newPage();
  await visitor.goto(`/match/${match}`);
  await expect(visitor.locator("svg.board circle.dot")).toHaveCount(2);
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await move(alice, "1,2");
  await expect(visitor.locator("svg.board circle.dot")).toHaveCount(3);
  await visitor.close();
  await expect(alice.page.getByText("1 watching")).toBeHidden();
});

test("profile, standings and history in Russian on a phone", async ({ browser }) => {
  const window = { locale: "ru", viewport: { width: 360, height: 740 }, hasTouch: true };
  const alice = await Player.open(browser, "Алиса", true, window);
  const bob = await Player.open(browser, "Боб", true, window);
  await becomeRanked(alice, bob, browser);
  const { page } = alice;
  for (const [path, title, words] of [
    [`/@${bob.name}`, bob.name, "Поражений подряд: 5."],
    ["/standings/dots", "Рейтинг-лист: Точки", "Показать меня"],
    ["/history", "Законченные партии", "7 партий"],
  ]) {
    await page.goto(path);
    await alice.waitForHydration();
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(page.getByText(words, { exact: true })).toBeVisible();
    const overhang = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(overhang, `${path} scrolls sideways`).toBeLessThanOrEqual(0);
    expect(await tooSmall(page), path).toEqual([]);
    // No name breaks in the middle of a word: each has one line, which is as high as a finger needs.
    const heights = await page.locator(".listed .name").evaluateAll((names) => names.map((name) => name.clientHeight));
    expect(heights.filter((height) => height > 60), `${path} breaks names`).toEqual([]);
  }
  for (const player of [alice, bob]) await player.page.context().close();
});

/** Touch targets in the main element that are less than 44 pixels high. */
function tooSmall(page: Page): Promise<string[]> {
  const touched = main(page).locator("a[href], button, select, input:not([type=hidden]), summary");
  return touched.evaluateAll((all) =>
    all
      .filter((one) => one.checkVisibility() && one.getBoundingClientRect().height < 43.5)
      .map((one) => `${one.outerHTML.slice(0, 120)}: ${one.getBoundingClientRect().height}`),
  );
}
