/** Games by correspondence: your games, and conditional moves. */
import { move, startByCorrespondence } from "./correspondence_actions";
import { expect, settled, test } from "./fixtures";
import { passAnswerDelay, passClock } from "./passing_time";

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
      if (scripts) {
        await alice.waitForHydration();
        for (const point of line) {
          const [x, y] = point.split(",").map(Number);
          await alice.click(x, y);
        }
        await expect(field).toHaveValue(line.join(" "));
      } else {
        await field.fill("20,21 20,20");
        await page.getByRole("button", { name: "Save" }).click();
        await expect(page.getByRole("alert")).toHaveText("A line cannot be played.");
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
