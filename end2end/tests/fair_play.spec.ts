/** Before both have moved: the countdown for the first moves, and aborting; afterwards: offers that are not repeated. */
import type { Page } from "@playwright/test";
import { test, expect, expectAccessible, Player } from "./fixtures";
import { begin, move, offer, press, startMatch } from "./match_actions";
import { passAbsence } from "./passing_time";

// Several browser contexts, and hydration of a debug build is slow.
test.describe.configure({ timeout: 240_000 });

const texts = {
  "en-GB": {
    abort: "Abort",
    sure: "Abort? No one wins, and ratings stay the same.",
    yes: "Yes, abort",
    resign: "Resign",
    limit: "First move within",
    headline: "Game aborted",
    reason: (name: string) => `${name} left before both moved. Ratings stay the same.`,
    rematch: "Rematch",
  },
  "ru-RU": {
    abort: "Прервать",
    sure: "Прервать партию? Победителя не будет, рейтинг не изменится.",
    yes: "Да, прервать",
    resign: "Сдаться",
    limit: "Первый ход за",
    headline: "Партия прервана",
    reason: (name: string) => `${name} выходит до первых ходов. Рейтинг не меняется.`,
    rematch: "Реванш",
  },
};

const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
};

/** Expects the countdown for a first move, with at most `seconds` left. Returns what is left. */
async function expectFirstMoveLimit(page: Page, words: string, seconds = 61): Promise<number> {
  const notice = page.getByRole("status").filter({ hasText: words });
  await expect(notice).toBeVisible();
  const left = async () => Number(await notice.getByRole("timer").innerText());
  await expect.poll(left).toBeGreaterThan(0);
  const shown = await left();
  expect(shown).toBeLessThanOrEqual(seconds);
  return shown;
}

for (const locale of ["en-GB", "ru-RU"] as const) {
  const words = texts[locale];

  for (const [device, viewport] of Object.entries(viewports)) {
    test(`a match is aborted until both have moved (${locale}, ${device})`, async ({ browser }) => {
      const [alice, bob] = await Promise.all(
        ["alice", "bob"].map((name) => Player.open(browser, name, true, { locale, viewport })),
      );
      const match = await startMatch({}, alice, bob);
      await move(alice, "5,5");
      for (const player of [alice, bob]) {
        await expect(player.page.getByText(words.abort, { exact: true })).toBeVisible();
        await expect(player.page.getByText(words.resign, { exact: true })).toHaveCount(0);
      }

      await bob.page.getByText(words.abort, { exact: true }).click();
      await expect(bob.page.getByText(words.sure)).toBeVisible();
      await expectAccessible(bob.page);
      await bob.page.getByRole("button", { name: words.yes }).click();
      // The same words for both.
      for (const { page } of [alice, bob]) {
        await expect(page.getByRole("heading", { name: words.headline })).toBeVisible();
        await expect(page.getByText(words.reason(bob.name))).toBeVisible();
        await expect(page.getByText(/1600\? →/)).toHaveCount(0);
        await expect(page.getByRole("button", { name: words.rematch })).toBeVisible();
        await expect(page.getByText(words.limit)).toHaveCount(0);
        await expect(page.getByText(words.abort, { exact: true })).toHaveCount(0);
      }
      await expectAccessible(bob.page);
      // The server renders the same.
      await alice.page.goto(`/match/${match}`);
      await expect(alice.page.getByText(words.reason(bob.name))).toBeVisible();
      for (const { page } of [alice, bob]) await page.context().close();
    });
  }

  test(`the first moves have a countdown (${locale})`, async ({ browser }) => {
    const [alice, bob] = await Promise.all(["alice", "bob"].map((name) => Player.open(browser, name, true, { locale })));
    const match = await startMatch({}, alice, bob);
    const visitor = await (await browser.newContext({ locale })).newPage();
    await visitor.goto(`/match/${match}`);
    // The count goes down for both players and the spectators.
    const pages = [alice.page, bob.page, visitor];
    for (const page of pages) {
      const left = await expectFirstMoveLimit(page, words.limit);
      await expect(async () => {
        await expectFirstMoveLimit(page, words.limit, left - 1);
      }).toPass();
    }
    await move(alice, "5,5");
    for (const page of pages) await expectFirstMoveLimit(page, words.limit);
    await move(bob, "6,6");
    for (const page of pages) await expect(page.getByText(words.limit)).toHaveCount(0);
    for (const { page } of [alice, bob]) {
      // From now on the match is resigned.
      await expect(page.getByText(words.resign, { exact: true })).toBeVisible();
      await expect(page.getByText(words.abort, { exact: true })).toHaveCount(0);
    }
    for (const page of pages) await page.context().close();
  });
}

