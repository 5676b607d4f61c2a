/** The lobby: the filter, the choice, challenges, and running games. */
import type { Browser, Page } from "@playwright/test";
import { countSounds, expect, expectAccessible, Player, settled, test } from "./fixtures";
import { compose, expectEightLetters, pointOnScreen } from "./match_actions";
import { passChallenges } from "./passing_time";

// Several browser contexts, and timeouts of the lobby.
test.describe.configure({ timeout: 240_000 });

/** Registers a player and opens the lobby. */
async function enter(player: Player): Promise<void> {
  await player.register();
  await player.waitForHydration();
  await expect(player.page.getByRole("row", { name: player.name })).toBeVisible();
}

async function stranger(browser: Browser, called: string): Promise<Player> {
  const player = await Player.open(browser, called, true);
  await enter(player);
  return player;
}

const row = (page: Page, player: Player) => page.getByRole("row", { name: player.name });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const slider = (page: Page, name: string) => page.getByRole("slider", { name });
const chosen = (page: Page) => page.locator("#chosen");

const countdown = (page: Page) => page.getByRole("region", { name: "Challenges" }).getByRole("timer");

/** Waits for the only challenge of a player, and returns the time at which it expires. */
async function expiryOf({ page }: Player): Promise<number> {
  await expect(countdown(page)).toBeVisible();
  const { challenges } = await (await page.request.get("/api/waiting_room?game=dots")).json();
  return challenges[0].expires_at;
}

/** Returns the error of the countdown by the server's clock, in s. Tests, browser and server share the clock of one machine. */
async function countdownIsOff({ page }: Player, expiresAt: number): Promise<number> {
  const shown = await countdown(page).evaluate(({ textContent }) => ({
    left: Number(textContent),
    // A test may have set `Date` wrong.
    at: performance.timeOrigin + performance.now(),
  }));
  return Math.abs((expiresAt - shown.at) / 1000 - shown.left);
}

/** Waits until the countdown shows less than now. */
async function expectCountingDown({ page }: Player): Promise<void> {
  const left = async () => Number(await countdown(page).textContent());
  const before = await left();
  await expect.poll(left).toBeLessThan(before);
}

/** An incoming challenge from this player. */
const card = (page: Page, from: Player) =>
  page.getByRole("region", { name: "Challenges" }).locator("form", { hasText: `${from.name} (1600?) challenges you` });

test("the filter works with the keyboard and survives new players, a new choice and a reload", async ({ alice, bob, browser }) => {
  await enter(alice);
  const { page } = alice;
  await expect(slider(page, "Lowest rating")).toBeHidden();
  await button(page, "Filter").focus();
  await page.keyboard.press("Enter");
  await expect(button(page, "Filter")).toHaveAttribute("aria-expanded", "true");
  await expect(slider(page, "Lowest rating")).toBeVisible();

  // The thumbs cannot cross, and at the ends of the track they do not filter.
  const [low, high] = [slider(page, "Lowest rating"), slider(page, "Highest rating")];
  await expect(low).toHaveAttribute("aria-valuetext", "any");
  await high.press("Home");
  await expect(high).toHaveValue("600");
  for (let step = 0; step < 3; step += 1) await high.press("ArrowRight");
  await expect(high).toHaveValue("630");
  await expect(page.locator("#filter").getByLabel("to", { exact: true })).toHaveValue("630");
  await low.press("End");
  await expect(low).toHaveValue("630");
  await low.press("Home");
  await expect(page.locator("#filter").getByLabel("from", { exact: true })).toHaveValue("");

  await button(page, "Apply").press("Enter");
  await expect(page).toHaveURL(/[?&]max=630$/);
  await expect(row(page, alice)).toHaveCount(0);
  await expect(page.getByText("No waiting player matches the filter.")).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: /^0 of \d+ shown$/ })).toBeAttached();
  // Where no person is to be seen, the settings say with whom a game is rated: those with bots are not.
  const withPeople = page.locator("summary .with-people");
  await expect(withPeople).toBeVisible();

  await enter(bob);
  await expect(page.locator(".shown")).toHaveText(/^0 of ([2-9]|\d\d+) shown$/);
  await page.getByText("Game settings").click();
  await page.getByLabel("20 × 20").check();
  await expect(page).toHaveURL(/board=20x20.*&max=630$/);
  await page.reload();
  await alice.waitForHydration();
  await expect(row(page, bob)).toHaveCount(0);
  await expect(page.locator(".shown")).toHaveText(/^0 of \d+ shown$/);

  // A part of a name, applied with Enter, also filters players who join later.
  await button(page, "Filter").click();
  await button(page, "Reset").click();
  await expect(row(page, bob)).toBeVisible();
  await expect(withPeople).toBeHidden();
  await expect(page).not.toHaveURL(/max=/);
  await page.getByLabel("Name contains").fill(bob.name.toUpperCase());
  await page.keyboard.press("Enter");
  await expect(row(page, bob)).toBeVisible();
  await expect(row(page, alice)).toHaveCount(0);
  const carol = await stranger(browser, "carol");
  // The page knows that Carol is there once it shows her challenge.
  await carol.challenge(alice);
  await expect(card(page, carol)).toBeVisible();
  await expect(row(page, carol)).toHaveCount(0);
  await button(page, "Reset").click();
  await expect(row(page, carol)).toBeVisible();
  await carol.page.context().close();
});

