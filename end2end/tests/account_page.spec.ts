/** The account page: changing the password, ending sessions, downloading data, deleting the account. */
import { readFile } from "node:fs/promises";
import { expect, test } from "./fixtures";
import { move, startMatch } from "./match_actions";
import { passAbsence } from "./passing_time";

const password = "a long enough password";

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("changing the password ends the other sessions", async ({ alice, playwright, baseURL }) => {
      await alice.register();
      const elsewhere = await playwright.request.newContext({ baseURL });
      await elsewhere.post("/api/login", { form: { name: alice.name, password } });
      const { page } = alice;
      await page.getByRole("banner").getByRole("link", { name: alice.name }).click();
      await page.getByRole("link", { name: "Account", exact: true }).click();
      const sessions = page.getByRole("region", { name: "Where you’re signed in" });
      await expect(sessions.getByRole("listitem")).toHaveCount(2);
      await expect(sessions.getByRole("listitem").first()).toContainText("(this browser)");

      const change = page.getByRole("region", { name: "Password" });
      await change.getByLabel("Current password").fill("not the password");
      await change.getByLabel("New password").fill("another password");
      await change.getByRole("button", { name: "Change password" }).click();
      await expect(change.getByRole("alert")).toHaveText("Wrong password. Try again.");

      await change.getByLabel("Current password").fill(password);
      await change.getByLabel("New password").fill("another password");
      await change.getByRole("button", { name: "Change password" }).click();
      await expect(page.getByRole("status").getByText("Password changed.")).toBeVisible();
      await expect(sessions.getByRole("listitem")).toHaveCount(1);
      expect(await (await elsewhere.get("/api/whoami")).json()).toBeNull();
    });

    test("another session is ended, and the own data are downloaded", async ({ alice, playwright, baseURL }) => {
      await alice.account();
      const elsewhere = await playwright.request.newContext({ baseURL });
      await elsewhere.post("/api/login", { form: { name: alice.name, password } });
      const { page } = alice;
      await page.goto("/account");
      const addresses = await page.locator(".sections a").evaluateAll((links) => {
        const ids = links.map((link) => (link as HTMLAnchorElement).hash.slice(1));
        return ids.map((id) => document.getElementById(id)?.id ?? `no ${id}`);
      });
      expect(addresses).toEqual(expect.arrayContaining(["profile", "display", "security", "sessions", "tokens", "data"]));
      expect(addresses.filter((id) => id.startsWith("no "))).toEqual([]);
      await page.getByRole("button", { name: "Sign out: Unknown browser" }).click();
      await expect(page.getByText("Signed out.")).toBeVisible();
      expect(await (await elsewhere.get("/api/whoami")).json()).toBeNull();

      const coming = page.waitForEvent("download");
      await page.getByRole("link", { name: "Download data" }).click();
      const data = JSON.parse(await readFile(await (await coming).path(), "utf8"));
      expect(data.account.name).toBe(alice.name);
      expect(data.sessions).toHaveLength(1);
    });

    test("deleting the account resigns the match and signs out, and finished games stay", async ({ alice, bob }) => {
      const match = await startMatch({ width: 5, height: 5 }, alice, bob);
      await move(alice, "1,1");
      await move(bob, "3,3");
      const { page } = alice;
      await page.goto("/account");
      // Enough time for a slow machine to fill the form. Without scripts a page counts for longer than that.
      if (scripts) await passAbsence(match, -600);
      const farewell = page.getByRole("region", { name: "Delete account" });
      await farewell.getByText("What gets deleted").click();
      await farewell.getByLabel("Password").fill("not the password");
      await farewell.getByLabel("I want to delete my account").check();
      await farewell.getByRole("button", { name: "Delete permanently" }).click();
      await expect(farewell.getByRole("alert")).toHaveText("Wrong password. Try again.");

      await farewell.getByLabel("Password").fill(password);
      await farewell.getByLabel("I want to delete my account").check();
      await farewell.getByRole("button", { name: "Delete permanently" }).click();
      await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();

      await bob.page.goto(`/match/${match}/replay`);
      await expect(bob.page.getByRole("heading", { level: 1 })).toHaveText(`deleted player – ${bob.name}`);
      await expect(bob.page.getByText("resigned")).toBeVisible();
      await page.goto(`/@${alice.name}`);
      await expect(page.getByRole("heading", { level: 1 })).not.toContainText(alice.name);
    });
  });
}
