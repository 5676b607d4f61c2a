/** Players of the line protocol beside browsers: a game of two of them that a browser watches, and one against a browser. */
import { expect, type Player, test } from "./fixtures";
import { LineClient, uniqueName } from "./line_client";

/** The lines of 3 × 3 boxes, row by row, as `X|Y`. */
const places = [3, 4, 3, 4, 3, 4, 3].flatMap((length, row) => Array.from({ length }, (_, x) => `${x}|${row}`));

/** Registers a player and opens the waiting room of Boxes. */
async function enter(player: Player): Promise<void> {
  await player.account();
  await player.page.goto("/play?game=boxes");
  await player.waitForHydration();
}

test("two clients play a whole game, and a browser shows each change without a reload", async ({ alice }) => {
  await enter(alice);
  const { page } = alice;
  const [bob, eva] = [await LineClient.logIn(uniqueName("bob")), await LineClient.logIn(uniqueName("eva"))];
  const game = uniqueName("den");
  await bob.ask(`CREATE|${game}`, "OK");
  await eva.ask(`JOIN|${game}`, `OK|${bob.name}`);
  await eva.expect(`OP_JOIN|${bob.name}`);
  await bob.expect(`OP_JOIN|${eva.name}`);
  const bobBegins = (await bob.turn()) === "ON_TURN";
  await eva.turn();
  const [first, second] = bobBegins ? [bob, eva] : [eva, bob];

  await page.getByRole("region", { name: "Games to watch" }).getByRole("link", { name: bob.name }).click();
  await expect(page).toHaveURL(/\/match\/\d+$/);
  await alice.waitForHydration();
  await page.evaluate(() => (document.body.dataset.loaded = "once"));

  let [mover, other] = [first, second];
  let end = "";
  for (const [ply, place] of places.entries()) {
    await mover.ask(`TURN|${place}`, "OK");
    await other.expect(`TURN|${place}`);
    end = await mover.turn();
    await other.turn();
    await expect(alice.moves).toHaveCount(ply + 1);
    if (end === "OP_TURN") [mover, other] = [other, mover];
  }
  // Nine boxes: there is no draw.
  const winner = end === "END|WIN" ? mover : other;
  expect(first.boxes + second.boxes).toBe(9);
  expect(winner.boxes).toBeGreaterThan(4);
  await expect(page.getByRole("heading", { name: `${winner.name} wins` })).toBeVisible();
  const scores = [first, second].map(({ boxes }) => new RegExp(`^Boxes ${boxes}$`));
  await expect(page.locator(".seat .points")).toHaveText(scores);
  await expect(page.locator("body")).toHaveAttribute("data-loaded", "once");
  for (const client of [bob, eva]) client.close();
});

test("a browser plays against a client, and sees that it has resigned", async ({ alice }) => {
  await enter(alice);
  const { page } = alice;
  const bob = await LineClient.logIn(uniqueName("bob"));
  const game = uniqueName("den");
  await bob.ask(`CREATE|${game}`, "OK");
  await page.getByRole("button", { name: `Join ${game}` }).click();
  await page.getByRole("button", { name: "I’m ready" }).click();
  await bob.expect(`OP_JOIN|${alice.name.replaceAll(/[^a-z]/gi, "_")}`);
  await expect(page).toHaveURL(/\/match\/\d+$/);
  await alice.waitForHydration();

  const move = async (line: string) => {
    await expect(page.getByText("Your move", { exact: true })).toBeVisible();
    await alice.type(line);
  };
  // The seats are drawn.
  if ((await bob.turn()) === "OP_TURN") {
    await move("v:3,2");
    await bob.expect("TURN|3|5", "ON_TURN");
  }
  await bob.ask("TURN|0|0", "OK");
  await bob.expect("OP_TURN");
  await move("v:0,0");
  await bob.expect("TURN|0|1", "ON_TURN");
  await bob.ask("TURN|1|1", "OK");
  await bob.expect("OP_TURN");
  await move("h:0,1");
  await bob.expect("TURN|0|2", "OP_ACQ|0|0", "OP_TURN");
  await expect(page.locator(".area.box")).toHaveCount(1);

  await bob.ask("LEAVE", "OK");
  await expect(page.getByRole("heading", { name: "You win" })).toBeVisible();
  await expect(page.getByText(`${bob.name} resigned.`)).toBeVisible();
  bob.close();
});