test("an invalid filter shows an error", async ({ alice }) => {
  await enter(alice);
  const { page } = alice;
  await page.goto("/play?min=x");
  await alice.waitForHydration();
  await expect(page.getByText("Could not read the filter")).toBeVisible();
  await expect(row(page, alice)).toBeVisible();

  await button(page, "Filter").click();
  await page.locator("#filter").getByLabel("from", { exact: true }).fill("1700");
  await page.locator("#filter").getByLabel("to", { exact: true }).fill("1600.5");
  await button(page, "Apply").click();
  await expect(page.getByText("The lowest rating must not exceed the highest.")).toBeVisible();
  await expect(row(page, alice)).toBeVisible();
  await page.locator("#filter").getByLabel("from", { exact: true }).fill("1600");
  await expect(slider(page, "Lowest rating")).toHaveValue("1600");
  await button(page, "Apply").click();
  await expect(page.getByText("The lowest rating must not exceed the highest.")).toHaveCount(0);
  await expect(row(page, alice)).toBeVisible();
  await expect(page).toHaveURL(/&min=1600&max=1600.5$/);
});

test("the thumbs of the rating slider are dragged", async ({ alice }) => {
  await enter(alice);
  const { page } = alice;
  await button(page, "Filter").click();
  const track = (await page.locator(".track").boundingBox())!;
  const drag = async (from: number, to: number) => {
    const at = (share: number) => track.x + 12 + (track.width - 24) * share;
    await page.mouse.move(at(from), track.y + track.height / 2);
    await page.mouse.down();
    await page.mouse.move(at(to), track.y + track.height / 2, { steps: 4 });
    await page.mouse.up();
  };
  const value = (name: string) => slider(page, name).inputValue().then(Number);
  await drag(0, 0.6);
  expect(await value("Lowest rating")).toBeGreaterThan(1700);
  await drag(1, 0.2);
  expect(await value("Highest rating")).toBe(await value("Lowest rating"));
  // Both are at the same position now, and the one that can be moved is on top.
  await drag(0.6, 0.3);
  expect(await value("Lowest rating")).toBeLessThan(1300);
});

