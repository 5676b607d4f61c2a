/** Recovery codes, and what a page shows whose session has ended elsewhere; in both languages, on a desktop and a phone. */
import { readFile } from "node:fs/promises";
import { expect, expectAccessible, test, Player } from "./fixtures";
import { move, startMatch } from "./match_actions";
import { passAbsence } from "./passing_time";

const fresh = "a brand new horse";

/** The texts that the stories look for. */
const words = {
  en: {
    region: "Recovery codes",
    password: "Password",
    make: "Create recovery codes",
    left: "You have 10 codes left.",
    used: "You have 9 codes left.",
    save: "Save as file",
    copy: "Copy codes",
    copied: "Copied.",
    kept: "I saved them",
    link: "Use a recovery code",
    name: "Name",
    code: "Recovery code",
    fresh: "New password",
    set: "Set new password",
    wrong: "Wrong name or recovery code.",
    yourMove: "Your move",
    signIn: "Sign in",
    menu: "Menu",
  },
  ru: {
    region: "Коды восстановления",
    password: "Пароль",
    make: "Создать коды восстановления",
    left: "У вас осталось 10 кодов.",
    used: "У вас осталось 9 кодов.",
    save: "Сохранить в файл",
    copy: "Скопировать коды",
    copied: "Скопировано.",
    kept: "Я сохранил их",
    link: "Ввести код восстановления",
    name: "Имя",
    code: "Код восстановления",
    fresh: "Новый пароль",
    set: "Сменить пароль",
    wrong: "Имя или код неверны.",
    yourMove: "Ваш ход",
    signIn: "Войти",
    menu: "Меню",
  },
} as const;

const viewports = {
  desktop: { width: 1280, height: 800 },
  phone: { width: 360, height: 740 },
};

for (const [language, say] of Object.entries(words)) {
  for (const [device, viewport] of Object.entries(viewports)) {
    test(`a player signs in with a recovery code: ${language}, ${device}`, async ({ alice, browser }) => {
      const { page } = alice;
      await page.setViewportSize(viewport);
      await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
      await alice.account();
      await page.request.post("/api/settings", { form: { language } });
      await page.goto("/account");
      const codes = page.getByRole("region", { name: say.region });
      await codes.getByLabel(say.password).fill(alice.password);
      await codes.getByRole("button", { name: say.make }).click();

      const shown = page.locator("#recovery-codes code");
      await expect(shown).toHaveCount(10);
      await expectAccessible(page);
      const all = await shown.allTextContents();
      const coming = page.waitForEvent("download");
      await page.getByRole("button", { name: say.save }).click();
      const saved = await readFile(await (await coming).path(), "utf8");
      await page.getByRole("button", { name: say.copy }).click();
      await expect(page.getByText(say.copied)).toBeVisible();
      const copied = await page.evaluate(() => navigator.clipboard.readText());
      for (const code of all) {
        expect(saved).toContain(code);
        expect(copied).toContain(code);
      }
      await page.getByRole("link", { name: say.kept }).click();
      await expect(page.getByText(say.left)).toBeVisible();
      await expectAccessible(page);

      const context = await browser.newContext({ viewport, locale: language });
      const elsewhere = await context.newPage();
      await elsewhere.goto("/login");
      await elsewhere.getByRole("link", { name: say.link }).click();
      await expect(elsewhere).toHaveURL(/\/recover/);
      await expectAccessible(elsewhere);
      for (const code of ["0000-0000-0000-0000", all[2]]) {
        await elsewhere.getByLabel(say.name).fill(alice.name);
        await elsewhere.getByLabel(say.code).fill(code);
        await elsewhere.getByLabel(say.fresh).fill(fresh);
        await elsewhere.getByRole("button", { name: say.set }).click();
        if (code !== all[2]) await expect(elsewhere.getByText(say.wrong)).toBeVisible();
      }
      await expect(elsewhere).toHaveURL(/\/play/);
      await elsewhere.goto("/account");
      await expect(elsewhere.getByText(say.used)).toBeVisible();
      await context.close();
      await page.goto("/account");
      await expect(page).toHaveURL(/\/login/);
    });
  }
}

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("codes are made and used with forms alone", async ({ alice, bob }) => {
    await alice.account();
    await alice.page.goto("/account");
    const codes = alice.page.getByRole("region", { name: "Recovery codes" });
    await codes.getByLabel("Password").fill("not the password");
    await codes.getByRole("button", { name: "Create recovery codes" }).click();
    await expect(codes.getByRole("alert")).toHaveText("Wrong password. Try again.");
    await codes.getByLabel("Password").fill(alice.password);
    await codes.getByRole("button", { name: "Create recovery codes" }).click();
    await expect(alice.page.locator("#recovery-codes code")).toHaveCount(10);
    const [code] = await alice.page.locator("#recovery-codes code").allTextContents();
    await alice.page.goto("/account");
    await expect(codes.getByRole("button", { name: "Create ten new codes" })).toBeVisible();
    await bob.page.goto("/recover");
    await bob.page.getByLabel("Name").fill(alice.name);
    await bob.page.getByLabel("Recovery code").fill(code);
    await bob.page.getByLabel("New password").fill(fresh);
    await bob.page.getByRole("button", { name: "Set new password" }).click();
    await expect(bob.page.getByRole("banner")).toContainText(alice.name);
  });
});

