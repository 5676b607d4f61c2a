/**
 * A small arena from its making to its podium, with two players; a Swiss; a knockout with a tie; a game by appointment; and an arena made,
 * entered and left without scripts.
 */
import { Player, expect, test } from "./fixtures";
import { begin } from "./match_actions";
import { appointOperator } from "./operator_account";
import { passDuelPause, passTournament, passUntilAppointment } from "./passing_time";

test("an arena is made, entered, played and won", async ({ alice, bob }) => {
  await alice.account();
  // New accounts make no tournaments; the form says so and keeps what was filled in.
  await alice.page.goto("/tournaments");
  await alice.page.getByRole("link", { name: "New tournament" }).click();
  await alice.page.getByRole("link", { name: /Dots arena 20 × 20/ }).click();
  const name = alice.page.getByLabel("Name", { exact: true });
  await name.fill(`Arena of ${alice.name}`);
  await alice.page.locator("summary", { hasText: "More" }).click();
  await alice.page.getByLabel("Berserk: half the clock for 1 point more").check();
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

  // An operator lets it repeat, and changes their mind.
  const manage = alice.page.locator("summary", { hasText: "Manage" });
  await manage.click();
  await alice.page.getByLabel("Rule (RFC 5545)").fill("FREQ=SECONDLY");
  await alice.page.getByRole("button", { name: "Repeat" }).click();
  await expect(alice.page.getByText("This rule or time zone won’t do.")).toBeVisible();
  await alice.page.getByLabel("Rule (RFC 5545)").fill("FREQ=DAILY");
  await alice.page.getByLabel("Time zone").fill("Europe/Prague");
  await alice.page.getByRole("button", { name: "Repeat" }).click();
  await expect(alice.page.locator(".series")).toHaveText("Every day · Europe/Prague");
  await manage.click();
  await alice.page.getByRole("button", { name: "Stop repeating" }).click();
  await expect(alice.page.locator(".series")).toHaveCount(0);

  // The calendar is there for other programs.
  await bob.account();
  await bob.page.goto("/tournaments");
  const subscription = await bob.page.getByRole("link", { name: "Add to calendar" }).getAttribute("href");
  const ics = await bob.page.request.get(subscription!);
  expect(ics.headers()["content-type"]).toContain("text/calendar");
  // Tournaments of other stories may fill the first page of the list.
  await bob.page.goto(url);
  // One is reminded without taking part.
  await bob.page.getByRole("button", { name: "Remind me" }).click();
  await expect(bob.page.getByText("You’ll get a reminder 10 min before the start.")).toBeVisible();
  await bob.page.getByRole("button", { name: "Cancel reminder" }).click();
  await expect(bob.page.getByRole("button", { name: "Remind me" })).toBeVisible();
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
  // One gives half of the clock, and the other's page says so at once.
  await first.page.getByRole("button", { name: "Berserk" }).click();
  await expect(first.page.getByText("You play with half the clock.")).toBeVisible();
  await expect(first.page.getByRole("button", { name: "Berserk" })).toHaveCount(0);
  await expect(second.page.getByText(`${first.name} plays with half the clock.`)).toBeVisible();
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
  await expect(alice.page.getByRole("link", { name: "JSON" })).toBeVisible();
  await bob.page.goto(`/tournaments?game=dots&state=finished`);
  await expect(bob.page.getByRole("link", { name: `Arena of ${alice.name}` })).toBeVisible();
});

