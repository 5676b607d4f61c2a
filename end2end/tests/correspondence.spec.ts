/** Games by correspondence: two people who are never there together, your games, conditional moves, and the board beside a game. */
import type { Page } from "@playwright/test";
import { move, startByCorrespondence } from "./correspondence_actions";
import { Player, expect, expectAccessible, settled, test } from "./fixtures";
import { expectEightLetters } from "./match_actions";
import { passAnswerDelay, passClock } from "./passing_time";

/** Lets a player visit the site, and leaves it: no two visits are at the same time. */
async function visit(player: Player, path: string, act: (page: Page) => Promise<void>): Promise<void> {
  const { page } = player;
  await page.goto(path);
  await player.waitForHydration();
  await act(page);
  await page.goto("about:blank");
}

/** Makes a move in the only game on turn, from the list of games. */
async function answer(player: Player, mv: string, after: (page: Page) => Promise<void>): Promise<void> {
  await visit(player, "/games", async (page) => {
    await expect(page.getByRole("heading", { name: "Your turn" })).toBeVisible();
    await page.locator("a[href^='/match/']").first().click();
    await player.waitForHydration();
    const made = await player.moves.count();
    await player.type(mv);
    await expect(player.moves).toHaveCount(made + 1);
    await after(page);
  });
}

test("two people who are never online together finish a game", async ({ alice, bob }) => {
  await Promise.all([alice.account(), bob.account()]);
  await visit(alice, `/@${bob.name}`, async (page) => {
    await page.getByText("Challenge by correspondence").click();
    const form = page.locator("#challenge");
    await form.getByRole("link", { name: "Gomoku" }).click();
    await expect(form.getByRole("link", { name: "Gomoku" })).toHaveAttribute("aria-current", "true");
    await form.getByLabel("Board").selectOption({ index: 1 });
    await form.getByLabel("Clock").selectOption({ label: "5 days per move" });
    await form.getByRole("button", { name: "Challenge" }).click();
    await expect(page).toHaveURL(/challenge=sent/);
  });
  await visit(bob, "/games", async (page) => {
    await expect(page.locator(".bell")).toHaveAttribute("data-unread", "1");
    await page.getByRole("button", { name: "Accept" }).click();
    await expect(page).toHaveURL(/\/(match|games)/);
  });
  const nothing = async () => {};
  for (let turn = 0; turn < 4; turn += 1) {
    await answer(alice, `${turn},0`, nothing);
    await answer(bob, `${turn},5`, nothing);
  }
  let match = "";
  await answer(alice, "4,0", async (page) => {
    await expect(page.getByRole("heading", { name: "You win" })).toBeVisible();
    match = page.url();
  });
  await visit(bob, match, async (page) => {
    await expect(page.getByRole("heading", { name: "You lose" })).toBeVisible();
    await expect(bob.moves).toHaveCount(9);
  });
  // Neither is waited for any more.
  await visit(bob, "/games", (page) => expect(page.getByText("You have no running games.")).toBeVisible());
});

