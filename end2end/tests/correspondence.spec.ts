/** Games by correspondence: your games, and conditional moves. */
import { expect, test, type Player } from "./fixtures";
import { passAnswerDelay } from "./passing_time";

/** Starts a game of Dots with three days a move through the API; `first` has the first move. Returns its id. */
async function startByCorrespondence(first: Player, second: Player): Promise<number> {
  const [, opponent] = [await first.account(), await second.account()];
  for (const { page } of [first, second]) await page.goto("/play?game=dots");
  const form = { opponent, game: "dots", clock: "3d" };
  let asked: { id: number } | undefined;
  await expect(async () => {
    const answer = await first.page.request.post("/api/challenge", { form });
    expect(answer.status(), await answer.text()).toBe(200);
    asked = await answer.json();
  }).toPass();
  const answer = await second.page.request.post("/api/answer_challenge", { form: { id: asked!.id, accept: true } });
  const { match } = await answer.json();
  for (const { page } of [first, second]) await page.goto("/rules");
  return match;
}

async function move(player: Player, match: number, mv: string): Promise<void> {
  const answer = await player.page.request.post("/api/move", { form: { match_id: match, mv } });
  expect(answer.status(), await answer.text()).toBe(200);
}

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