for (const [language, say] of Object.entries(words)) {
  for (const [device, viewport] of Object.entries(viewports)) {
    test(`a second browser signs the first one out, and its pages notice: ${language}, ${device}`, async ({ browser, playwright, baseURL }) => {
      const [alice, bob] = await Promise.all(
        ["alice", "bob"].map((name) => Player.open(browser, name, true, { locale: language, viewport })),
      );
      const id = await startMatch({ width: 5, height: 5 }, alice, bob);
      await move(alice, "1,1");
      await move(bob, "2,2");
      const { page } = alice;
      const status = page.getByText(say.yourMove).first();
      await expect(status).toBeVisible();
      const match = new URL(page.url()).pathname;

      const elsewhere = await playwright.request.newContext({ baseURL });
      const form = { name: alice.name, password: alice.password };
      expect((await elsewhere.post("/api/login", { form })).status()).toBe(200);
      expect((await elsewhere.post("/api/end_session")).status()).toBe(200);

      await expect(status).toHaveCount(0);
      const header = page.getByRole("banner");
      if (device === "phone") await header.getByRole("button", { name: say.menu }).click();
      const signIn = header.getByRole("link", { name: say.signIn });
      await expect(signIn).toBeVisible();
      // Enough time for a slow machine to come back.
      await passAbsence(id, -600);
      await expectAccessible(page);
      await signIn.click();
      await expect(page).toHaveURL(/\/login\?next=/);
      await alice.waitForHydration();
      await page.getByLabel(say.name).fill(alice.name);
      await page.getByLabel(say.password).fill(alice.password);
      await page.getByRole("button", { name: say.signIn }).click();
      await expect(page).toHaveURL(match);
      await expect(page.getByText(say.yourMove).first()).toBeVisible();
      await elsewhere.dispose();
      for (const { page } of [alice, bob]) await page.context().close();
    });
  }
}

test("the waiting room of an ended session leads to sign-in and back", async ({ alice, playwright, baseURL }) => {
  await alice.account();
  const { page } = alice;
  await page.goto("/play?game=dots");
  await alice.waitForHydration();
  const elsewhere = await playwright.request.newContext({ baseURL });
  const form = { name: alice.name, password: alice.password };
  await elsewhere.post("/api/login", { form });
  await elsewhere.post("/api/end_session");
  // Who has no session may play as a guest, or sign in.
  await page.getByRole("main").getByRole("link", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/login\?next=/);
  await alice.waitForHydration();
  await page.getByLabel("Name").fill(alice.name);
  await page.getByLabel("Password").fill(alice.password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page).toHaveURL(/\/play\?game=dots/);
  await elsewhere.dispose();
});

test("pages without an event stream notice an ended session when the player comes back to them", async ({ alice, playwright, baseURL }) => {
  await alice.account();
  const { page } = alice;
  const rules = await page.context().newPage();
  await rules.goto("/rules/dots");
  await page.goto("/account");
  for (const each of [rules, page]) await expect(each.getByRole("banner")).toContainText(alice.name);
  const elsewhere = await playwright.request.newContext({ baseURL });
  await elsewhere.post("/api/login", { form: { name: alice.name, password: alice.password } });
  await elsewhere.post("/api/end_session");
  for (const each of [rules, page]) {
    await each.evaluate(() => document.dispatchEvent(new Event("visibilitychange")));
    await expect(each.getByRole("banner").getByRole("link", { name: "Sign in" })).toBeVisible();
    await expect(each.getByText(alice.name)).toHaveCount(0);
  }
  await expect(rules).toHaveURL("/rules/dots");
  await expect(page).toHaveURL(/\/login/);
  await elsewhere.dispose();
});
