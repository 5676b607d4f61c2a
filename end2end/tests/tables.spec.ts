/** Open tables: joining by link with or without an account, getting ready, starting the match. */
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { expect, expectAccessible, Player, test } from "./fixtures";

// Several browser contexts, and hydration of a debug build is slow.
test.describe.configure({ timeout: 240_000 });

const seat = (page: Page, name: string | RegExp) => page.locator(".table-seat").filter({ hasText: name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const named = (name: string) => `${name} ${randomBytes(3).toString("hex")}`;

/** Opens a table with a small board from the lobby, and returns its link. */
async function createTable(player: Player, name: string): Promise<string> {
  await player.page.goto("/play?game=dots&board=own&width=5&height=5&clock=none&rated=yes&open=choice");
  await player.waitForHydration();
  const field = player.page.getByLabel("Game name");
  await field.fill(name);
  // By the key, because another game that is opened meanwhile moves the button.
  await field.press("Enter");
  await expect(player.page).toHaveURL(/\/t\/\w{10}$/);
  await expect(player.page.getByRole("heading", { level: 1 })).toHaveText(name);
  // The buttons' module has run.
  await player.page.waitForLoadState();
  return player.page.getByRole("textbox", { name: "Link to this game" }).inputValue();
}

/** Returns the player who is to move. */
async function turn(one: Player, other: Player): Promise<[Player, Player]> {
  const own = await one.page.getByText("Your move", { exact: true }).count();
  return own ? [one, other] : [other, one];
}

const log = (page: Page) => page.getByRole("log", { name: "Chat" });

/** Writes to the other player at a table. Without scripts, on the page that does not reload itself. */
async function write({ page }: Player, scripts: boolean, text: string): Promise<void> {
  if (!scripts) await page.getByRole("link", { name: "Write or report" }).click();
  await page.getByLabel("Message", { exact: true }).fill(text);
  await page.getByLabel("Message", { exact: true }).press("Enter");
  await expect(log(page).getByText(text)).toHaveCount(1);
  if (!scripts) await page.getByRole("link", { name: "Back", exact: true }).click();
}

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("a guest plays a signed-in player from a link", async ({ alice, bob }) => {
      const { page } = alice;
      await alice.account();
      const link = await createTable(alice, named("After work"));
      await expect(page.getByText("Dots · 5 × 5 · empty board · no clock · rated")).toBeVisible();
      await expect(page.getByText("Waiting for an opponent. Send the link.")).toBeVisible();

      // Bob has no account and joins as a guest.
      await bob.page.goto(link);
      await expect(bob.page.getByText("A seat is free.")).toBeVisible();
      await expect(bob.page.getByRole("heading", { level: 1 })).toHaveText(new RegExp(`${alice.name}.? invites you to Dots`));
      // The link and its picture are for the host, who sends it.
      await expect(bob.page.locator("#invite")).toHaveCount(0);
      await expect(page.locator("#invite")).toBeVisible();
      const guest = await bob.page.getByLabel("Your name").inputValue();
      expect(guest).toMatch(/^[A-Z][a-z]+-[A-Z][a-z]+-\d\d$/);
      if (scripts) await expectAccessible(bob.page);
      await button(bob.page, "Join as guest").click();
      await expect(seat(bob.page, guest)).toContainText("guest");
      await expect(bob.page).toHaveURL(link);

      await alice.refresh();
      // Who comes by an invitation is ready, and may take that back; the host starts.
      await expect(seat(page, guest)).toHaveClass(/ready/);
      await expect(page.getByText("Games with a guest are unrated.")).toBeVisible();
      await expect(bob.page.getByText(`You’re ready. Waiting for ${alice.name}.`)).toBeVisible();
      // The two talk at the table, and in the match afterwards.
      await write(bob, scripts, "Shall we?");
      await alice.refresh();
      await expect(log(page).getByText("Shall we?")).toHaveCount(1);
      await write(alice, scripts, "One moment");
      await bob.refresh();
      await expect(log(bob.page).getByText("One moment")).toHaveCount(1);
      await page.goto(link);
      await button(page, "I’m ready").click();
      await expect(page).toHaveURL(/\/match\/\d+$/);
      await bob.refresh();
      for (const player of [alice, bob]) {
        await expect(player.page).toHaveURL(/\/match\/\d+$/);
        await player.waitForHydration();
        await expect(player.page.getByText("Dots · 5 × 5 · empty board · no clock · unrated")).toBeVisible();
        await expect(log(player.page).getByText("Shall we?")).toHaveCount(1);
      }

      for (const move of ["2,2", "1,1", "3,3", "0,4"]) {
        for (const player of [alice, bob]) await player.refresh();
        const [mover, other] = await turn(alice, bob);
        await mover.type(move);
        await other.refresh();
        await expect(other.page.getByText("Your move", { exact: true })).toBeVisible();
      }

      // After the game, the guest creates an account and keeps the game.
      await alice.refresh();
      await page.getByText("Resign", { exact: true }).click();
      await button(page, "Yes, resign").click();
      await bob.refresh();
      await expect(bob.page.getByRole("heading", { name: "You win" })).toBeVisible();
      await bob.page.getByRole("main").getByRole("link", { name: "Keep your games" }).click();
      await bob.waitForHydration();
      await expect(bob.page.getByLabel("Name")).toHaveValue(guest);
      if (scripts) await expectAccessible(bob.page);
      await bob.page.getByLabel("Password").fill(bob.password);
      await button(bob.page, "Create account").click();
      await expect(bob.page).toHaveURL(/\/play/);
      await expect(bob.page.getByRole("row", { name: guest })).not.toContainText("guest");
    });

    test("a player joins from the lobby and is removed", async ({ alice, bob }) => {
      await alice.account();
      await bob.account();
      const name = named("Второй стол");
      await bob.page.goto("/play?game=dots");
      await bob.waitForHydration();
      const link = await createTable(alice, name);
      const row = bob.page.getByRole("region", { name: "Open games" }).getByRole("listitem").filter({ hasText: name });
      await bob.refresh();
      await expect(row).toContainText(`by ${alice.name}`);
      await row.getByRole("button", { name: `Join ${name}` }).click();
      await expect(bob.page).toHaveURL(link);
      await alice.refresh();
      await alice.page.getByRole("button", { name: `Remove ${bob.name}` }).click();
      await expect(seat(alice.page, "free seat")).toBeVisible();
      await bob.refresh();
      await expect(button(bob.page, "Join")).toBeVisible();

      // The lobby links to the own table, and does not offer to open a second one.
      await alice.page.goto("/play");
      await alice.waitForHydration();
      await button(alice.page, "Create game").click();
      await expect(alice.page.getByText("You already have an open game.")).toBeVisible();
      await alice.page.getByText("You have a seat in an open game.").getByRole("link", { name: "To your game" }).click();
      await button(alice.page, "Close game").click();
      await expect(alice.page).toHaveURL(/\/play/);
      // The page reloads itself where scripts are disabled.
      await expect(bob.page.getByRole("heading", { name: "This game is closed" })).toBeVisible();
      await bob.page.getByRole("main").getByRole("link", { name: "To the lobby" }).click();
      await expect(bob.page).toHaveURL(/\/play/);
    });
  });
}

