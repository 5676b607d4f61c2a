/** Many tabs of one browser over HTTP/1.1, which opens six connections to a host: they share one event stream. */
import type { Page } from "@playwright/test";
import { expect, Player, test as base } from "./fixtures";
import { begin, startMatch } from "./match_actions";
import { StreamProxy } from "./stream_proxy";

type Fixtures = {
  streams: StreamProxy;
  /** A player whose browser comes through the proxy. */
  carol: Player;
};

const test = base.extend<Fixtures>({
  streams: async ({ baseURL }, use) => {
    const proxy = await StreamProxy.start(baseURL!);
    await use(proxy);
    await proxy.stop();
  },
  carol: async ({ browser, streams }, use) => {
    const carol = await Player.open(browser, "carol", true, { baseURL: streams.origin });
    await use(carol);
    await carol.page.context().close();
  },
});

const movesOf = (page: Page) => page.getByRole("region", { name: "Moves" }).getByRole("listitem");

/** Opens a page in another tab of the same browser. */
async function openTab(player: Player, path: string): Promise<Page> {
  const page = await player.page.context().newPage();
  await page.goto(path);
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 90_000 });
  return page;
}

test("eight tabs share one stream, and moves go out", async ({ carol, bob, data, streams }) => {
  const match = await startMatch({}, carol, bob);
  await begin(carol, bob);
  const path = `/match/${match}`;
  const tabs = [carol.page];
  while (tabs.length < 7) tabs.push(await openTab(carol, path));
  const watched = await openTab(carol, `/match/${data.running}`);
  await streams.expectOpen(1, [`match:${match}`, `match:${data.running}`]);
  await carol.type("7,7");
  await expect(bob.moves).toHaveCount(3);
  for (const tab of tabs) await expect(movesOf(tab)).toHaveCount(3);
  await bob.type("8,8");
  for (const tab of tabs) await expect(movesOf(tab)).toHaveCount(4);

  // The topic of a tab that is closed ends; those of the others go on, and their player stays.
  await watched.close();
  await streams.expectOpen(1, [`match:${match}`]);
  await tabs[0].close();
  await tabs[1].getByRole("textbox", { name: "Coordinates" }).fill("9,9");
  await tabs[1].getByRole("button", { name: "Place" }).click();
  await expect(bob.moves).toHaveCount(5);
  for (const tab of tabs.slice(1)) await expect(movesOf(tab)).toHaveCount(5);
  await expect(bob.page.getByText("is away")).toHaveCount(0);
  await streams.expectOpen(1, [`match:${match}`]);
});

test("whoever signs in after another gets nothing of theirs", async ({ carol, bob, data, streams }) => {
  await carol.register();
  await expect(carol.page).toHaveURL(/\/play/);
  const other = await openTab(carol, `/match/${data.running}`);
  await streams.expectOpen(1, ["lobby:dots", `match:${data.running}`]);
  const [{ session: carols }] = streams.open;
  expect(carols).toMatch(/^[\w-]{22}$/);
  const cookies = await carol.page.context().cookies();
  expect(cookies.filter(({ value }) => value.includes(carols)), "it is no cookie").toEqual([]);

  // Both tabs show at once that nobody is signed in any more.
  await other.evaluate(() => fetch("/api/logout", { method: "POST" }));
  for (const tab of [carol.page, other]) {
    await expect(tab.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
  }
  await streams.expectOpen(1, [`match:${data.running}`]);
  expect(streams.open[0].session, "of nobody").toBe("");

  // The next one signs in in the first tab; the second one, which was loaded for nobody, is loaded again.
  await bob.account();
  await carol.page.goto("/login");
  await carol.waitForHydration();
  await carol.page.getByLabel("Name").fill(bob.name);
  await carol.page.getByLabel("Password").fill(bob.password);
  await carol.page.getByRole("button", { name: "Sign in" }).click();
  await expect(carol.page).toHaveURL(/\/play/);
  await expect.poll(() => streams.open.some(({ topics }) => topics.includes("lobby:dots"))).toBe(true);
  expect(streams.open.map(({ session }) => session)).not.toContain(carols);
  const [{ session: bobs }] = streams.open.filter(({ topics }) => topics.includes("lobby:dots"));
  expect(bobs).not.toBe("");
});

test("without shared workers each tab has a stream", async ({ carol, bob, streams }) => {
  await carol.shareNoStream();
  const match = await startMatch({}, carol, bob);
  await begin(carol, bob);
  const tab = await openTab(carol, `/match/${match}`);
  await streams.expectOpen(2, [`match:${match}`]);
  await carol.type("7,7");
  for (const moves of [bob.moves, carol.moves, movesOf(tab)]) await expect(moves).toHaveCount(3);
  await tab.close();
  await streams.expectOpen(1, [`match:${match}`]);
});

test("tabs whose worker is killed open streams of their own", async ({ browser, carol, bob, streams }) => {
  const match = await startMatch({}, carol, bob);
  await begin(carol, bob);
  const tab = await openTab(carol, `/match/${match}`);
  await streams.expectOpen(1, [`match:${match}`]);
  const session = await browser.newBrowserCDPSession();
  const { targetInfos } = await session.send("Target.getTargets");
  const workers = targetInfos.filter(({ type, url }) => type === "shared_worker" && url.startsWith(streams.origin));
  expect(workers).toHaveLength(1);
  await session.send("Target.closeTarget", { targetId: workers[0].targetId });
  await streams.expectOpen(2, [`match:${match}`]);
  await carol.type("7,7");
  for (const moves of [bob.moves, carol.moves, movesOf(tab)]) await expect(moves).toHaveCount(3);
});

test("a move that is not answered is said to be on its way", async ({ carol, bob }) => {
  await startMatch({}, carol, bob);
  await begin(carol, bob);
  let answer = () => {};
  const asked = new Promise<void>((resolve) => (answer = resolve));
  await carol.page.route("**/api/move", async (route) => {
    await asked;
    await route.continue();
  });
  await carol.type("7,7");
  await expect(carol.moves).toHaveCount(3);
  const turn = carol.page.locator(".turn");
  await expect(turn).toHaveText(/Sending your move…/);
  expect(await bob.moves.count()).toBe(2);
  answer();
  await expect(turn).toHaveText(/Opponent’s move/);
  await expect(bob.moves).toHaveCount(3);
});