test("a board without an engine is beside a rated game, and the engine stays off at its position", async ({ alice, bob }) => {
  const match = await startByCorrespondence(alice, bob);
  await move(alice, match, "5,5");
  await move(bob, match, "20,20");
  const { page } = alice;
  await page.goto(`/match/${match}`);
  await alice.waitForHydration();
  await expect(page.getByText("No engine help while this rated game runs.")).toBeVisible();
  // On a phone the clock leaves room for names and for what is counted.
  await expectEightLetters(page);
  await page.setViewportSize({ width: 360, height: 740 });
  const aims = await page.locator(".seat .aim").evaluateAll((aims) =>
    aims.map((aim) => {
      const text = document.createRange();
      text.selectNodeContents(aim);
      return text.getBoundingClientRect().top < aim.getBoundingClientRect().bottom - 1;
    }),
  );
  expect(aims).toEqual([true, true]);
  await page.setViewportSize({ width: 1280, height: 720 });
  // The open page follows the turn.
  const plan = page.getByRole("link", { name: "Conditional moves" });
  await expect(plan).toHaveCount(0);
  await alice.type("6,6");
  await expect(plan).toBeVisible();
  await move(bob, match, "21,21");
  await expect(plan).toHaveCount(0);
  await page.getByRole("link", { name: "Analysis board" }).click();
  await expect(page.getByRole("heading", { name: "Analysis board" })).toBeVisible();
  await alice.waitForHydration();
  await alice.click(9, 9);
  await alice.click(10, 10);
  await expect(alice.moves, "what was tried").toHaveCount(2);
  await expectAccessible(page);
  const { moves } = await (await page.request.get(`/api/match?id=${match}`)).json();
  expect(moves, "nothing is sent").toHaveLength(4);

  const refusal = page.getByText("This position is from your rated game.");
  // Mirrored, it is the same position.
  await page.goto("/analysis?game=dots&board=39x32&start=empty&moves=33,5_18,20_32,6_17,21");
  await alice.waitForHydration();
  await page.getByLabel("Analyse position").check();
  await expect(refusal).toBeVisible();
  await page.goto("/analysis?game=dots&board=39x32&start=empty&moves=5,5_20,20_6,6_21,21_9,9");
  await alice.waitForHydration();
  await page.getByLabel("Analyse position").check();
  await expect(refusal).toBeVisible();
  await expect(page.getByRole("region", { name: "Computer" }).getByRole("link")).toHaveAttribute("href", `/match/${match}`);
  await page.getByRole("button", { name: "Analyse game" }).click();
  await expect(refusal).toHaveCount(2);
  await settled(page);
  await expect(page.getByRole("list", { name: "Best moves" })).toHaveCount(0);
  await expectAccessible(page);
  // Before that position it is on.
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(refusal.first()).toBeVisible();
  await page.getByRole("button", { name: "Previous move" }).click();
  await expect(page.getByRole("list", { name: "Best moves" }).getByRole("listitem").first()).toBeVisible({ timeout: 40_000 });
});

test("the list follows the games, and a key leads from one on turn to the next", async ({ alice, bob }) => {
  const first = await startByCorrespondence(alice, bob);
  const second = await startByCorrespondence(alice, bob);
  await move(alice, first, "5,5");
  await move(alice, second, "5,5");
  const { page } = alice;
  await page.goto("/games");
  await expect(page.getByRole("heading", { name: "Opponent’s turn" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Your turn" })).toBeHidden();
  await move(bob, second, "20,20");
  await expect(page.getByRole("heading", { name: "Your turn" })).toBeVisible();
  await expect(page).toHaveTitle(/^\(1\) Your games/);
  await move(bob, first, "20,20");
  await expect(page).toHaveTitle(/^\(2\) Your games/);
  await expect(page.getByRole("link", { name: "Your games 2" })).toBeVisible();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(`/match/${second}`);
  await alice.waitForHydration();
  await page.keyboard.press("n");
  await expect(page).toHaveURL(`/match/${first}`);
  // A slip would cost days: the first click shows the move, unless that is not wanted.
  await alice.waitForHydration();
  await alice.click(9, 9);
  await expect(alice.board.locator(".ghost")).toHaveAttribute("cx", "90");
  await settled(page);
  await expect(alice.moves).toHaveCount(2);
  await page.evaluate(() => document.documentElement.setAttribute("data-confirm_correspondence", "off"));
  await alice.click(10, 10);
  await expect(alice.moves).toHaveText([/5,5/, /20,20/, /10,10/]);
});

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("a conditional line of five moves is played while its maker is away", async ({ alice, bob }) => {
      const match = await startByCorrespondence(alice, bob);
      await move(alice, match, "5,5");
      await move(bob, match, "20,20");
      await move(alice, match, "6,6");
      const { page } = alice;
      await page.goto(`/match/${match}`);
      await page.getByRole("link", { name: "Conditional moves" }).click();
      await expect(page.getByRole("heading", { name: "Conditional moves" })).toBeVisible();
      const line = ["20,21", "7,7", "20,22", "8,8", "20,23", "9,9"];
      const field = page.getByRole("textbox", { name: "Lines of moves" });
      if (scripts) await alice.waitForHydration();
      // Lines that are refused stay there, with the place of the error.
      await field.fill("20,21 20,20");
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page.locator("#refused")).toContainText("Line 1, move 2: 20,20");
      await expect(field).toHaveValue("20,21 20,20");
      await expect(field).toHaveAttribute("aria-invalid", "true");
      if (scripts) {
        // The board shows what can be played of them.
        await alice.waitForHydration();
        for (const point of line.slice(1)) {
          const [x, y] = point.split(",").map(Number);
          await alice.click(x, y);
        }
        await expect(field).toHaveValue(line.join(" "));
      } else {
        await field.fill(`${line.join(" ")}\n10,10 11,11`);
      }
      await page.getByRole("button", { name: "Save" }).click();
      await expect(page).toHaveURL(`/match/${match}`);
      // Nobody is at the board.
      await page.goto("/rules");
      for (const mv of ["20,21", "20,22", "20,23"]) {
        await move(bob, match, mv);
        await passAnswerDelay(match);
        await expect
          .poll(async () => (await (await page.request.get(`/api/match?id=${match}`)).json()).to_move)
          .toBe(2);
      }
      const { moves } = await (await page.request.get(`/api/match?id=${match}`)).json();
      expect(moves.slice(3)).toEqual(line);
    });
  });
}

