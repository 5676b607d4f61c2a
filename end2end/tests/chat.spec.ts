/** Chat in the lobby and in matches, for players and spectators; muting, reporting and moderation. */
import { appointOperator } from "./operator_account";
import { type Browser, type Page } from "@playwright/test";
import { test, expect, expectAccessible, Player, settled } from "./fixtures";
import { begin, compose, startMatch } from "./match_actions";
import { passMessages } from "./passing_time";

const log = (page: Page) => page.getByRole("log", { name: "Chat" });
const message = (page: Page, text: string) => log(page).getByRole("listitem").filter({ hasText: text });

async function say(player: Player, text: string): Promise<void> {
  const field = player.page.getByLabel("Message", { exact: true });
  await field.fill(text);
  // By the key, because a player who comes to the waiting room moves the button.
  await field.press("Enter");
  await expect(field).toHaveValue("");
}

/** Sends a message through the API. */
async function call(player: Player, name: string, form: Record<string, string | number | boolean>): Promise<number> {
  return (await player.page.request.post(`/api/${name}`, { form })).status();
}

async function waitInRoom(...players: Player[]): Promise<void> {
  for (const player of players) {
    await player.account();
    await player.page.goto("/play");
    await player.waitForHydration();
  }
}

/** The operator's account, which all tests share. */
async function operator(browser: Browser): Promise<Page> {
  const page = await (await browser.newContext()).newPage();
  const form = { name: "Overseer", password: "a long enough password" };
  if (!(await page.request.post("/api/register", { form })).ok()) await page.request.post("/api/login", { form });
  appointOperator(form.name);
  await page.goto("/operator");
  return page;
}

test("two players chat in the lobby", async ({ alice, bob }) => {
  await waitInRoom(alice, bob);
  const hello = `Who plays? ${alice.name}`;
  await say(alice, hello);
  await expect(message(bob.page, hello)).toHaveCount(1);
  await expect(message(bob.page, hello).getByRole("link", { name: alice.name })).toHaveAttribute("href", `/@${alice.name}`);
  await say(bob, `I do, ${alice.name}`);
  await expect(message(alice.page, `I do, ${alice.name}`)).toHaveCount(1);
  await expect(message(alice.page, hello)).toHaveCount(1);
  // After a reload each message is there once.
  await bob.page.reload();
  await bob.waitForHydration();
  await expect(message(bob.page, hello)).toHaveCount(1);
  await expect(message(bob.page, `I do, ${alice.name}`)).toHaveCount(1);
});

test("the Enter that ends a composition of East Asian input neither sends a message nor places a dot", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  const field = alice.page.getByLabel("Message", { exact: true });
  await field.focus();
  await compose(alice.page, "よろしく");
  await compose(alice.page, "おねがいします", "お願いします");
  await settled(alice.page);
  await expect(field).toHaveValue("よろしくお願いします");
  await expect(log(bob.page).getByRole("listitem")).toHaveCount(0);
  await field.press("Enter");
  await expect(field).toHaveValue("");
  await expect(message(bob.page, "よろしくお願いします")).toHaveCount(1);

  const move = alice.page.getByRole("textbox", { name: "Coordinates" });
  await move.focus();
  await compose(alice.page, "5,5");
  await settled(alice.page);
  await expect(move).toHaveValue("5,5");
  await expect(alice.moves).toHaveCount(0);
  await move.press("Enter");
  await expect(bob.moves).toHaveCount(1);
});

test("the time of a message is in the visitor's time zone", async ({ browser, alice }) => {
  await waitInRoom(alice);
  await say(alice, `Now, ${alice.name}`);
  const far = await Player.open(browser, "far", true, { timezoneId: "Asia/Kathmandu" });
  await waitInRoom(far);
  const [here, there] = await Promise.all(
    [alice, far].map(({ page }) => message(page, `Now, ${alice.name}`).locator("time").textContent()),
  );
  const minutes = (time: string | null) => {
    const [, hours, rest] = time!.match(/(\d+):(\d+)$/)!;
    return 60 * Number(hours) + Number(rest);
  };
  expect((minutes(there) - minutes(here) + 1440) % 1440).toBe(5 * 60 + 45);
  await far.page.context().close();
});

