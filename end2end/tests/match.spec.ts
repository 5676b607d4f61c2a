/** Everything in a match except moves: clocks, offers, absences, rematches. */
import { type Page } from "@playwright/test";
import { test, expect, Player } from "./fixtures";
import { begin, offer, press, startMatch } from "./match_actions";
import { passAbsence, passClock } from "./passing_time";

/** The difference between the displayed clock of the side to move, which shows tenths, and the server's, in seconds. */
async function clockIsOff(page: Page, match: number): Promise<number> {
  const shown = await page.evaluate(() => {
    const text = document.querySelector(".clock.running")!.textContent!;
    const [, minutes, seconds] = text.match(/(\d+):([\d.]+)/)!;
    return { left: 60 * Number(minutes) + Number(seconds), at: Date.now() };
  });
  const { clock } = await (await page.request.get(`/api/match?id=${match}`)).json();
  // Tests and server share the clock of one machine.
  const left = (clock.left_ms[clock.running - 1] - (shown.at - clock.at)) / 1000;
  return Math.abs(left - shown.left);
}

test("both clocks show the server's time, and time runs out without a request", async ({ alice, bob }) => {
  const match = await startMatch({}, alice, bob, "60+0");
  await begin(alice, bob);
  // Tenths are shown in the last twenty seconds.
  passClock(match, 40);
  const check = async ({ page }: Player) => {
    await expect(page.locator(".clock.running")).toHaveClass(/low/);
    await expect.poll(() => clockIsOff(page, match), { intervals: [100] }).toBeLessThan(0.2);
  };
  await Promise.all([alice, bob].map(check));
  passClock(match, 20);
  await expect(alice.page.getByRole("heading", { name: "You lose" })).toBeVisible();
  await expect(alice.page.getByText(`${alice.name} ran out of time.`)).toBeVisible();
  await expect(bob.page.getByRole("heading", { name: "You win" })).toBeVisible();
  await expect(bob.page.locator(".seat.red .clock")).toContainText("0:00.0");
});

test("an offer is answered, cancelled, or ended by a move, and both players see it", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);

  // Neither is offered before both have moved.
  const buttons = ["Offer draw", "Finish by score"].map((name) => alice.page.getByRole("button", { name }));
  for (const button of buttons) await expect(button).toBeDisabled();
  await begin(alice, bob);
  for (const button of buttons) await expect(button).toHaveCount(0);

  // A first press asks, and can be taken back.
  await alice.page.getByText("Offer draw", { exact: true }).click();
  await alice.page.locator("details[open]").getByText("Cancel", { exact: true }).click();
  await expect(alice.page.getByRole("button", { name: "Yes, offer" })).toHaveCount(0);
  await offer(alice, "Offer draw");
  await expect(alice.page.getByText(`Waiting for ${bob.name} to answer.`)).toBeVisible();
  await expect(bob.page.getByText(`${alice.name} offers a draw.`)).toBeVisible();
  // On a phone it appears under the thumb.
  await expect(bob.page.locator(".offers.incoming form").first()).toHaveCSS("animation-name", "deaf");
  await press(bob.page.getByRole("button", { name: "Decline" }));
  await expect(alice.page.getByText(`${bob.name} declined your offer.`)).toBeVisible();
  await expect(bob.page.getByText(`You declined the offer from ${alice.name}.`)).toBeVisible();

  await offer(alice, "Finish by score");
  await expect(bob.page.getByText(`${alice.name} offers to finish by score`)).toBeVisible();
  await press(alice.page.getByRole("button", { name: "Cancel" }));
  await expect(bob.page.getByText(`${alice.name} withdrew the offer.`)).toBeVisible();

  await alice.type("5,5");
  await expect(bob.moves).toHaveCount(3);
  await offer(alice, "Offer draw");
  await expect(bob.page.getByText(`${alice.name} offers a draw.`)).toBeVisible();
  await bob.type("6,6");
  await expect(alice.page.getByText("A move was made. The offer is closed.")).toBeVisible();

  await offer(bob, "Offer draw");
  await alice.page.getByRole("button", { name: "Accept" }).click();
  for (const player of [alice, bob]) {
    await expect(player.page.getByRole("heading", { name: "Draw" })).toBeVisible();
    await expect(player.page.getByText("Draw by agreement.")).toBeVisible();
  }
});