test("the link is copied, shared, and shown as a QR code", async ({ browser }) => {
  const alice = await Player.open(browser, "alice", true, { permissions: ["clipboard-read", "clipboard-write"] });
  const { page } = alice;
  await page.addInitScript(() => {
    navigator.share = async ({ url }: ShareData = {}) => void (document.title = `shared ${url}`);
  });
  await alice.account();
  const link = await createTable(alice, named("Links"));
  expect(link).toBe(page.url());
  await button(page, "Copy link").click();
  await expect(page.getByText("Copied.")).toBeVisible();
  const both = page.getByRole("link", { name: "Play both sides" });
  await expect(both).toHaveAttribute("href", "/analysis?game=dots&board=5x5&start=empty");
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(link);
  await button(page, "Share").click();
  await expect(page).toHaveTitle(`shared ${link}`);

  // The QR code is dark on white also in dark mode.
  await page.emulateMedia({ colorScheme: "dark" });
  const code = page.getByRole("img", { name: "QR code of the link to this game" });
  await expect(code).toBeVisible();
  const paper = code.locator("rect");
  expect(await paper.evaluate((rect) => getComputedStyle(rect).fill)).toBe("rgb(255, 255, 255)");
  await expectAccessible(page);
  await page.context().close();
});

test("without a clipboard the link is selected", async ({ alice }) => {
  const { page } = alice;
  await page.addInitScript(() => Object.defineProperty(navigator, "clipboard", { value: undefined }));
  await alice.account();
  const link = await createTable(alice, named("Plain"));
  await button(page, "Copy link").click();
  await expect(page.getByText("Press Ctrl+C to copy the link.")).toBeVisible();
  expect(await page.evaluate(() => getSelection()?.toString())).toBe(link);
  await expect(page.locator("#share")).toBeHidden();
});

