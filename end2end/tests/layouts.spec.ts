/** Pages with a board on landscape phones and tablets, and what appears there without covering or moving anything. */
import type { Locator } from "@playwright/test";
import { dropSharedWorker, expect, Player, test } from "./fixtures";
import { observeLayoutShifts, rendered } from "./layout_shifts";
import { begin, expectEightLetters, move, offer, press, startMatch } from "./match_actions";
import { openPageState, pageStates } from "./page_states";
import { passClock } from "./passing_time";

const landscapePhone = { viewport: { width: 740, height: 360 }, hasTouch: true } as const;
const windows = [landscapePhone.viewport, { width: 844, height: 390 }, { width: 768, height: 1024 }, { width: 1024, height: 768 }];
const withBoard = ["match-own-turn", "match-watched", "match-finished", "match-gomoku", "computer-game", "analysis", "replay", "puzzle"];

for (const state of pageStates.filter(({ name }) => withBoard.includes(name))) {
  test(`the whole board of ${state.name} is in view, with the players beside it or each other`, async ({ browser, data }) => {
    const page = await openPageState(state, landscapePhone, browser, data);
    await expect(page.locator("svg.board")).toBeVisible();
    for (const viewport of windows) {
      await page.setViewportSize(viewport);
      const where = `${viewport.width} × ${viewport.height}`;
      const [frame, red, blue] = await Promise.all([".board-frame", ".seat.red", ".seat.blue"].map((part) => box(page.locator(part))));
      expect(frame.top, where).toBeGreaterThanOrEqual(0);
      expect(frame.bottom, where).toBeLessThanOrEqual(viewport.height);
      expect(await page.evaluate(() => [scrollX, scrollY, document.documentElement.scrollWidth - innerWidth]), where).toEqual([0, 0, 0]);
      for (const seat of [red, blue]) {
        expect(overlaps(seat, frame), where).toBe(false);
        expect(seat.bottom, where).toBeLessThanOrEqual(viewport.height);
      }
      // Held upright, a tablet gives the board its whole width.
      if (viewport.width < viewport.height) expect(Math.abs(red.top - blue.top), where).toBeLessThan(2);
      else for (const seat of [red, blue]) expect(seat.right <= frame.left || seat.left >= frame.right, where).toBe(true);
    }
    await page.context().close();
  });
}

test("a notice is below the line of the turn on a phone, and above it on a wide page", async ({ alice, bob }) => {
  const { page } = alice;
  await page.clock.install();
  await startMatch({}, alice, bob);
  await begin(alice, bob);
  for (const [width, height] of [[360, 740], [1280, 800]]) {
    await page.setViewportSize({ width, height });
    await offer(alice, "Offer draw");
    await press(bob.page.getByRole("button", { name: "Decline" }));
    const notice = page.locator(".notices .notice");
    // Wherever the page is scrolled to.
    await expect(notice).toBeInViewport();
    await page.evaluate(() => scrollTo(0, 0));
    const [shown, turn, frame] = await Promise.all([notice, page.locator(".turn"), page.locator(".board-frame")].map(box));
    expect(shown.bottom).toBeLessThanOrEqual(frame.top + 1);
    if (width < height) expect(shown.top).toBeGreaterThanOrEqual(turn.bottom - 1);
    else expect(shown.bottom).toBeLessThanOrEqual(turn.top + 1);
    // It is there for ten seconds.
    await page.clock.fastForward(10_000);
    await expect(notice).toHaveCount(0);
    // Offers of one kind need a move between them.
    await move(alice, width < height ? "3,3" : "5,5");
    await move(bob, width < height ? "4,4" : "6,6");
  }
});

test("a lost connection is said in the place of the terms, and moves no board", async ({ alice, bob }) => {
  const { page } = alice;
  await page.setViewportSize({ width: 360, height: 740 });
  await page.addInitScript(dropSharedWorker);
  await startMatch({}, alice, bob);
  const before = await box(page.locator(".board-frame"));
  await page.context().setOffline(true);
  const lost = page.locator(".lost");
  await expect(lost).toBeVisible();
  expect(await box(page.locator(".board-frame"))).toEqual(before);
  for (const part of [".top", ".seat.red", ".seat.blue", ".board-frame"]) {
    expect(overlaps(await box(lost), await box(page.locator(part))), part).toBe(false);
  }
  await page.context().setOffline(false);
  await expect(lost).toHaveCount(0);
});

