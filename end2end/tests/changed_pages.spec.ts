/** What is done on pages that other scripts change before, during and after hydration; `every_page.spec.ts` starts all others. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { decorate, holdCode, lack, translate } from "./foreign_scripts";
import { begin, move, offer, startMatch } from "./match_actions";

/** The line that says that a page is one without scripts. */
const fallback = (page: Page) => page.locator("#fallback");

test("a page works where only the storage is refused", async ({ alice, bob }) => {
  for (const { page } of [alice, bob]) await lack(page, "storage");
  const errors: string[] = [];
  alice.page.on("pageerror", (error) => errors.push(error.message));
  await startMatch({}, alice, bob);
  await alice.type("3,3");
  await expect(bob.moves).toHaveCount(1);
  for (const path of ["/computer/game?game=dots&board=20x20&level=1", "/play", "/analysis/dots"]) {
    await alice.page.goto(path);
    await alice.waitForHydration();
    await expect(fallback(alice.page)).toBeHidden();
  }
  expect(errors).toEqual([]);
});

test("signing in works with an element beside each field", async ({ alice }) => {
  await decorate(alice.page);
  await alice.registerOnPage();
  await alice.page.getByRole("button", { name: "Sign out" }).click();
  await expect(alice.page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await alice.signIn();
  await expect(alice.page.getByRole("banner")).toContainText(alice.name);
});

test("what is typed before hydration stays, though the page is changed", async ({ alice }) => {
  const { page } = alice;
  await decorate(page);
  const release = await holdCode(page);
  await page.goto("/login");
  await page.getByLabel("Name").fill("typed early");
  await page.getByLabel("Password").focus();
  release();
  await alice.waitForHydration();
  await expect(page.getByLabel("Name")).toHaveValue("typed early");
  await expect(page.getByLabel("Password")).toBeFocused();
});

for (const when of ["parsing", "hydrated"] as const) {
  test(`a match that is translated from ${when} on is played to its end`, async ({ alice, bob }) => {
    await translate(alice.page, when);
    await startMatch({}, alice, bob, "300+5");
    const turn = alice.page.locator(".turn");
    await expect(turn).toHaveText(/Your move/);
    await begin(alice, bob);
    await expect(alice.moves).toHaveCount(2);
    await expect(turn).toHaveText(/Your move/);

    // Red encloses 1,1.
    for (const [player, at] of [
      [alice, "1,0"],
      [bob, "1,1"],
      [alice, "0,1"],
      [bob, "9,9"],
      [alice, "2,1"],
      [bob, "9,8"],
    ] as const) {
      await move(player, at);
    }
    await expect(alice.moves).toHaveCount(8);
    await alice.type("1,2");
    await expect(alice.page.locator(".seat.red .points")).toHaveText(/1$/);
    await expect(turn).not.toHaveText(/Your move/);
    const clock = alice.page.locator(".seat.blue .clock");
    const before = await clock.textContent();
    await expect(clock).not.toHaveText(before!);

    await offer(bob, "Offer draw");
    await expect(alice.page.getByText(`${bob.name} offers a draw.`)).toBeVisible();
    await alice.page.getByRole("button", { name: "Decline" }).click();
    await expect(alice.page.getByText(`${bob.name} offers a draw.`)).toHaveCount(0);
    await bob.page.getByText("Resign", { exact: true }).click();
    await bob.page.getByRole("button", { name: /^Yes/ }).click();
    await expect(alice.page.getByRole("heading", { name: "You win" })).toBeVisible();
    await expect(turn).toHaveText(/You win/);
    await expect(fallback(alice.page)).toBeHidden();
  });
}
