/** Registration, login, and validation errors of their fields. */
import { expect, test } from "./fixtures";

test("a visitor registers, signs out and signs in again", async ({ alice }) => {
  await alice.registerOnPage();
  const { page } = alice;
  await expect(page).toHaveURL(/\/play/);
  await expect(page.getByRole("banner")).toContainText(alice.name);

  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();

  await alice.signIn();
  await expect(page.getByRole("banner")).toContainText(alice.name);
});

test("the lobby of a visitor leads to the login and back", async ({ alice }) => {
  await alice.register();
  const { page } = alice;
  await page.getByRole("button", { name: "Sign out" }).click();
  await expect(page.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();

  await page.goto("/play?game=dots&board=13x13");
  // A guest could play at once.
  await expect(page.getByRole("button", { name: "Play as guest" })).toBeVisible();
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await alice.waitForHydration();
  await page.getByLabel("Name").fill(alice.name);
  await page.getByLabel("Password").fill(alice.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/play\?.*board=13x13/);
  await expect(page.locator("#chosen")).toContainText("· rated");
});

test("field errors are shown on blur and on submit", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/register");
  await alice.waitForHydration();
  const name = page.getByLabel("Name");
  await name.fill("7");
  await page.getByLabel("Password").focus();
  await expect(name).toHaveAttribute("aria-invalid", "true");

  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
  await expect(page).toHaveURL(/\/register/);
});

test("a taken name is refused, ignoring case", async ({ alice, bob }) => {
  await alice.account();
  await bob.page.goto("/register");
  await bob.waitForHydration();
  await bob.page.getByLabel("Name").fill(alice.name.toUpperCase());
  await bob.page.getByLabel("Password").fill(bob.password);
  await bob.page.getByRole("button", { name: "Register" }).click();
  await expect(bob.page.getByText("That name is taken")).toBeVisible();
});

test("a failed login does not tell whether name or password is wrong", async ({ alice, bob }) => {
  await alice.account();
  for (const [name, password] of [
    [alice.name, "not the password"],
    [`${bob.name}-x`.slice(0, 20), alice.password],
  ]) {
    await bob.page.goto("/login");
    await bob.waitForHydration();
    await bob.page.getByLabel("Name").fill(name);
    await bob.page.getByLabel("Password").fill(password);
    await bob.page.getByRole("button", { name: "Sign in" }).click();
    await expect(bob.page.getByText("Wrong name or password. Try again.")).toBeVisible();
  }
});