test("no layout shift when others join and leave", async ({ alice, bob, browser }) => {
  await alice.page.setViewportSize({ width: 360, height: 740 });
  await alice.page.addInitScript(observeLayoutShifts);
  const match = await startMatch({}, alice, bob);
  // Without the countdown of the first moves, which ends with them.
  await begin(alice, bob);
  await alice.page.reload();
  await alice.waitForHydration();
  const visitor = await browser.newPage();
  await visitor.goto(`/match/${match}`);
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await bob.page.goto("/");
  // The front page shows a running game, but never the player's own: a player who has left the table is away.
  await expect(bob.page.locator(`.live a[href="/match/${match}"]`)).toHaveCount(0);
  await expect(alice.page.getByText("is away")).toBeVisible();
  expect(await rendered(alice.page)).toEqual([]);
  await visitor.close();
});

test("at the start of a timed match one clock runs, and on a phone there is one chat and eight letters of a name", async ({ browser, bob }) => {
  // Letters of twice the width, beside the longest clock.
  const wide = await Player.open(browser, "五目並べ愛好会長", true, { viewport: { width: 360, height: 740 } });
  const { page } = wide;
  const match = await startMatch({}, wide, bob, "10800+60");
  const limit = page.locator(".limit");
  await expect(limit).toHaveText(/^First move within \d+ s/);
  await expect(limit).toBeHidden();
  await expectEightLetters(page);
  passClock(match, 42);
  await expect(limit).toBeVisible();
  // In the rest of the minute.
  await begin(wide, bob);
  await expect(page.getByRole("button", { name: "Chat" })).toBeVisible();
  await expect(page.locator("#lobby-chat")).toBeHidden();
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect(page.locator("#lobby-chat")).toBeVisible();
  // Beside a rating and its change.
  const resigned = await bob.page.request.post("/api/resign", { form: { match_id: match } });
  expect(resigned.status(), await resigned.text()).toBe(200);
  for (const each of [page, bob.page]) {
    await expect(each.locator(".seat .change").first()).toHaveText(/[+−]\d+/);
    await expectEightLetters(each);
  }
  await page.context().close();
});

test("a player's keys go to the board at once, and a question mark lists them", async ({ alice, bob }) => {
  const { page, board } = alice;
  await startMatch({ width: 13, height: 13 }, alice, bob);
  await expect(board).toBeFocused();
  // Nobody who uses a mouse is shown an outline.
  await expect(page.locator(".board-frame")).toHaveCSS("outline-style", "none");
  await page.keyboard.press("ArrowUp");
  await expect(board.locator(".cursor")).toHaveCount(1);
  await page.keyboard.press("Enter");
  await expect(alice.moves).toHaveCount(1);
  await move(bob, "0,0");
  await expect(page.locator(".turn")).toHaveText("Your move");
  const hint = page.locator("#hint");
  await expect(hint, "the cursor is on the player's own last move").toHaveText("");

  await page.keyboard.press("?");
  const keys = page.getByRole("dialog", { name: "Keyboard" });
  await expect(keys.getByRole("row", { name: "Read the score S" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(keys).toBeHidden();
  await expect(board).toBeFocused();

  const coordinates = page.getByRole("textbox", { name: "Coordinates" });
  await coordinates.pressSequentially("?");
  await expect(coordinates).toHaveValue("?");
  await expect(keys).toBeHidden();
});

type Box = { left: number; top: number; right: number; bottom: number };

async function box(part: Locator): Promise<Box> {
  return part.evaluate((element) => {
    const { left, top, right, bottom } = element.getBoundingClientRect();
    return { left, top, right, bottom };
  });
}

function overlaps(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom;
}