test("a move is taken back when the opponent accepts", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  const takeBack = alice.page.getByRole("button", { name: "Takeback" });
  await expect(takeBack).toBeDisabled();
  await alice.type("5,5");
  await bob.type("6,6");
  await expect(alice.moves).toHaveCount(2);
  await press(takeBack);
  await bob.page.getByRole("button", { name: "Accept" }).click();
  for (const player of [alice, bob]) {
    await expect(player.moves).toHaveCount(0);
    await expect(player.page.getByText("The move was undone.")).toBeVisible();
  }
  await alice.type("7,7");
  await expect(bob.moves).toContainText(["7,7"]);
});

test("an absence is shown, and a returning player finds the match unchanged", async ({ alice, bob, browser }) => {
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  await alice.type("5,5");
  const visitor = await Player.open(browser, "visitor", true);
  await visitor.page.goto(`/match/${match}`);
  await visitor.waitForHydration();
  await expect(alice.page.getByText("1 watching")).toBeVisible();
  await expect(visitor.page.getByRole("button", { name: "Resign" })).toHaveCount(0);
  await expect(visitor.page.getByText("Offer draw", { exact: true })).toHaveCount(0);

  await bob.page.goto("/");
  await expect(alice.page.getByText(`${bob.name} is away. You win in`)).toBeVisible();
  await expect(visitor.page.getByText(`${bob.name} is away. They lose in`)).toBeVisible();
  await bob.page.goto(`/match/${match}`);
  await expect(alice.page.getByText("is away")).toHaveCount(0);
  await bob.waitForHydration();
  await bob.type("6,6");
  await expect(alice.moves).toContainText(["0,4", "4,0", "5,5", "6,6"]);
  await visitor.page.context().close();
  await expect(alice.page.getByText("1 watching")).toHaveCount(0);
});

test("a player who stays absent loses", async ({ alice, bob }) => {
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  await bob.page.goto("/");
  await expect(alice.page.getByText(`${bob.name} is away. You win in`)).toBeVisible();
  await passAbsence(match, 30);
  await expect(alice.page.getByRole("heading", { name: "You win" })).toBeVisible();
  await expect(alice.page.getByText(`${bob.name} left the game.`)).toBeVisible();
});

test("a rematch swaps the colours", async ({ alice, bob }) => {
  const match = await startMatch({}, alice, bob, "300+5");
  await begin(alice, bob);
  await bob.page.getByText("Resign", { exact: true }).click();
  await bob.page.getByRole("button", { name: "Yes, resign" }).click();
  await alice.page.getByRole("button", { name: "Rematch" }).click();
  await expect(bob.page.getByText(`${alice.name} wants a rematch.`)).toBeVisible();
  // A press that was meant for what stood there before does nothing.
  await expect(bob.page.locator(".rematch form").first()).toHaveCSS("animation-name", "deaf");
  await expect(alice.page.getByText(`Waiting for ${bob.name} to answer.`)).toBeVisible();
  await bob.page.getByRole("button", { name: "Rematch" }).click();
  for (const player of [alice, bob]) {
    await expect(player.page).not.toHaveURL(new RegExp(`/match/${match}$`));
    await expect(player.page.getByRole("heading", { level: 1 })).toHaveText(`${bob.name} – ${alice.name}`);
  }
  await bob.waitForHydration();
  await expect(bob.page.getByText("Your move", { exact: true })).toBeVisible();

  // Who comes back to the game before stays there, and has a link.
  await alice.page.goto(`/match/${match}`);
  await alice.waitForHydration();
  // Beside it is the one to the running game that waits for a move, wherever that is.
  await expect(alice.page.locator("a[href^='/match/']", { hasText: "Next game" })).toBeVisible();
  await expect(alice.page).toHaveURL(new RegExp(`/match/${match}$`));
});

test("a move that is one too many is sent again when the server says so", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  let refused = 0;
  await alice.page.route("**/api/move", async (route) => {
    if (refused++ > 0) return route.continue();
    const json = { code: "too_many_requests", message: "Too many requests. Wait a little." };
    return route.fulfill({ status: 429, headers: { "retry-after": "1" }, json });
  });
  await alice.type("3,3");
  // The move stays on the board, the connection is not called lost, and the other player sees it.
  await expect(bob.moves).toHaveCount(1);
  await expect(alice.page.getByText("Too many requests.")).toHaveCount(0);
  await expect(alice.moves).toHaveCount(1);
  expect(refused).toBe(2);
});
