/** A page that is open while the server is upgraded: its words, and the time at which it is loaded again by itself. */
import type { Page } from "@playwright/test";
import { expect, expectAccessible, settled, test } from "./fixtures";
import { begin, startMatch } from "./match_actions";

/** Makes the pages at a path those of a release before, from now on. Returns how many were loaded. */
async function makeOlder(page: Page, path: string): Promise<() => number> {
  let loads = 0;
  await page.route(
    (url) => url.pathname.startsWith(path),
    async (route) => {
      if (route.request().resourceType() !== "document") return route.fallback();
      loads += 1;
      const response = await route.fetch();
      const { "content-encoding": _, "content-length": __, ...headers } = response.headers();
      const body = (await response.text()).replace(/data-release="[^"]+"/, 'data-release="of-before"');
      await route.fulfill({ response, headers, body });
    },
  );
  return () => loads;
}

const said = (page: Page) => page.getByRole("status").filter({ hasText: "A new version is available." });

test("a waiting room says that there is a new version, and is loaded again with a button", async ({ alice }) => {
  await alice.account();
  const { page } = alice;
  await page.clock.install();
  const loads = await makeOlder(page, "/play");
  await page.goto("/play");
  await alice.waitForHydration();
  await expect(said(page)).toBeVisible();
  await expectAccessible(page);
  // Somebody looks at it, so it stays as it is.
  await page.clock.fastForward("02:00");
  await settled(page);
  expect(loads()).toBe(1);
  await page.unrouteAll({ behavior: "wait" });
  await said(page).getByRole("button", { name: "Reload" }).click();
  await expect(said(page)).toHaveCount(0);
  await alice.waitForHydration();
  await expect(page.locator("#new-release")).toHaveAttribute("data-release", /^[0-9a-f]+$/);
  await expect(said(page)).toHaveCount(0);
});

test("a page is not loaded again by itself during a match, but after its end", async ({ alice, bob }) => {
  const { page } = alice;
  await page.clock.install();
  const loads = await makeOlder(page, "/match/");
  const match = await startMatch({}, alice, bob);
  await begin(alice, bob);
  await expect(alice.moves).toHaveCount(2);
  await expect(said(page)).toBeVisible();
  await expect(said(bob.page)).toHaveCount(0);
  await page.clock.fastForward("02:00");
  await settled(page);
  await expect(said(page)).toBeVisible();
  expect(loads()).toBe(1);
  // The match goes on where it was.
  await alice.type("5,5");
  await expect(bob.moves).toHaveCount(3);
  expect(loads()).toBe(1);

  const resigned = await bob.page.request.post("/api/resign", { form: { match_id: match } });
  expect(resigned.status()).toBe(200);
  await expect(page.getByRole("heading", { name: "You win" })).toBeVisible();
  // Not while something is typed that would be lost.
  const message = page.getByRole("textbox", { name: "Message" });
  await message.fill("Well played");
  await page.clock.fastForward("02:00");
  await settled(page);
  expect(loads()).toBe(1);
  await message.fill("");
  const loaded = page.waitForEvent("load");
  await page.clock.fastForward("02:00");
  await loaded;
  expect(loads()).toBe(2);
  await alice.waitForHydration();
  // Once is enough: two servers may be of different releases for a while.
  await expect(said(page)).toBeVisible();
  await page.clock.fastForward("02:00");
  await settled(page);
  expect(loads()).toBe(2);
});
