/** A small arena from its making to its podium, with two players; and one made, entered and left without scripts. */
import { expect, test } from "./fixtures";
import { begin } from "./match_actions";
import { appointOperator } from "./operator_account";
import { passTournament } from "./passing_time";

test("an arena is made, entered, played and won", async ({ alice, bob }) => {
  await alice.account();
  // New accounts make no tournaments; the form says so and keeps what was filled in.
  await alice.page.goto("/tournaments");
  await alice.page.getByRole("link", { name: "New tournament" }).click();
  await alice.page.getByRole("link", { name: /Dots arena 20 × 20/ }).click();
  const name = alice.page.getByLabel("Name", { exact: true });
  await name.fill(`Arena of ${alice.name}`);
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page.getByText("your account must be 7 days old")).toBeVisible();
  await expect(name).toHaveValue(`Arena of ${alice.name}`);
  await expect(alice.page.getByLabel("Duration in minutes")).toHaveValue("45");

  appointOperator(alice.name);
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page).toHaveURL(/\/tournament\/\d+$/);
  const url = new URL(alice.page.url()).pathname;
  const id = Number(url.split("/").pop());
  await expect(alice.page.getByRole("heading", { name: `Arena of ${alice.name}` })).toBeVisible();
  await expect(alice.page.getByText("No one has joined yet.")).toBeVisible();
  await alice.page.getByRole("button", { name: "Join" }).click();
  await expect(alice.page.getByText("You’re in.")).toBeVisible();

  // The calendar and the front page lead there.
  await bob.account();
  await bob.page.goto("/tournaments");
  await bob.page.getByRole("link", { name: `Arena of ${alice.name}` }).click();
  await bob.page.getByRole("button", { name: "Join" }).click();
  // The page that is open hears of it.
  await expect(alice.page.getByRole("row", { name: bob.name })).toBeVisible({ timeout: 20_000 });

  // It begins, and both are called to the board.
  passTournament(id, 16 * 60);
  const state = async () => (await (await bob.page.request.get(`/api/tournament?id=${id}`)).json()).state;
  await expect.poll(state).toBe("running");
  passTournament(id, 5);
  for (const player of [alice, bob]) {
    await expect(player.page).toHaveURL(/\/match\/\d+/, { timeout: 20_000 });
    await player.waitForHydration();
    await expect(player.page.getByRole("button", { name: "Abort" })).toHaveCount(0);
    await expect(player.page.getByRole("link", { name: "Tournament", exact: true })).toBeVisible();
  }
  const match = Number(alice.page.url().split("/").pop());
  const { to_move, players } = await (await alice.page.request.get(`/api/match?id=${match}`)).json();
  expect(to_move).toBe(1);
  const aliceFirst = players[0].name === alice.name;
  const [first, second] = aliceFirst ? [alice, bob] : [bob, alice];
  await begin(first, second);
  // Who pauses plays on, and is not paired again.
  await bob.page.request.post("/api/leave_tournament", { form: { id } });
  const resign = await bob.page.request.post("/api/resign", { form: { match_id: match } });
  expect(resign.ok()).toBe(true);

  // The points are there, on the page that was opened before and on a new one.
  await alice.page.getByRole("link", { name: "Tournament", exact: true }).click();
  const row = alice.page.getByRole("row", { name: alice.name });
  await expect(row).toContainText("2");
  await alice.page.getByRole("button", { name: "Pause" }).click();
  await expect(alice.page.getByText("You’re paused.")).toBeVisible();

  passTournament(id, 60 * 60);
  await expect.poll(state).toBe("finished");
  await alice.page.goto(url);
  await expect(alice.page.getByText("The tournament is over.")).toBeVisible();
  await expect(alice.page.getByRole("list", { name: "Top three" }).getByText(alice.name)).toBeVisible();
  await expect(alice.page.getByRole("heading", { name: "The winner’s best games" })).toBeVisible();
  await bob.page.goto(`/tournaments?game=dots&state=finished`);
  await expect(bob.page.getByRole("link", { name: `Arena of ${alice.name}` })).toBeVisible();
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("an arena is made, entered and left", async ({ alice }) => {
    await alice.account();
    appointOperator(alice.name);
    await alice.page.goto("/tournaments/new?game=gomoku");
    await alice.page.getByLabel("Name", { exact: true }).fill("x");
    await alice.page.getByRole("button", { name: "Create tournament" }).click();
    await expect(alice.page.getByLabel("Name", { exact: true })).toHaveAttribute("aria-invalid", "true");
    await alice.page.getByLabel("Name", { exact: true }).fill(`Quiet ${alice.name}`);
    await alice.page.getByRole("button", { name: "Create tournament" }).click();
    await expect(alice.page.getByRole("heading", { name: `Quiet ${alice.name}` })).toBeVisible();
    await alice.page.getByRole("button", { name: "Join" }).click();
    await expect(alice.page.getByText("You’re in.")).toBeVisible();
    await alice.page.getByRole("button", { name: "Leave" }).click();
    await expect(alice.page.getByRole("button", { name: "Join" })).toBeVisible();
  });
});
