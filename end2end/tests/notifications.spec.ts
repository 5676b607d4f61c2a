/** Notifications: the bell in all tabs, and the list. */
import { expect, expectAccessible, test } from "./fixtures";
import { begin, startMatch, winThroughApi } from "./match_actions";

test("the bell counts in all tabs, and a click leads to the game and is read", async ({ alice, bob }) => {
  await alice.account();
  const rules = alice.page;
  await rules.goto("/rules");
  const profile = await rules.context().newPage();
  await profile.goto(`/@${alice.name}`);
  const bell = (page: typeof rules) => page.getByRole("link", { name: /^Notifications/ });
  for (const page of [rules, profile]) await expect(bell(page)).toHaveAttribute("data-unread", "");
  // Both are away from the game.
  await winThroughApi(alice, bob, {});
  for (const page of [rules, profile]) await expect(bell(page)).toHaveAttribute("data-unread", "1");
  await bell(profile).click();
  await expect(profile).toHaveURL("/notifications");
  await expectAccessible(profile);
  await profile.getByRole("button", { name: `You won against ${bob.name}` }).click();
  await expect(profile).toHaveURL(/\/match\/\d+$/);
  for (const page of [rules, profile]) await expect(bell(page)).toHaveAttribute("data-unread", "");
});

test("a page says that it has shown the end of a game, of which nothing is told then", async ({ alice, bob }) => {
  const match_id = await startMatch({ width: 5, height: 5 }, alice, bob);
  await begin(alice, bob);
  const { page } = alice;
  const said = page.waitForResponse((answer) => new URL(answer.url()).pathname === "/api/read_notifications");
  await bob.page.request.post("/api/resign", { form: { match_id } });
  const answer = await said;
  expect(answer.status()).toBe(200);
  expect(answer.request().postData()).toContain(`match_id=${match_id}`);
  await page.goto("/rules");
  await expect(page.getByRole("link", { name: /^Notifications/ })).toHaveAttribute("data-unread", "");
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("the list is read, and the kinds are switched off", async ({ alice, bob }) => {
    await winThroughApi(alice, bob, {});
    const { page } = alice;
    await expect(async () => {
      await page.goto("/notifications");
      await expect(page.getByRole("listitem").getByRole("button")).toHaveCount(1, { timeout: 1_000 });
    }).toPass();
    await page.getByRole("button", { name: "Mark all read" }).click();
    await expect(page.getByRole("link", { name: "Notifications", exact: true })).toHaveAttribute("data-unread", "");
    await page.getByRole("link", { name: "Notification settings" }).click();
    const games = page.getByRole("form", { name: "Finished games" });
    await games.getByRole("switch", { name: "On the site" }).uncheck();
    await games.getByRole("button", { name: "Save" }).click();
    await expect(games.getByRole("switch", { name: "On the site" })).not.toBeChecked();
    await expect(games.getByRole("switch", { name: "Push" })).toBeChecked();
  });
});