test("a table is opened, joined and started with the keyboard alone", async ({ alice, bob }) => {
  await alice.account();
  await bob.account();
  await alice.page.goto("/play?game=dots&board=own&width=5&height=5");
  await alice.waitForHydration();
  await alice.page.getByLabel("Game name").focus();
  await alice.page.keyboard.type(named("Keys"));
  await alice.page.keyboard.press("Enter");
  await expect(alice.page).toHaveURL(/\/t\//);
  await bob.page.goto(alice.page.url());
  await expect(bob.page.getByText("A seat is free.")).toBeVisible();
  await bob.page.locator("#sit").focus();
  await bob.page.keyboard.press("Enter");
  // The focus moves to the next action, and stays on a button that is toggled.
  await expect(bob.page.locator("#ready")).toBeFocused();
  await expect(bob.page.locator("#ready")).toHaveText("Not ready");
  await bob.page.keyboard.press("Enter");
  await expect(bob.page.locator("#ready")).toHaveText("I’m ready");
  await bob.page.keyboard.press("Enter");
  await expect(bob.page.locator("#ready")).toHaveText("Not ready");
  await expect(bob.page.locator("#ready")).toBeFocused();
  await expect(alice.page.getByText("Both seats are taken.")).toBeVisible();
  await alice.page.locator("#ready").focus();
  await alice.page.keyboard.press("Enter");
  for (const { page } of [alice, bob]) await expect(page).toHaveURL(/\/match\/\d+$/);
});

test("a visitor of a table gets a link to its match", async ({ alice, bob, browser }) => {
  await alice.account();
  await bob.account();
  const link = await createTable(alice, named("Watched"));
  await bob.page.goto(link);
  await button(bob.page, "Join").click();
  const watching = await browser.newPage();
  await watching.goto(link);
  await expect(watching.getByText("You can watch here once the game starts.")).toBeVisible();
  await button(alice.page, "I’m ready").click();
  await watching.getByRole("link", { name: "Watch game" }).click();
  await expect(watching).toHaveURL(/\/match\/\d+$/);
  await watching.close();
});

test("a table in Russian", async ({ browser }) => {
  const alice = await Player.open(browser, "alice", true, { locale: "ru-RU" });
  const { page } = alice;
  await alice.account();
  await page.goto("/play?game=dots");
  await alice.waitForHydration();
  await page.getByLabel("Название игры").fill("Вечер");
  await button(page, "Создать игру").click();
  await expect(page.getByText("Ждём соперника. Отправьте ему ссылку.")).toBeVisible();
  await expect(page.getByText("Точки · 39 × 32 · пустое поле · 5 мин + 5 с на ход · на рейтинг")).toBeVisible();
  await button(page, "Я готов").click();
  await expect(seat(page, alice.name)).toContainText(/(?<!не )готов/);
  await expectAccessible(page);
  await button(page, "Закрыть игру").click();
  await expect(page).toHaveURL(/\/play/);
  await page.context().close();
});

test("an unknown link shows an error and a link to the lobby", async ({ page }) => {
  const answer = await page.goto("/t/0123456789");
  expect(answer?.status()).toBe(404);
  await expect(page.getByRole("heading", { name: "No such game" })).toBeVisible();
  await expect(page.getByRole("main").getByRole("link", { name: "To the lobby" })).toBeVisible();
});

test("a taken guest name is refused, and the login leads back to the table", async ({ alice, bob, browser }) => {
  await alice.account();
  await bob.account();
  const link = await createTable(alice, named("Names"));
  const visitor = await Player.open(browser, "visitor", true);
  await visitor.page.goto(link);
  await visitor.page.getByLabel("Your name").fill(alice.name);
  await button(visitor.page, "Join as guest").click();
  await expect(visitor.page.getByText("That name is taken.")).toBeVisible();
  await visitor.page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await visitor.waitForHydration();
  await visitor.page.getByLabel("Name").fill(bob.name);
  await visitor.page.getByLabel("Password").fill(bob.password);
  await button(visitor.page, "Sign in").click();
  await expect(visitor.page).toHaveURL(link);
  await expect(button(visitor.page, "Join")).toBeVisible();
  await visitor.page.context().close();
});