test("a vacation stops the clock, the opponent sees it, and a move ends it", async ({ alice, bob }) => {
  const match = await startByCorrespondence(alice, bob);
  await move(alice, match, "5,5");
  await move(bob, match, "20,20");
  const { page } = alice;
  // An open page of the match follows the vacation.
  await bob.page.goto(`/match/${match}`);
  await bob.waitForHydration();
  const seen = bob.page.getByText(": on vacation for at most");
  await expect(seen).toBeHidden();
  await page.goto("/games");
  const vacation = page.getByRole("region", { name: "Vacation" });
  await expect(vacation.getByText("Days left: 7")).toBeVisible();
  await vacation.getByRole("button", { name: "Start vacation" }).click();
  await expect(vacation.getByText(/^You’re on vacation for at most 6 d 23 h more/)).toBeVisible();
  await expect(seen).toHaveText(/: on vacation for at most 6 d 23 h more. The clock stands still.$/);
  await expect(bob.page.getByRole("timer").first()).toContainText("2 d 23 h");
  // A day on vacation is none of the clock.
  passClock(match, 86_400);
  await bob.page.reload();
  await bob.waitForHydration();
  await expect(bob.page.getByRole("timer").first()).toContainText("2 d 23 h");
  await expect(seen).toBeVisible();
  await move(alice, match, "6,6");
  await expect(seen).toBeHidden();
  await page.goto("/games");
  await expect(vacation.getByRole("button", { name: "Start vacation" })).toBeVisible();
  await expect(vacation.getByText("Days left: 6")).toBeVisible();
});

for (const { scripts, ...window } of [
  { scripts: true, locale: "ru-RU", viewport: { width: 360, height: 740 }, hasTouch: true },
  { scripts: false, locale: "ru-RU" },
]) {
  test(`a challenge and a rematch are answered where one's games are (${scripts ? "a phone" : "without scripts"}, in Russian)`, async ({ browser }) => {
    const [anna, boris] = await Promise.all(["анна", "борис"].map((name) => Player.open(browser, name, scripts, window)));
    await anna.account();
    const ask = async (path: string, form: Record<string, string | number | boolean>) =>
      expect(await anna.page.request.post(path, { form })).toBeOK();
    await ask("/api/challenge", { opponent: await boris.account(), game: "dots", clock: "3d" });
    const { page } = boris;
    await page.goto("/games");
    await boris.waitForHydration();
    const challenges = page.getByRole("region", { name: "Вызовы по переписке" });
    await expect(challenges.getByText(anna.name)).toBeVisible();
    if (scripts) await expectAccessible(page);
    await challenges.getByRole("button", { name: "Принять" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).toHaveURL(/\/match\/\d+$/);
    const match = Number(page.url().split("/").pop());
    await move(anna, match, "5,5");
    await move(boris, match, "20,20");
    await ask("/api/resign", { match_id: match });
    await ask("/api/rematch", { match_id: match });
    await page.goto("/games");
    await boris.waitForHydration();
    const rematches = page.getByRole("region", { name: "Реванши" });
    await expect(rematches.getByRole("link", { name: `${anna.name} хочет реванша` })).toHaveAttribute("href", `/match/${match}`);
    if (scripts) await expectAccessible(page);
    await rematches.getByRole("button", { name: "Принять" }).focus();
    await page.keyboard.press("Enter");
    await expect(page).not.toHaveURL(new RegExp(`/match/${match}$|/games$`));
    await expect(page).toHaveURL(/\/match\/\d+$/);
    await page.goto("/games");
    await expect(rematches).toHaveCount(0);
    for (const player of [anna, boris]) await player.page.context().close();
  });
}