test("a Swiss with a bye and a withdrawal is played to its podium", async ({ alice, bob, browser }) => {
  const carol = await Player.open(browser, "carol", true);
  const all = [alice, bob, carol];
  for (const player of all) await player.account();
  appointOperator(alice.name);
  await alice.page.goto("/tournaments/new");
  await alice.page.getByRole("link", { name: /Dots Swiss 20 × 20/ }).click();
  await alice.page.getByRole("textbox", { name: "Name", exact: true }).fill(`Swiss of ${alice.name}`);
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page.getByRole("heading", { name: `Swiss of ${alice.name}` })).toBeVisible();
  const url = new URL(alice.page.url()).pathname;
  const id = Number(url.split("/").pop());
  const post = async (player: Player, action: string, form: Record<string, string | number>) => {
    const answer = await player.page.request.post(`/api/${action}`, { form });
    expect(answer.ok(), `${action}: ${await answer.text()}`).toBe(true);
  };
  await alice.page.getByRole("button", { name: "Join" }).click();
  await expect(alice.page.getByText("You’re in.")).toBeVisible();
  for (const player of [bob, carol]) await post(player, "join_tournament", { id });

  // Players are called to the round. One says to be here, another stays on the page, and a third does so by a program.
  passTournament(id, 14 * 60);
  const here = alice.page.getByRole("button", { name: "I’m here" });
  await expect(here).toBeVisible({ timeout: 20_000 });
  await here.click();
  await expect(alice.page.getByText("You’re here. The round starts soon.")).toBeVisible();
  await bob.page.goto(url);
  await expect(bob.page.getByText("The round starts soon. Stay on this page")).toBeVisible();
  await post(carol, "confirm_presence", { id });
  passTournament(id, 2 * 60);
  const round = async (number: number) => {
    const read = async () => (await carol.page.request.get(`/api/tournament_pairings?id=${id}&round=${number}`)).json();
    await expect.poll(async () => (await read()).total, { timeout: 20_000 }).toBe(1);
    return await read();
  };
  const first = await round(1);
  expect(first.byes).toHaveLength(1);
  const of = (name: string) => all.find((player) => player.name === name)!;
  const [one, other]: Player[] = first.pairings[0].players.map(({ name }: { name: string }) => of(name));
  const free = of(first.byes[0].player.name);
  const play = async (match: number, [winner, loser]: Player[], [begins, second]: Player[]) => {
    await post(begins, "move", { match_id: match, mv: "3,3" });
    await post(second, "move", { match_id: match, mv: "8,8" });
    await post(loser, "resign", { match_id: match });
    expect(winner).not.toBe(loser);
  };
  await play(first.pairings[0].match, [one, other], [one, other]);

  // The bye is a point. The loser withdraws.
  await free.page.goto(url);
  await expect(free.page.getByRole("row", { name: free.name })).toContainText("1");
  await expect(free.page.getByRole("columnheader", { name: "BH−1" })).toBeVisible();
  await expect(free.page.locator("#games").getByText("bye", { exact: true })).toBeVisible();
  await other.page.goto(url);
  await other.page.getByRole("button", { name: "Withdraw" }).click();
  await expect(other.page.getByText("You’ve withdrawn.")).toBeVisible();

  // The two others meet in the last round: of three players each has two opponents.
  const next = async () => (await (await bob.page.request.get(`/api/tournament?id=${id}`)).json()).round_at;
  await expect.poll(next, { timeout: 20_000 }).toBeTruthy();
  passTournament(id, 10 * 60);
  const second = await round(2);
  const [begins, follows]: Player[] = second.pairings[0].players.map(({ name }: { name: string }) => of(name));
  expect([begins.name, follows.name].sort()).toEqual([one.name, free.name].sort());
  await play(second.pairings[0].match, [begins, follows], [begins, follows]);
  const state = async () => (await (await bob.page.request.get(`/api/tournament?id=${id}`)).json()).state;
  await expect.poll(state, { timeout: 20_000 }).toBe("finished");
  await alice.page.goto(url);
  await expect(alice.page.getByRole("list", { name: "Top three" }).getByText(begins.name)).toBeVisible();
  await expect(alice.page.getByRole("link", { name: "TRF" })).toBeVisible();
  await carol.page.context().close();
});

