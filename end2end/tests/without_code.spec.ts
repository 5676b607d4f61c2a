/** Pages whose code does not start, starts late, or breaks: they are pages without scripts, and say so. */
import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures";
import { holdCode, lack } from "./foreign_scripts";
import { startMatch } from "./match_actions";

const fallback = (page: Page) => page.locator("#fallback");

/** Breaks the form of the login page so that its hydration panics: neither a field nor the copy of the island is there. */
async function breakForm(page: Page): Promise<void> {
  await page.route("/login", async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/<script type="text\/plain" id="islands">.*?<\/script>/s, "");
    await route.fulfill({ response, body });
  });
  await page.addInitScript(() => {
    document.addEventListener("DOMContentLoaded", () => {
      if (location.pathname === "/login") document.querySelector("main form label")?.remove();
    });
  });
}

test("after a panic the page says so, reports it, and its forms are sent by the browser", async ({ alice }) => {
  await alice.account();
  const { page } = alice;
  await page.context().clearCookies();
  await breakForm(page);
  const reported = page.waitForRequest("/api/report_failure");
  await page.goto("/login");
  await expect(fallback(page)).toContainText("Something went wrong.");
  const report = new URLSearchParams((await reported).postData()!);
  expect([report.get("kind"), report.get("page")]).toEqual(["panic", "login"]);
  expect(report.get("message")).toMatch(/panicked at/);
  expect((await (await reported).response())?.status()).toBe(200);

  // Without its label the field has no name for people, but the form has it.
  const form = page.locator("main form");
  const fields = { name: alice.name, password: alice.password };
  for (const [name, value] of Object.entries(fields)) {
    const field = form.locator(`[name=${name}]`);
    if (await field.count()) await field.fill(value);
    else await form.evaluate((form, [name, value]) => form.append(Object.assign(document.createElement("input"), { name, value })), [name, value]);
  }
  const sent = page.waitForRequest((request) => request.url().endsWith("/api/login") && request.isNavigationRequest());
  await form.getByRole("button", { name: "Sign in" }).click();
  await sent;
  await expect(page.getByRole("banner")).toContainText(alice.name);
});

test("a page whose code is not there after ten seconds is one without scripts, until the code comes", async ({ alice }) => {
  await alice.account();
  const { page } = alice;
  await page.context().clearCookies();
  const release = await holdCode(page);
  await page.clock.install();
  await page.goto("/login");
  await expect(page.getByLabel("Name")).toBeVisible();
  // Time also passes by itself, so that the line is not there before is for `unit/fallback.test.js`.
  await page.clock.runFor(10_000);
  await expect(fallback(page)).toContainText("This page could not start fully.");
  await page.getByLabel("Name").fill(alice.name);

  release();
  await page.clock.resume();
  await alice.waitForHydration();
  await expect(fallback(page)).toBeHidden();
  await expect(page.getByLabel("Name")).toHaveValue(alice.name);
  await page.getByLabel("Password").fill(alice.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("banner")).toContainText(alice.name);
});

test("a page whose code is blocked does not wait", async ({ alice }) => {
  await alice.page.route(/\/pkg\/.*\.wasm$/, (route) => route.abort());
  await alice.page.goto("/login");
  await expect(fallback(alice.page)).toBeVisible();
});

test("a match without WebAssembly is played by forms, and its player stays present", async ({ alice, bob }) => {
  const match = await startMatch({ width: 5, height: 5 }, bob, alice);
  const { page } = alice;
  await lack(page, "WebAssembly");
  // While the other is to move, the page loads itself again.
  await page.clock.install();
  await page.goto(`/match/${match}`);
  await expect(fallback(page)).toBeVisible();
  const reloaded = page.waitForEvent("load");
  await bob.type("2,2");
  await page.clock.runFor(5_000);
  await reloaded;

  // It is Alice's turn now, and the page stays while its frame shows that she is there.
  const frame = page.locator("iframe.heartbeat");
  await expect(frame).toBeVisible();
  await expect(frame).toHaveAttribute("src", new RegExp(`/match/${match}/beat`));
  const { frames } = { frames: page.frames().map((frame) => new URL(frame.url()).pathname) };
  expect(frames).toContain(`/match/${match}/beat`);
  await alice.type("3,3");
  await expect(bob.moves).toHaveCount(2);
  await expect(bob.page.locator(".absences")).toBeEmpty();

  await page.goto(`/match/${match}?open=say`);
  await page.getByText("Resign", { exact: true }).click();
  await page.getByRole("button", { name: "Yes, resign" }).click();
  await expect(bob.page.getByRole("heading", { name: "You win" })).toBeVisible();
});

test("the computer's page says what it needs", async ({ alice }) => {
  const { page } = alice;
  await lack(page, "WebAssembly");
  await page.goto("/computer/game?game=dots&board=20x20&level=1");
  await expect(page.getByText("The computer needs JavaScript and WebAssembly")).toBeVisible();
  await expect(page.getByText("Setting up the board…")).toBeHidden();
});