test("players and spectators have separate chats until the game is over", async ({ alice, bob, browser }) => {
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  const eve = await Player.open(browser, "eve", true);
  await eve.account();
  await eve.page.goto(`/match/${match}`);
  await eve.waitForHydration();
  const visitor = await (await browser.newContext()).newPage();
  await visitor.goto(`/match/${match}`);
  await expect(visitor.getByRole("link", { name: "Sign in to chat" })).toHaveAttribute("href", `/login?next=/match/${match}`);
  await expect(visitor.getByLabel("Message", { exact: true })).toHaveCount(0);

  await say(alice, "Good luck");
  await expect(message(bob.page, "Good luck")).toBeVisible();
  await say(eve, "Red will win");
  await expect(message(visitor, "Red will win")).toBeVisible();
  // The next message comes after it.
  await say(bob, "And to you");
  for (const player of [alice, bob]) await expect(message(player.page, "And to you")).toBeVisible();
  for (const player of [alice, bob]) await expect(message(player.page, "Red will win")).toHaveCount(0);

  await bob.page.getByText("Resign", { exact: true }).click();
  await bob.page.getByRole("button", { name: "Yes, resign" }).click();
  for (const player of [alice, bob]) {
    await expect(message(player.page, "Red will win")).toContainText("spectator");
    await expect(message(player.page, "Good luck")).not.toContainText("spectator");
  }
  await expect(message(eve.page, "Good luck")).toHaveCount(0);
  // Also in the replay.
  await alice.page.goto(`/match/${match}/replay`);
  await expect(message(alice.page, "Red will win")).toBeVisible();
  await say(alice, "That was good");
  await expect(message(alice.page, "That was good")).toBeVisible();
  await expect(message(bob.page, "That was good")).toBeVisible();
  for (const page of [eve.page, visitor]) await page.context().close();
});

test("messages of a muted player are hidden until unmuted", async ({ alice, bob }) => {
  await waitInRoom(alice, bob);
  await say(bob, `Noise, ${bob.name}`);
  const noise = message(alice.page, `Noise, ${bob.name}`);
  await noise.getByLabel("Mute or report").click();
  await noise.getByRole("button", { name: "Mute player" }).click();
  await expect(noise).toHaveCount(0);
  await say(bob, `More noise, ${bob.name}`);
  await say(alice, `Peace, ${alice.name}`);
  await expect(message(alice.page, `Peace, ${alice.name}`)).toBeVisible();
  await expect(message(alice.page, bob.name)).toHaveCount(0);
  await alice.page.reload();
  await alice.waitForHydration();
  await expect(message(alice.page, `Peace, ${alice.name}`)).toBeVisible();
  await expect(message(alice.page, bob.name)).toHaveCount(0);

  await alice.page.getByText("Muted players").click();
  await alice.page.getByRole("listitem").filter({ hasText: bob.name }).getByRole("button", { name: "Unmute" }).click();
  await expect(message(alice.page, `More noise, ${bob.name}`)).toBeVisible();
  await expect(alice.page.getByText("Muted players")).toBeHidden();
});

test("a report reaches the operator, who mutes and unmutes the author", async ({ alice, bob, browser }) => {
  await waitInRoom(alice, bob);
  await say(bob, `Stupid game, ${bob.name}`);
  const rude = message(alice.page, `Stupid game, ${bob.name}`);
  await rude.getByLabel("Mute or report").click();
  await rude.getByLabel("Reason").fill("It is not");
  await rude.getByRole("button", { name: "Report message" }).click();
  await expect(alice.page.getByText("An operator will check it.")).toBeVisible();

  const overseer = await operator(browser);
  const report = overseer.getByRole("listitem").filter({ hasText: `Stupid game, ${bob.name}` });
  await expect(report).toContainText(alice.name);
  await expect(report).toContainText("It is not");
  await expectAccessible(overseer);
  await report.getByLabel("Why").fill("He will learn");
  await report.getByRole("button", { name: "Mute for a day" }).click();
  await expect(report).toHaveCount(0);
  const done = overseer.getByRole("row").filter({ hasText: bob.name });
  await expect(done).toContainText("muted for a day");
  await expect(done).toContainText("He will learn");

  await bob.page.getByLabel("Message", { exact: true }).fill("Sorry");
  await bob.page.getByLabel("Message", { exact: true }).press("Enter");
  await expect(bob.page.getByText("An operator has muted you")).toBeVisible();
  await expect(bob.page.getByLabel("Message", { exact: true })).toHaveValue("Sorry");

  await overseer.getByLabel("Name starts with").fill(bob.name);
  await overseer.getByRole("button", { name: "Search" }).click();
  await overseer.getByRole("button", { name: "Unmute" }).click();
  await expect(done).toHaveCount(2);
  await say(bob, `Sorry, ${alice.name}`);
  await expect(message(alice.page, `Sorry, ${alice.name}`)).toBeVisible();
  await overseer.context().close();
});

