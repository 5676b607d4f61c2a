/** The settings panel and the languages, with scripts and without. */
import { test, expect, expectAccessible, Player } from "./fixtures";

test("a visitor's settings apply at once and are kept in this browser", async ({ alice }) => {
  const { page } = alice;
  await page.goto("/");
  await alice.waitForHydration();
  await page.getByRole("button", { name: "Settings" }).click();
  const panel = page.getByRole("region", { name: "Settings" });
  await panel.getByLabel("Theme").selectOption("night");
  await expect(page.locator("html")).toHaveAttribute("data-theme", "night");
  await expect(panel.getByRole("status")).toHaveText("Saved");
  await panel.getByLabel("Colours").selectOption("safe");
  await expect(panel.getByRole("status")).toHaveText("Saved");
  const coordinate = panel.locator(".preview text").first();
  await expect(coordinate).toBeVisible();
  await panel.getByRole("switch", { name: "Coordinates" }).uncheck();
  await expect(coordinate).toBeHidden();
  await expect(panel.getByRole("status")).toHaveText("Saved");
  await expectAccessible(page);
  await page.keyboard.press("Escape");
  await expect(panel).toBeHidden();

  await page.reload();
  await expect(page.locator("html")).toHaveAttribute("data-theme", "night");
  await expect(page.locator("html")).toHaveAttribute("data-palette", "safe");
  await expect(page.locator("html")).toHaveAttribute("data-coordinates", "off");
});

test("on a phone the header is one row, and a menu has the rest of it", async ({ alice }) => {
  const { page } = alice;
  await page.setViewportSize({ width: 360, height: 740 });
  const header = page.getByRole("banner");
  const height = () => header.evaluate((element) => element.getBoundingClientRect().height);
  await page.goto("/computer/game?game=reversi&level=1");
  expect(await height()).toBe(32);
  await page.goto("/rules");
  expect(await height()).toBe(44);
  await expect(header.getByRole("link", { name: "Puzzles" })).toBeHidden();
  await header.getByRole("button", { name: "Menu" }).click();
  await header.getByRole("link", { name: "Puzzles" }).click();
  await expect(page).toHaveURL("/puzzles");
});

test("a player's settings apply in another browser", async ({ alice, browser }) => {
  await alice.register();
  await alice.waitForHydration();
  await alice.page.getByRole("button", { name: "Settings" }).click();
  await alice.page.getByRole("switch", { name: "Sound" }).uncheck();
  await expect(alice.page.getByText("Saved", { exact: true })).toBeVisible();

  const context = await browser.newContext();
  const elsewhere = await context.newPage();
  await elsewhere.goto("/login");
  await expect(elsewhere.locator("html")).toHaveAttribute("data-hydrated", "");
  await elsewhere.getByLabel("Name").fill(alice.name);
  await elsewhere.getByLabel("Password").fill(alice.password);
  await elsewhere.getByRole("button", { name: "Sign in" }).click();
  await expect(elsewhere.locator("html")).toHaveAttribute("data-sound", "off");
  await context.close();
});

test("the language is that of the browser until another is chosen", async ({ browser }) => {
  const context = await browser.newContext({ locale: "ru-RU" });
  const page = await context.newPage();
  await page.goto("/login?next=%2Fplay");
  await expect(page.getByRole("heading", { name: "Вход" })).toBeVisible();
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect(page).toHaveURL("/login?next=%2Fplay");
  await context.close();
});

test("an address names a language, until the visitor chooses one", async ({ browser }) => {
  const context = await browser.newContext({ locale: "en-GB" });
  const page = await context.newPage();
  await page.goto("/rules?lang=ru");
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await page.locator("header.top nav").getByRole("link").first().click();
  await expect(page.locator("html")).toHaveAttribute("lang", "ru");
  await page.goto("/rules?lang=ru");
  await page.locator(".languages summary").click();
  await page.getByRole("button", { name: "English" }).click();
  await expect(page).toHaveURL("/rules");
  await expect(page.locator("html")).toHaveAttribute("lang", "en");
  await context.close();
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("settings and language are changed with forms", async ({ alice }: { alice: Player }) => {
    const { page } = alice;
    await page.goto("/");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByLabel("Theme").selectOption("day");
    await page.getByRole("switch", { name: "Sound" }).uncheck();
    await page.getByRole("switch", { name: "Confirm moves", exact: true }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator("html")).toHaveAttribute("data-theme", "day");
    await expect(page.locator("html")).toHaveAttribute("data-sound", "off");
    await expect(page.locator("html")).toHaveAttribute("data-confirm", "on");
    await page.getByRole("button", { name: "Settings" }).click();
    await page.getByRole("switch", { name: "Sound" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await expect(page.locator("html")).not.toHaveAttribute("data-sound");
    await expect(page.locator("html")).toHaveAttribute("data-confirm", "on");
    await page.locator(".languages summary").click();
    await page.getByRole("button", { name: "Русский" }).click();
    await expect(page.locator("html")).toHaveAttribute("lang", "ru");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "day");
  });
});