test("both players get a notice when two of the ten minutes for a move are left", async ({ alice, bob }) => {
  for (const { page } of [alice, bob]) await page.clock.install();
  await startMatch({}, alice, bob);
  await move(alice, "5,5");
  await move(bob, "6,6");
  for (const { page } of [alice, bob]) {
    const limit = page.getByRole("status").filter({ hasText: "Move within" });
    await expect(limit.getByRole("timer")).toHaveText(/^(600|5\d\d)$/);
    await expect(page.getByText("2 minutes for this move")).toHaveCount(0);
    await page.clock.fastForward("08:05");
    const who = page === alice.page ? "You have" : "Your opponent has";
    await expect(page.getByText(`${who} 2 minutes for this move.`)).toBeVisible();
  }
});

test("an absence before the first moves aborts the match", async ({ alice, bob }) => {
  const match = await startMatch({}, alice, bob);
  await move(alice, "5,5");
  await bob.page.goto("/");
  await expect(alice.page.getByText(`${bob.name} is away. The game is aborted in`)).toBeVisible();
  await passAbsence(match, 30);
  await expect(alice.page.getByRole("heading", { name: texts["en-GB"].headline })).toBeVisible();
  await expect(alice.page.getByText(texts["en-GB"].reason(bob.name))).toBeVisible();
});

test("what the opponent asks is noticed in another tab", async ({ alice, bob }) => {
  const { page } = bob;
  await page.context().grantPermissions(["notifications"]);
  await page.addInitScript(() => {
    const told: string[] = [];
    Object.assign(window, { told });
    // Tabs of a test are never hidden, and Chromium without windows shows no notifications.
    Object.defineProperty(document, "hidden", { get: () => true });
    window.Notification = class {
      static permission = "granted";
      constructor(title: string) {
        told.push(title);
      }
      close() {
        told.push("closed");
      }
    } as unknown as typeof Notification;
    Object.defineProperty(navigator, "serviceWorker", { value: undefined });
    document.addEventListener("sound:call", () => told.push("sound"));
  });
  const told = () => page.evaluate(() => (window as unknown as { told: string[] }).told.splice(0));
  await startMatch({}, alice, bob);
  await begin(alice, bob);
  const title = await page.title();
  const offers = [
    ["Offer draw", `${alice.name} offers a draw.`],
    ["Finish by score", `${alice.name} offers to finish by score.`],
    ["Takeback", `${alice.name} asks for a takeback.`],
  ] as const;
  for (const [button, asks] of offers) {
    if (button === "Takeback") await press(alice.page.getByRole("button", { name: button }));
    else await offer(alice, button);
    await expect(page).toHaveTitle("(1) Offer from your opponent");
    await expect.poll(told).toEqual(["sound", asks]);
    await press(page.getByRole("button", { name: "Decline" }));
    await expect(page).toHaveTitle(title);
    await expect.poll(told).toEqual(["closed"]);
  }
  // The player's own offer, and its end, are none of these.
  await offer(bob, "Offer draw");
  await press(alice.page.getByRole("button", { name: "Decline" }));
  await expect(page.getByText(`${alice.name} declined your offer.`)).toBeVisible();
  expect(await told()).toEqual([]);
  expect(await page.title()).toBe(title);
  await page.request.post("/api/resign", { form: { match_id: page.url().split("/").at(-1)! } });
  await alice.page.getByRole("button", { name: "Rematch" }).click();
  await expect(page).toHaveTitle("(1) Offer from your opponent");
  await expect.poll(told).toEqual(["sound", `${alice.name} wants a rematch.`]);
});

test("an offer cannot be repeated before the player's next move", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  await begin(alice, bob);
  await offer(alice, "Offer draw");
  await press(bob.page.getByRole("button", { name: "Decline" }));
  await expect(alice.page.getByText(`${bob.name} declined your offer.`)).toBeVisible();
  await offer(alice, "Offer draw");
  await expect(alice.page.getByText("You offered this already.")).toBeVisible();
  await expect(bob.page.getByRole("button", { name: "Accept" })).toHaveCount(0);
  await alice.type("5,5");
  await expect(bob.moves).toHaveCount(3);
  await offer(alice, "Offer draw");
  await bob.page.getByRole("button", { name: "Accept" }).click();
  await expect(alice.page.getByRole("heading", { name: "Draw" })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("a match is aborted with a form", async ({ alice, bob }) => {
    const words = texts["en-GB"];
    const match = await startMatch({}, alice, bob);
    await expect(alice.page.getByText(words.limit)).toBeVisible();
    await alice.page.getByText(words.abort, { exact: true }).click();
    await alice.page.getByRole("button", { name: words.yes }).click();
    for (const { page } of [alice, bob]) {
      await page.goto(`/match/${match}`);
      await expect(page.getByRole("heading", { name: words.headline })).toBeVisible();
      await expect(page.getByText(words.reason(alice.name))).toBeVisible();
    }
  });
});