test("a closed account is signed out, and the login says so only with the right password", async ({ alice, bob, browser }) => {
  await startMatch({}, alice, bob);
  await begin(alice, bob);
  const overseer = await operator(browser);
  await overseer.getByLabel("Name starts with").fill(bob.name);
  await overseer.getByRole("button", { name: "Search" }).click();
  const players = overseer.getByRole("region", { name: "Players" });
  await players.getByRole("button", { name: "Close account" }).click();
  await expect(players.getByText("This account is closed.")).toBeVisible();
  await expect(alice.page.getByRole("heading", { name: "You win" })).toBeVisible();
  // His page reloads itself.
  await expect(bob.page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  await bob.page.goto("/login");
  await bob.waitForHydration();
  await bob.page.getByLabel("Name").fill(bob.name);
  await bob.page.getByLabel("Password").fill(bob.password);
  await bob.page.getByRole("button", { name: "Sign in" }).click();
  await expect(bob.page.getByText("This account is closed.")).toBeVisible();
  await overseer.context().close();
  expect((await alice.page.goto("/operator"))!.status()).toBe(404);
});

test("messages are shown as plain text and do not break the layout", async ({ alice, bob }) => {
  await bob.page.setViewportSize({ width: 360, height: 740 });
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  const hostile = [
    `<script>window.hurt = 1</script><img src=x onerror="window.hurt = 1">`,
    `\u202eevil \u2067turned\u2069 مرحبا ${"שלום ".repeat(9)}`,
    `z${"\u0316\u0301\u0489".repeat(60)}algo`,
    "W".repeat(300),
    `${"🧑‍🚀".repeat(40)}﷽﷽﷽`,
  ];
  for (const text of hostile) expect(await call(alice, "say", { place: match, text })).toBe(200);
  await bob.page.getByRole("button", { name: "Chat" }).click();
  // As received on the stream, and as rendered by the server.
  for (const round of ["live", "drawn"]) {
    await expect(log(bob.page).getByRole("listitem"), round).toHaveCount(hostile.length);
    await expect(message(bob.page, "<script>window.hurt = 1</script>")).toBeVisible();
    expect(await bob.page.evaluate(() => "hurt" in window), round).toBe(false);
    const sizes = await bob.page.evaluate(() => {
      const log = document.querySelector(".chat-log")!;
      const words = [...document.querySelectorAll<HTMLElement>("#chat .words")];
      return {
        page: document.documentElement.scrollWidth - window.innerWidth,
        log: log.scrollWidth - log.clientWidth,
        highest: Math.max(...words.slice(2, 3).map((text) => text.offsetHeight)),
        turned: words.map((text) => text.textContent).join("").includes("\u202e"),
      };
    });
    expect(sizes, round).toMatchObject({ page: 0, log: 0, turned: false });
    expect(sizes.highest, round).toBeLessThan(60);
    await bob.page.reload();
    await bob.waitForHydration();
    await bob.page.getByRole("button", { name: "Chat" }).click();
  }
});

test("too long and too frequent messages are refused, and the text stays in the field", async ({ alice }) => {
  await waitInRoom(alice);
  const field = alice.page.getByLabel("Message", { exact: true });
  await field.fill("🙂".repeat(260));
  await expect(alice.page.getByText("Characters left: 40")).toBeVisible();
  await field.fill("x".repeat(301));
  await field.press("Enter");
  await expect(alice.page.getByText("A message has at most 300 characters.")).toBeVisible();
  await expect(field).toHaveValue("x".repeat(301));
  const five = () => [1, 2, 3, 4, 5].map((n) => call(alice, "say", { place: "lobby", text: `${alice.name} ${n}` }));
  expect(await Promise.all(five())).toEqual([200, 200, 200, 200, 200]);
  await expect(async () => {
    await field.fill("six");
    const answer = alice.page.waitForResponse("**/api/say");
    await field.press("Enter");
    const status = (await answer).status();
    // The ten seconds were over.
    if (status === 200) await Promise.all(five());
    expect(status).toBe(429);
  }).toPass();
  await expect(alice.page.getByText("at most 5 messages in 10 seconds")).toBeVisible();
  await expect(field).toHaveValue("six");
});

test("new messages do not scroll a reader of old ones, and are announced", async ({ alice, bob }) => {
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  for (let n = 0; n < 5; n += 1) await call(bob, "say", { place: match, text: `${n}: ${"a long story ".repeat(20)}` });
  await expect(message(alice.page, "4: a long")).toBeInViewport();
  const box = log(alice.page);
  await box.evaluate((log) => (log.scrollTop = -log.scrollHeight));
  await expect(message(alice.page, "0: a long")).toBeInViewport();
  const where = () => message(alice.page, "0: a long").evaluate((item) => Math.round(item.getBoundingClientRect().top));
  const before = await where();
  await passMessages(bob, 10);
  expect(await call(bob, "say", { place: match, text: "The end" })).toBe(200);
  const news = alice.page.getByRole("button", { name: "New messages" });
  await expect(news).toBeVisible();
  expect(await where()).toBe(before);
  await news.click();
  await expect(message(alice.page, "The end")).toBeInViewport();
  await expect(news).toBeHidden();
});

test("on a phone the chat is collapsed, shows the number of new messages, and does not shift the board", async ({ alice, bob }) => {
  await bob.page.setViewportSize({ width: 360, height: 740 });
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  await expect(bob.moves).toHaveCount(2);
  await expect(log(bob.page)).toBeHidden();
  const moves = bob.page.getByRole("heading", { name: "Moves" });
  await expect(moves).toBeVisible();
  const board = await bob.board.boundingBox();
  for (const text of ["one", "two"]) await call(alice, "say", { place: match, text });
  const toggle = bob.page.getByRole("button", { name: "Chat" });
  await expect(toggle).toContainText("New messages: 2");
  expect(await bob.board.boundingBox()).toEqual(board);
  await toggle.click();
  await expect(toggle).not.toContainText("2");
  await expect(message(bob.page, "two")).toBeVisible();
  await expect(moves).toBeHidden();
  await toggle.click();
  await expect(moves).toBeVisible();
});

test("the chat works with the keyboard alone", async ({ alice, bob }) => {
  await waitInRoom(alice, bob);
  const { page } = alice;
  await page.getByLabel("Message", { exact: true }).focus();
  await page.keyboard.type(`By hand, ${alice.name}`);
  await page.keyboard.press("Enter");
  const said = message(bob.page, `By hand, ${alice.name}`);
  await expect(said).toBeVisible();
  await said.getByRole("link", { name: alice.name }).focus();
  await bob.page.keyboard.press("Tab");
  await bob.page.keyboard.press("Enter");
  await expect(said.getByRole("button", { name: "Mute player" })).toBeVisible();
  await bob.page.keyboard.press("Tab");
  await bob.page.keyboard.press("Enter");
  await expect(said).toHaveCount(0);
  await expect(log(bob.page)).toBeFocused();
});

test.describe("in Russian", () => {
  test.use({ locale: "ru-RU" });

  test("the chat is in the visitor's language", async ({ browser }) => {
    const vera = await Player.open(browser, "вера", true, { locale: "ru-RU" });
    await waitInRoom(vera);
    await expect(vera.page.getByRole("button", { name: "Отправить" })).toBeVisible();
    const field = vera.page.getByLabel("Сообщение");
    await field.fill(`Кто играет? ${vera.name}`);
    // By the key, as in `say`.
    await field.press("Enter");
    await expect(vera.page.getByRole("log", { name: "Чат" })).toContainText(`Кто играет? ${vera.name}`);
    await field.fill("а".repeat(301));
    await field.press("Enter");
    await expect(vera.page.getByText("не больше 300 знаков")).toBeVisible();
    await vera.page.context().close();
  });
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("forms write, mute and report on a page that does not reload itself", async ({ alice, bob, browser }) => {
    await waitInRoom(alice, bob);
    await expect(alice.page.getByLabel("Message", { exact: true })).toBeHidden();
    for (const { page } of [alice, bob]) {
      await page.getByRole("link", { name: "Write or report" }).click();
      await expect(page.locator("meta[http-equiv=refresh]")).toHaveCount(0);
    }
    await say(alice, `On paper, ${alice.name}`);
    await bob.page.getByRole("link", { name: "Refresh messages" }).click();
    const said = message(bob.page, `On paper, ${alice.name}`);
    await said.getByLabel("Mute or report").click();
    await said.getByRole("button", { name: "Report message" }).click();
    await said.getByLabel("Mute or report").click();
    await said.getByRole("button", { name: "Mute player" }).click();
    await expect(said).toHaveCount(0);
    await bob.page.getByText("Muted players").click();
    await bob.page.getByRole("button", { name: "Unmute" }).click();
    await expect(said).toBeVisible();
    await bob.page.getByRole("link", { name: "Back", exact: true }).click();
    await expect(bob.page.getByLabel("Message", { exact: true })).toBeHidden();
    await expect(said).toBeVisible();
    await (await operator(browser)).context().close();
  });

  test("the form works in a match during the opponent's turn", async ({ alice, bob }) => {
    const match = await startMatch({}, alice, bob);
    await say(alice, "Your move soon");
    await bob.page.getByRole("link", { name: "Write or report" }).click();
    await expect(message(bob.page, "Your move soon")).toBeVisible();
    await say(bob, "Take your time");
    await expect(bob.page).toHaveURL(new RegExp(`/match/${match}\\?open=say$`));
    await expect(message(bob.page, "Take your time")).toBeVisible();
    await expect(bob.page.locator("iframe.heartbeat")).toHaveCount(1);
  });
});