test("in a knockout a tie is played off, and the better seed chooses the last side", async ({ alice, bob, browser }) => {
  const [carol, dan] = await Promise.all(["carol", "dan"].map((name) => Player.open(browser, name, true)));
  const all = [alice, bob, carol, dan];
  for (const player of all) await player.account();
  appointOperator(alice.name);
  await alice.page.goto("/tournaments/new?format=knockout&game=gomoku");
  await alice.page.getByRole("textbox", { name: "Name", exact: true }).fill(`Cup of ${alice.name}`);
  await alice.page.getByRole("group", { name: "Games per pair" }).getByLabel("2").check();
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page.getByRole("heading", { name: `Cup of ${alice.name}` })).toBeVisible();
  const url = new URL(alice.page.url()).pathname;
  const id = Number(url.split("/").pop());
  const post = async (player: Player, action: string, form: Record<string, string | number>) => {
    const answer = await player.page.request.post(`/api/${action}`, { form });
    expect(answer.ok(), `${action}: ${await answer.text()}`).toBe(true);
  };
  const read = async (path: string) => (await dan.page.request.get(path)).json();
  // Of equal ratings the order of joining seeds: the first meets the last.
  for (const player of all) await post(player, "join_tournament", { id });
  passTournament(id, 14 * 60);
  for (const player of all) await post(player, "confirm_presence", { id });
  // The games are played by a program.
  await alice.page.goto("about:blank");
  passTournament(id, 2 * 60);

  type Game = { match: number; winner: number | null; players: { name: string }[] };
  /** Returns the game of this pair that runs. */
  const running = async (pair: Player[]) => {
    const names = pair.map(({ name }) => name);
    let found: Game | undefined;
    const look = async () => {
      passDuelPause(id);
      const { pairings } = await read(`/api/tournament_pairings?id=${id}`);
      found = pairings.find((game: Game) => game.winner === null && game.players.every(({ name }) => names.includes(name)));
      return found;
    };
    await expect.poll(look, { timeout: 20_000 }).toBeTruthy();
    return found!;
  };
  const play = async (pair: Player[], loser: Player) => {
    const { match: match_id, players } = await running(pair);
    const [first, second] = players.map(({ name }) => pair.find((player) => player.name === name)!);
    await post(first, "move", { match_id, mv: "7,7" });
    await post(second, "move", { match_id, mv: "8,8" });
    await post(loser, "resign", { match_id });
  };
  for (const loser of [carol, carol]) await play([bob, carol], loser);
  // One win each, then one each with half of the time.
  for (const loser of [dan, alice, dan, alice]) await play([alice, dan], loser);

  const choice = async () => {
    passDuelPause(id);
    return (await (await alice.page.request.get(`/api/tournament_entry?id=${id}`)).json()).choose_by;
  };
  await expect.poll(choice, { timeout: 20_000 }).toBeTruthy();
  await alice.page.goto(url);
  await expect(alice.page.getByText("One last game decides. A draw is enough for the second player.")).toBeVisible();
  await alice.page.getByRole("button", { name: "Move second" }).click();
  await expect(alice.page.getByRole("button", { name: "Move second" })).toHaveCount(0);
  const last = await running([alice, dan]);
  expect(last.players[0].name).toBe(dan.name);
  await expect(alice.page).toHaveURL(new RegExp(`/match/${last.match}`), { timeout: 20_000 });
  await play([alice, dan], dan);

  await bob.page.goto(url);
  const bracket = bob.page.getByRole("region", { name: "Bracket" }).last();
  await expect(bracket.getByRole("table", { name: "Semifinals" }).getByRole("row", { name: alice.name })).toContainText("3");
  await expect(bracket.getByRole("img", { name: "advances" })).toHaveCount(2);
  await expect(bracket.getByRole("table", { name: "Final", exact: true }).getByRole("row", { name: bob.name })).toBeVisible();
  await post(alice, "cancel_tournament", { id });
  for (const player of [carol, dan]) await player.page.context().close();
});

test("in a round robin over days a pair agrees on a time, and the game begins by itself", async ({ alice, bob, browser }) => {
  const carol = await Player.open(browser, "carol", true);
  const all = [alice, bob, carol];
  for (const player of all) await player.account();
  appointOperator(alice.name);
  await alice.page.goto("/tournaments/new?format=round_robin&game=gomoku");
  await alice.page.getByRole("textbox", { name: "Name", exact: true }).fill(`League of ${alice.name}`);
  await alice.page.getByLabel("Days per round").fill("31");
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page.getByLabel("Days per round")).toHaveAttribute("aria-invalid", "true");
  await alice.page.getByLabel("Days per round").fill("4");
  await alice.page.getByRole("button", { name: "Create tournament" }).click();
  await expect(alice.page.getByRole("heading", { name: `League of ${alice.name}` })).toBeVisible();
  const url = new URL(alice.page.url()).pathname;
  const id = Number(url.split("/").pop());
  for (const player of all) {
    const joined = await player.page.request.post("/api/join_tournament", { form: { id } });
    expect(joined.ok()).toBe(true);
  }
  passTournament(id, 15 * 60);
  const opponent = async (player: Player) =>
    (await (await player.page.request.get(`/api/tournament_entry?id=${id}`)).json()).appointment?.opponent.name;
  const pair = async () => {
    const names = await Promise.all(all.map(opponent));
    return all.filter((player) => names.includes(player.name));
  };
  await expect.poll(async () => (await pair()).length, { timeout: 20_000 }).toBe(2);
  const [one, other] = await pair();

  // One proposes a time of the place, and the other one agrees.
  await one.page.goto(url);
  const tomorrow = await one.page.evaluate(() => {
    const at = new Date(Date.now() + 86_400_000);
    return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
  });
  await one.page.getByLabel("Propose a time").fill(tomorrow);
  await one.page.getByRole("button", { name: "Propose", exact: true }).click();
  await expect(one.page.getByText("You propose:")).toBeVisible();
  await other.page.goto(url);
  await expect(other.page.getByText("Your opponent proposes:")).toBeVisible();
  await other.page.getByRole("button", { name: "Agree" }).click();
  await expect(other.page.getByText("You play at:")).toBeVisible();
  // The time comes, while both have the page open.
  passUntilAppointment(id);
  for (const player of [one, other]) await expect(player.page).toHaveURL(/\/match\/\d+/, { timeout: 20_000 });
  await alice.page.request.post("/api/cancel_tournament", { form: { id } });
  await carol.page.context().close();
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
