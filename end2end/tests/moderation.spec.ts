/** Moderation and what people see: removed messages, annulled games, the state of the house, watchers, the chat tab. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, type Player, test } from "./fixtures";
import { startMatch } from "./match_actions";
import { appointOperator } from "./operator_account";

const board = { width: 5, height: 5 };

/** Calls a server function as a player, and returns its answer. */
async function call(player: Player, name: string, form: Record<string, string | number | boolean>): Promise<unknown> {
  const response = await player.page.request.post(`/api/${name}`, { form });
  expect(response.ok(), await response.text()).toBe(true);
  return response.json();
}

/** A signed-in player in the waiting room of Dots. */
async function wait(player: Player): Promise<void> {
  await player.account();
  await player.page.goto("/play?game=dots");
  await player.waitForHydration();
}

/** A rated match of two players that both have begun; the first has the first move. Returns its number. */
async function begin(first: Player, second: Player): Promise<number> {
  const match = await startMatch(board, first, second);
  await call(first, "move", { match_id: match, mv: "0,0" });
  await call(second, "move", { match_id: match, mv: "1,1" });
  return match;
}

/** An operator with a browser of their own. */
async function operator(page: Page, name: string): Promise<void> {
  const form = { name, password: "a long enough password" };
  expect((await page.request.post("/api/register", { form })).ok()).toBe(true);
  appointOperator(name);
}

/** Expects these words and no violation of accessibility on this page, in both languages; it ends in English. */
async function expectAccessibleInBoth(page: Page, words: { en: string; ru: string }): Promise<void> {
  for (const language of ["ru", "en"] as const) {
    await page.request.post("/api/settings", { form: { language } });
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
    await expect(page.getByText(words[language]).first()).toBeVisible();
    await expectAccessible(page);
  }
}

test("an operator removes a message in the chat, and everybody sees that it was removed", async ({ alice, bob }) => {
  const removed = { en: "An operator removed this message.", ru: "Оператор удалил это сообщение." };
  await wait(alice);
  await operator(bob.page, bob.name);
  const text = `buy this, ${alice.name}`;
  await call(alice, "say", { place: "lobby", text });
  await bob.page.goto("/play");
  const message = bob.page.locator(".said", { hasText: text });
  await message.getByText("⋯").click();
  // By the key: what others say moves the button.
  await message.getByRole("button", { name: "Remove message" }).press("Enter");
  for (const { page } of [alice, bob]) {
    await expect(page.locator(".said", { hasText: text })).toHaveCount(0);
    await expect(page.locator(".said.removed", { hasText: alice.name }).getByText(removed.en)).toHaveCount(1);
    await expectAccessibleInBoth(page, removed);
  }
  await bob.page.goto("/operator");
  await expectAccessibleInBoth(bob.page, { en: "removed a message", ru: "удалил сообщение" });
});

test("an annulled game is explained to both players", async ({ alice, bob, browser }) => {
  const match = await begin(alice, bob);
  await call(bob, "resign", { match_id: match });
  const overseer = await (await browser.newContext()).newPage();
  await operator(overseer, `op${alice.name}`.slice(0, 20));
  await overseer.goto(`/match/${match}`);
  await overseer.locator(".annulment summary").click();
  await overseer.getByLabel("Why").fill("arranged");
  await overseer.getByRole("button", { name: "Annul game" }).click();
  await expect(overseer.getByRole("heading", { name: "Annulled" })).toBeVisible();
  // The pages of the match that are open say so by themselves.
  for (const { page } of [alice, bob]) {
    await expect(page).toHaveURL(`/match/${match}`);
    await expect(page.getByRole("status").getByRole("heading", { name: "Annulled", exact: true })).toBeVisible();
    await expectAccessible(page);
  }
  await expectAccessibleInBoth(overseer, { en: "An operator annulled this game", ru: "Оператор аннулировал эту партию" });
  for (const [player, other] of [[alice, bob], [bob, alice]]) {
    await player.page.goto("/play?game=dots");
    const notices = player.page.getByRole("region", { name: "Annulled games" });
    await expect(notices).toContainText(`An operator annulled your game against ${other.name} (Dots).`);
    await notices.getByRole("button", { name: "Got it" }).click();
    await expect(notices).toHaveCount(0);
    await player.page.goto("/history");
    await expect(player.page.getByText("Annulled")).toBeVisible();
    await expectAccessible(player.page);
  }
  await overseer.context().close();
});

test("players see the names of spectators, and operators see where each player is", async ({ alice, bob, browser }) => {
  const match = await begin(alice, bob);
  const overseer = await (await browser.newContext()).newPage();
  const name = `op${bob.name}`.slice(0, 20);
  await operator(overseer, name);
  const watching = await overseer.context().newPage();
  await watching.goto(`/match/${match}`);
  await expect(alice.page.locator("#watchers")).toHaveText(`Watching: ${name}`);
  await overseer.goto("/operator/house");
  await expect(overseer.getByRole("row", { name: new RegExp(`${alice.name} plays game ${match}`) })).toHaveCount(1);
  await expect(overseer.getByRole("row", { name: new RegExp(`${name} watches game ${match}`) })).toHaveCount(1);
  await expectAccessible(alice.page);
  await expectAccessibleInBoth(overseer, { en: `watches game ${match}`, ru: `смотрит партию ${match}` });
  await watching.close();
  await expect(alice.page.locator("#watchers")).toHaveText("");
  await overseer.context().close();
});

test("the lobby chat is read and written in a tab of the match page", async ({ alice, bob }) => {
  const match = await begin(alice, bob);
  const text = `still playing ${match}`;
  const tab = alice.page.locator("#lobby-chat");
  await tab.locator("summary").first().click();
  await tab.getByLabel("Message").fill(text);
  await tab.getByRole("button", { name: "Send" }).click();
  await expect(tab.locator(".said", { hasText: text })).toHaveCount(1);
  const theirs = bob.page.locator("#lobby-chat");
  await theirs.locator("summary").first().click();
  await expect(theirs.locator(".said", { hasText: text })).toHaveCount(1);
  await expectAccessible(bob.page);
});