test("the choice is remembered, summarized, and sent with the challenge", async ({ alice, bob }) => {
  await enter(alice);
  await enter(bob);
  const { page } = alice;
  await page.getByText("Game settings").click();
  await expect(chosen(page)).toHaveText("Dots · 39 × 32 · empty board · 5 min + 5 s per move · rated");
  await page.getByLabel("13 × 13").check();
  await page.getByLabel("four crosses").check();
  await page.getByLabel("unrated").check();
  await page.getByLabel("custom clock").check();
  await page.locator("#minutes").fill("1");
  await page.locator("#seconds").fill("30");
  const remembered = page.waitForResponse(
    (response) => /remember_choice/.test(response.url()) && /90(\+|%2B)2/.test(decodeURIComponent(response.request().postData()!)),
  );
  await page.locator("#increment").fill("2");
  await page.locator("#increment").press("Tab");
  const words = "Dots · 13 × 13 · four crosses · 1 min 30 s + 2 s per move · unrated";
  await expect(chosen(page)).toHaveText(words);
  await expect(page).toHaveURL(/board=13x13&start=four_crosses&clock=90\+2&rated=no$/);
  await remembered;

  for (const leave of [() => page.reload(), () => page.goto("/"), () => page.goto("/play")]) await leave();
  await alice.waitForHydration();
  await expect(chosen(page)).toHaveText(words);

  // An invalid size is shown at its field; no challenge is sent until it is corrected, and no input is lost.
  await page.getByText("Game settings").click();
  await page.getByLabel("custom size").check();
  await page.getByLabel("Width").fill("4");
  await page.getByLabel("Height").fill("12");
  await page.getByLabel("Height").press("Tab");
  await expect(page.getByLabel("Width")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByText("5 to 50 points per side.")).toBeVisible();
  await expect(chosen(page)).toHaveText("Correct the marked fields.");
  await expect(button(page, `Challenge ${bob.name}`)).toBeDisabled();
  await expect(page.getByLabel("Width")).toHaveValue("4");
  await page.getByLabel("Width").fill("9");
  await page.getByLabel("Width").press("Tab");
  await expect(page.getByText("Four crosses need at least 10 points per side.")).toBeVisible();
  await page.getByLabel("empty board").check();
  await expect(page.getByText("Four crosses need at least 10 points per side.")).toBeHidden();

  await alice.challenge(bob);
  for (const player of [alice, bob]) {
    await expect(
      player.page
        .getByRole("region", { name: "Challenges" })
        .getByText("Dots · 9 × 12 · empty board · 1 min 30 s + 2 s per move · unrated"),
    ).toBeVisible();
  }
  await button(bob.page, "Accept").click();
  await expect(page).toHaveURL(/\/match\//);
  await expect(page.getByText("1 min 30 s + 2 s per move")).toBeVisible();
});

test("an unanswered challenge expires, and both players see it", async ({ alice, bob }) => {
  await bob.page.clock.install();
  await enter(alice);
  await enter(bob);
  await alice.challenge(bob);
  await Promise.all([alice, bob].map(expectCountingDown));
  await passChallenges(alice, 15);
  await expect(alice.page.getByText(`${bob.name} did not answer in time.`)).toBeVisible();
  await expect(bob.page.getByText(`The challenge from ${alice.name} expired.`)).toBeVisible();
  await expect(button(alice.page, `Challenge ${bob.name}`)).toBeEnabled();
  // Notices disappear after a while.
  await bob.page.clock.fastForward("00:10");
  await expect(bob.page.getByText(`The challenge from ${alice.name} expired.`)).toHaveCount(0);
});

test("countdowns follow the server's clock if the visitor's clock is wrong", async ({ alice, bob }) => {
  await alice.page.addInitScript(() => {
    const hour = 3_600_000;
    const [now, { requestStart, responseStart }] = [Date.now, performance.timing];
    Date.now = () => now() + hour;
    const timing = { requestStart: requestStart + hour, responseStart: responseStart + hour };
    Object.defineProperty(performance, "timing", { value: timing });
  });
  await enter(alice);
  await enter(bob);
  await bob.challenge(alice);
  const expiresAt = await expiryOf(alice);
  await expect.poll(() => countdownIsOff(alice, expiresAt)).toBeLessThan(2);
  await expectCountingDown(alice);
  // A page that is loaded later shows the remaining time; of a new challenge, which has all of it.
  await button(bob.page, "Cancel").click();
  await expect(countdown(alice.page)).toHaveCount(0);
  await bob.challenge(alice);
  const nextExpiresAt = await expiryOf(alice);
  await alice.page.reload();
  await alice.waitForHydration();
  await expect.poll(() => countdownIsOff(alice, nextExpiresAt)).toBeLessThan(2);
  await expectCountingDown(alice);
});

test("one of several challenges is accepted, and the others end with their reasons", async ({ alice, bob, browser }) => {
  const [carol, dave] = [await stranger(browser, "carol"), await stranger(browser, "dave")];
  await enter(bob);
  await enter(alice);
  const { page } = alice;
  await button(page, "Filter").click();
  const field = page.getByLabel("Name contains");
  await field.pressSequentially("wh");
  await dave.challenge(alice);
  await expect(card(page, dave)).toBeVisible();
  await field.pressSequentially("oe");
  await carol.challenge(alice);
  await bob.challenge(alice);
  await expect(card(page, carol)).toBeVisible();
  await expect(card(page, bob)).toBeVisible();
  await field.pressSequentially("ver");
  await expect(field, "no challenge takes the focus").toHaveValue("whoever");
  await expect(page.getByRole("region", { name: "Challenges" })).toHaveAttribute("aria-live", "assertive");

  await dave.page.close();
  await expect(page.getByText(`${dave.name} left the lobby. The challenge is closed.`)).toBeVisible();
  await expect(card(page, dave)).toHaveCount(0);
  await card(page, bob).getByRole("button", { name: "Accept" }).click();
  await expect(page).toHaveURL(/\/match\//);
  await expect(bob.page).toHaveURL(/\/match\//);
  await expect(
    carol.page.getByText(`${alice.name} started another game. The challenge is closed.`),
  ).toBeVisible();
  for (const player of [carol, dave]) await player.page.context().close();
});

test("crossing challenges start a match if their terms are equal, else both stay open", async ({
  alice,
  bob,
}) => {
  await enter(alice);
  await enter(bob);
  await bob.page.getByText("Game settings").click();
  await bob.page.getByLabel("20 × 20").check();
  await alice.challenge(bob);
  await expect(card(bob.page, alice)).toBeVisible();
  await bob.challenge(alice);
  await expect(card(alice.page, bob)).toContainText("20 × 20");
  await expect(alice.page.getByText(`Waiting for ${bob.name} to answer`)).toBeVisible();
  await button(bob.page, "Cancel").click();
  await expect(card(alice.page, bob)).toHaveCount(0);
  await bob.page.getByLabel("39 × 32").check();
  // A new challenge, whose time has just begun.
  await button(alice.page, "Cancel").click();
  await expect(card(bob.page, alice)).toHaveCount(0);
  await alice.challenge(bob);
  await expect(card(bob.page, alice)).toBeVisible();
  await bob.challenge(alice);
  for (const { page } of [alice, bob]) await expect(page).toHaveURL(/\/match\//);
  expect(alice.page.url()).toBe(bob.page.url());
  // The first challenger has the first move.
  await expect(alice.page.getByText("Your move")).toBeVisible();
});

test("the focus moves to the sent challenge", async ({ alice, bob }) => {
  await enter(alice);
  await enter(bob);
  const { page } = alice;
  const sent = page.getByRole("form", { name: `Waiting for ${bob.name} to answer.` });
  // The event with the challenge overtakes the answer, as on a slow line. Tab would skip a button that is still disabled.
  await page.route("**/api/challenge", async (route) => {
    const response = await route.fetch();
    await expect(sent).toBeVisible();
    await expect(sent).not.toBeFocused();
    await route.fulfill({ response });
  });
  await button(page, `Challenge ${bob.name}`).press("Enter");
  await expect(sent).toBeFocused();
  await page.keyboard.press("Tab");
  await expect(button(page, "Cancel")).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByText(`You withdrew your challenge to ${bob.name}.`)).toBeVisible();
  await expect(bob.page.getByText(`${alice.name} withdrew the challenge.`)).toBeVisible();
});

/** A notification that was shown. */
type Told = { title: string; body?: string; closed: boolean };

/** Mocks notifications and the visibility of the page, which headless browsers lack. */
async function mockNotifications(page: Page) {
  await page.addInitScript(() => {
    const told: Told[] = [];
    let permission: NotificationPermission = "default";
    class Mock {
      private readonly note: Told;
      constructor(title: string, options?: NotificationOptions) {
        this.note = { title, body: options?.body, closed: false };
        told.push(this.note);
      }
      close(): void {
        this.note.closed = true;
      }
      static get permission(): NotificationPermission {
        return permission;
      }
      static async requestPermission(): Promise<NotificationPermission> {
        return (permission = "granted");
      }
    }
    Object.assign(window, { Notification: Mock, told });
    Object.defineProperty(document, "hidden", { get: () => document.documentElement.dataset.hidden === "yes" });
  });
  return {
    told: () => page.evaluate(() => (window as unknown as { told: Told[] }).told),
    setHidden: (hidden: boolean) =>
      page.evaluate((value) => (document.documentElement.dataset.hidden = value), hidden ? "yes" : "no"),
  };
}

test("a challenge in a background tab changes the title and shows a notification until it ends", async ({
  alice,
  bob,
}) => {
  const { page } = alice;
  const { told, setHidden } = await mockNotifications(page);
  await enter(alice);
  await enter(bob);
  const title = await page.title();

  // No permission is requested before the button is pressed, and no notification is shown without it.
  await setHidden(true);
  await bob.challenge(alice);
  await expect(page).toHaveTitle("(1) New challenge");
  await button(bob.page, "Cancel").click();
  await expect(page).toHaveTitle(title);
  expect(await told()).toEqual([]);

  await setHidden(false);
  await button(page, "Notify me").click();
  await expect(page.getByText("You’ll be notified of challenges in other tabs.")).toBeVisible();
  await setHidden(true);
  await bob.challenge(alice);
  await expect(page).toHaveTitle("(1) New challenge");
  const note = {
    title: `${bob.name} (1600?) challenges you.`,
    body: "Dots · 39 × 32 · empty board · 5 min + 5 s per move · rated",
  };
  await expect.poll(told).toEqual([{ ...note, closed: false }]);
  await button(bob.page, "Cancel").click();
  await expect(page).toHaveTitle(title);
  await expect.poll(told).toEqual([{ ...note, closed: true }]);
  await expect(page.getByText(`${bob.name} withdrew the challenge.`)).toHaveCount(2);
});

test("a player who waits alone with the tab in the background gets a notification of the first arrival, once that is allowed", async ({ alice, bob, browser }) => {
  const { page } = alice;
  const { told, setHidden } = await mockNotifications(page);
  const carol = await stranger(browser, "carol");
  for (const player of [alice, bob]) await player.account();
  const open = async ({ page }: Player, path: string) => {
    await page.goto(path);
    await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
  };
  await open(alice, "/play?game=reversi");
  await setHidden(true);
  /** Bob comes while Alice is alone. */
  const come = async () => {
    await open(bob, "/");
    await expect(page.getByText("No other players yet.")).toBeVisible();
    await open(bob, "/play?game=reversi");
    await expect(row(page, bob)).toBeVisible();
  };
  await come();
  await settled(page);
  expect(await told(), "nothing is told before it is allowed").toEqual([]);

  await button(page, "Notify me").click();
  await expect(page.getByText("You’ll be notified of challenges in other tabs.")).toBeVisible();
  // Players of other stories may come into this room, too, and before Bob.
  await expect(async () => {
    await come();
    expect((await told()).at(-1)).toMatchObject({ title: `${bob.name} is waiting for an opponent`, closed: false });
  }).toPass();
  const before = await told();
  await open(carol, "/play?game=reversi");
  await expect(row(page, carol)).toBeVisible();
  await settled(page);
  expect(await told(), "with Bob there nobody else is told").toEqual(before);
  await carol.page.context().close();
});

test("a challenge plays a sound after the first interaction, unless sound is off", async ({ alice, bob }) => {
  const { page } = alice;
  await page.addInitScript(countSounds);
  await enter(alice);
  await enter(bob);
  const html = page.locator("html");
  const ask = async () => {
    await bob.challenge(alice);
    await expect(card(page, bob)).toBeVisible();
    await button(bob.page, "Cancel").click();
    await expect(card(page, bob)).toHaveCount(0);
  };
  await button(page, "Filter").click();
  await ask();
  // The sound consists of two tones.
  await expect(html).toHaveAttribute("data-heard", "2");
  await page.evaluate(() => document.documentElement.setAttribute("data-sound", "off"));
  await ask();
  await settled(page);
  await expect(html).toHaveAttribute("data-heard", "2");
});

test("the list of running games is updated live", async ({ alice, bob, browser }) => {
  const carol = await stranger(browser, "carol");
  await enter(alice);
  await enter(bob);
  await alice.page.getByText("Game settings").click();
  await alice.page.getByLabel("custom size").check();
  await alice.page.getByLabel("Width").fill("5");
  await alice.page.getByLabel("Height").fill("5");
  await alice.page.getByLabel("Height").press("Tab");
  await alice.challenge(bob);
  await button(bob.page, "Accept").click();
  const games = carol.page.getByRole("region", { name: "Games to watch" });
  const game = games.getByRole("link", { name: alice.name });
  await expect(game).toContainText("0 : 0");
  await expect(game).toContainText("0% played");
  for (const player of [alice, bob]) {
    await expect(player.page).toHaveURL(/\/match\//);
    await player.waitForHydration();
  }
  await game.focus();
  const moves: [Player, string][] = [
    [alice, "1,0"],
    [bob, "1,1"],
    [alice, "0,1"],
    [bob, "4,4"],
    [alice, "2,1"],
    [bob, "4,3"],
    [alice, "1,2"],
  ];
  for (const [ply, [player, move]] of moves.entries()) {
    await player.type(move);
    for (const { moves } of [alice, bob]) await expect(moves).toHaveCount(ply + 1);
  }
  await expect(game).toContainText("1 : 0", { timeout: 25_000 });
  await expect(game).toContainText("28% played");
  await expect(game, "who was on it is still on it").toBeFocused();
  await bob.page.getByText("Resign", { exact: true }).click();
  await button(bob.page, "Yes, resign").click();
  await expect(game).toHaveCount(0);
  await carol.page.context().close();
});

test("a lost connection is shown until the lobby is synchronized, and challenges that ended meanwhile are shown", async ({ alice, bob }) => {
  await alice.shareNoStream();
  await enter(alice);
  await enter(bob);
  await bob.challenge(alice);
  await expect(card(alice.page, bob)).toBeVisible();
  await alice.page.context().setOffline(true);
  await expect(alice.page.getByText("Connection lost")).toBeVisible();
  await button(bob.page, "Cancel").click();
  await expect(bob.page.getByText(`You withdrew your challenge to ${alice.name}.`)).toBeVisible();
  await alice.page.context().setOffline(false);
  await expect(alice.page.getByText("Connection lost")).toHaveCount(0, { timeout: 20_000 });
  await expect(alice.page.getByText(`${bob.name} withdrew the challenge.`)).toBeVisible();
  await expect(card(alice.page, bob)).toHaveCount(0);
});

const looks = [
  { colorScheme: "light", width: 1280, height: 800 },
  { colorScheme: "dark", width: 360, height: 740 },
] as const;

for (const { colorScheme, width, height } of looks) {
  test(`no accessibility violations with all panels open, ${colorScheme}, ${width} × ${height}`, async ({ alice, bob }) => {
    const { page } = alice;
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await enter(alice);
    await enter(bob);
    await page.goto("/play?game=dots&board=own&width=4&height=9&clock=own&increment=99&min=2&max=1&open=filter");
    await alice.waitForHydration();
    await expect(slider(page, "Lowest rating")).toBeVisible();
    const check = async () => {
      await expectAccessible(page);
      const overhang = await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth);
      expect(overhang, "the page scrolls sideways").toBeLessThanOrEqual(0);
    };
    await check();
    await page.goto("/play?game=dots&name=nobody-at-all&board=39x32");
    await alice.waitForHydration();
    await bob.challenge(alice);
    await expect(card(page, bob)).toBeVisible();
    await check();
    await button(page, "Decline").click();
    await expect(page.getByText("You declined the challenge")).toBeVisible();
    await check();
  });
}

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("filter, choice and ended challenges work", async ({ alice, bob }) => {
    await alice.register();
    await bob.register();
    const { page } = alice;
    await alice.page.goto("/play");
    await page.getByRole("link", { name: "Pause reloading" }).click();
    await page.getByLabel("custom size").check();
    await page.getByLabel("Width").fill("5");
    await page.getByLabel("Height").fill("3");
    await button(page, "Update").click();
    await expect(page.getByText("Correct the marked fields.")).toBeVisible();
    await expect(page.getByLabel("Height")).toHaveValue("3");
    await page.getByLabel("Height").fill("6");
    await page.getByLabel("5 + 5").check();
    await button(page, "Update").click();
    await expect(chosen(page)).toHaveText("Dots · 5 × 6 · empty board · 5 min + 5 s per move · rated");

    // The button leads to a page that does not reload itself, with the choice and the open panel.
    await button(page, "Filter").click();
    await page.getByLabel("Name contains").fill(bob.name);
    await button(page, "Apply").click();
    await expect(row(page, bob)).toBeVisible();
    await expect(row(page, alice)).toHaveCount(0);
    await expect(chosen(page)).toContainText("5 × 6");
    await button(page, "Filter").click();
    await button(page, "Reset").click();
    await expect(row(page, alice)).toBeVisible();

    await bob.page.goto("/play");
    await alice.page.goto("/play");
    await expect(chosen(page)).toContainText("5 × 6");
    await alice.challenge(bob);
    await bob.page.goto("/play");
    await expect(bob.page.getByText("Dots · 5 × 6 · empty board · 5 min + 5 s per move · rated")).toBeVisible();
    await button(bob.page, "Decline").click();
    await expect(bob.page.getByText(`You declined the challenge from ${alice.name}.`)).toBeVisible();
    // The page reloads itself.
    await expect(page.getByText(`${bob.name} declined your challenge.`)).toBeVisible();
    await passChallenges(alice, 30);
    await alice.refresh();
    await expect(page.getByText(`${bob.name} declined your challenge.`)).toHaveCount(0);
  });
});

/**
 * Opens the lobby of a visitor who becomes a guest at an address of their own, under the suggested name or one that is composed by an
 * input method.
 */
async function enterAsGuest(
  browser: Browser,
  address: string,
  path: string,
  scripts: boolean,
  composed?: string,
): Promise<{ page: Page; name: string }> {
  const context = await browser.newContext({ javaScriptEnabled: scripts, extraHTTPHeaders: { "x-forwarded-for": address } });
  const page = await context.newPage();
  await page.goto(path);
  const field = page.getByLabel("Your name");
  if (composed) {
    await field.fill("");
    await field.focus();
    await compose(page, composed);
    await settled(page);
    // The Enter that ended the composition has sent nothing.
    await expect(field).toHaveValue(composed);
  }
  const name = await field.inputValue();
  await button(page, "Play as guest").click();
  await expect(page.getByRole("row", { name })).toContainText("guest");
  return { page, name };
}

for (const scripts of [true, false]) {
  test(`two strangers press Quick game and play, ${scripts ? "with" : "without"} scripts`, async ({ browser }) => {
    // A choice of these two.
    const path = `/play?game=boxes&board=own&width=${scripts ? 3 : 4}&height=2&clock=own&minutes=7&increment=3`;
    const one = await enterAsGuest(browser, "192.0.2.1", path, scripts);
    const other = await enterAsGuest(browser, "198.51.100.1", path, scripts);
    if (scripts) for (const { page } of [one, other]) await page.locator("html[data-hydrated]").waitFor();
    if (scripts) await one.page.clock.install();
    await button(one.page, "Quick game").click();
    await expect(one.page.getByText("Looking for an opponent")).toBeVisible();
    if (scripts) {
      // After twenty seconds something else is proposed, and again after a minute.
      const keep = button(one.page, "Keep waiting");
      await expect(keep).toBeHidden();
      await one.page.clock.fastForward("00:21");
      await expect(one.page.getByText("No opponent yet")).toBeVisible();
      await keep.click();
      await expect(one.page.getByText("Looking for an opponent")).toBeVisible();
      await expect(keep).toBeHidden();
      await one.page.clock.fastForward("00:40");
      await expect(keep).toBeVisible();
      await button(one.page, "Play by correspondence").click();
      // It is answered while they are away, and the quick game is still looked for.
      for (const { page } of [one, other]) {
        const offer = page.getByRole("listitem").filter({ hasText: one.name });
        await expect(offer).toContainText("3 × 2 · 3 days per move · unrated");
      }
    }
    await button(one.page, "Cancel").click();
    await expect(button(one.page, "Quick game")).toBeVisible();
    await button(one.page, "Quick game").click();
    // The clock of the page is ahead by now, so that with scripts it seems to have waited already.
    await expect(one.page.getByText(scripts ? "No opponent yet" : "Looking for an opponent")).toBeVisible();
    // The other sees what the one wants, in the row.
    if (!scripts) await other.page.goto("/play?game=boxes");
    await expect(other.page.getByRole("row", { name: one.name })).toContainText("Quick game:");
    await button(other.page, "Quick game").click();
    for (const { page } of [one, other]) {
      await expect(page).toHaveURL(/\/match\/\d+/);
      for (const { name } of [one, other]) await expect(page.getByText(name).first()).toBeVisible();
    }
    expect(new URL(one.page.url()).pathname).toBe(new URL(other.page.url()).pathname);
    for (const { page } of [one, other]) await page.context().close();
  });
}

test("a guest plays a guest on the board to the end, and a third challenges one of them there", async ({ browser }) => {
  const path = "/play?game=gomoku&board=15&clock=own&minutes=6&increment=4";
  const one = await enterAsGuest(browser, "192.0.2.2", path, true, "たろう");
  const other = await enterAsGuest(browser, "198.51.100.2", path, true);
  const pages = [one.page, other.page];
  for (const page of pages) await page.locator("html[data-hydrated]").waitFor();
  await button(one.page, "Quick game").click();
  await expect(other.page.getByRole("row", { name: one.name })).toContainText("Quick game:");
  await button(other.page, "Quick game").click();
  const turns = pages.map((page) => page.locator(".turn"));
  for (const page of pages) await page.locator("html[data-hydrated]:has(.turn)").waitFor();
  // Beside the marks of the colour and of a guest.
  for (const page of pages) await expectEightLetters(page);
  // Chance has said who begins.
  await expect(pages[0].getByText("Your move").or(pages[0].getByText("Opponent’s move"))).toBeVisible();
  const first = (await turns[0].textContent())!.includes("Your move") ? 0 : 1;
  for (let ply = 0; ply < 9; ply += 1) {
    const mover = (first + ply) % 2;
    await expect(turns[mover]).toContainText("Your move");
    const spot = await pointOnScreen(pages[mover], 3 + Math.floor(ply / 2), ply % 2 ? 9 : 5);
    await pages[mover].mouse.click(spot.x, spot.y);
    for (const page of pages) await expect(page.locator(".dots .dot")).toHaveCount(ply + 1);
  }
  await expect(turns[first]).toHaveText("You win");
  await expect(turns[1 - first]).toHaveText("You lose");
  // There are no points in this game.
  for (const page of pages) await expect(page.locator("main")).not.toContainText(/\d+ : \d+/);

  // Who still has the game open is found in the lobby, is told there, and goes on to the next game.
  const third = await enterAsGuest(browser, "203.0.113.2", path, true);
  await third.page.locator("html[data-hydrated]").waitFor();
  const sits = third.page.getByRole("row", { name: one.name });
  await expect(sits).toContainText("Just finished a game");
  await button(third.page, `Challenge ${one.name}`).click();
  const calls = one.page.getByRole("region", { name: "Challenges" });
  await expect(calls).toContainText(`${third.name} (guest) challenges you.`);
  await expect(one.page).toHaveTitle(/New challenge/);
  await expect(other.page.getByRole("region", { name: "Challenges" })).toHaveText("");
  const finished = one.page.url();
  await button(one.page, "Accept").click();
  await expect(third.page).toHaveURL(/\/match\/\d+/);
  await expect(one.page).toHaveURL(third.page.url());
  expect(third.page.url()).not.toBe(finished);
  for (const page of [...pages, third.page]) await page.context().close();
});

for (const scripts of [true, false]) {
  test(`a quick game is with an opponent of the ratings that one chooses, ${scripts ? "with" : "without"} scripts`, async ({ browser }) => {
    const path = `/play?game=boxes&board=own&width=${scripts ? 5 : 6}&height=2&clock=own&minutes=8&increment=3&open=choice`;
    const { page, name } = await enterAsGuest(browser, "192.0.2.2", path, scripts);
    await page.goto(path);
    if (scripts) await page.locator("html[data-hydrated]").waitFor();
    const bounds = page.getByRole("group", { name: "Opponent’s rating" });
    await bounds.getByLabel("from").fill("1700");
    await bounds.getByLabel("to").fill("1600");
    await (scripts ? page.keyboard.press("Tab") : button(page, "Update").click());
    await expect(chosen(page)).toHaveText("Correct the marked fields.");
    await bounds.getByLabel("to").fill("1800");
    await (scripts ? page.keyboard.press("Tab") : button(page, "Update").click());
    await expect(chosen(page)).toContainText("Opponent’s rating: 1700–1800");
    await button(page, "Quick game").click();
    await expect(page.getByText("Looking for an opponent")).toBeVisible();
    await expect(page.getByRole("row", { name })).toContainText("Opponent’s rating: 1700–1800");
    await page.context().close();
  });
}
