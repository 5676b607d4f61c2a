/** Passkeys, with the virtual authenticator of Chromium; in both languages, on a desktop and a phone. */
import { type CDPSession, type Page } from "@playwright/test";
import { expect, expectAccessible, test, type Player } from "./fixtures";

/** A passkey belongs to a domain, so these stories take place at the same server by its name. */
const home = (baseURL: string | undefined) => baseURL!.replace("127.0.0.1", "localhost");

const fresh = "a brand new horse";

/** The texts that the stories look for. */
const words = {
  en: {
    region: "Passkeys",
    name: "Passkey name",
    password: "Password",
    add: "Add passkey",
    added: "Passkey added.",
    wrong: "Wrong password. Try again.",
    exists: "This device already has a passkey for your account.",
    never: "never used",
    used: "last used",
    signIn: "Use passkey",
    cancelled: "Cancelled or timed out. Try again.",
    remove: "Remove: my phone",
    removed: "Passkey removed.",
    unknown: "This passkey is not known here. Try another.",
    fresh: "New password",
    set: "Set new password",
    changed: "Password changed.",
  },
  ru: {
    region: "Ключи доступа",
    name: "Название ключа доступа",
    password: "Пароль",
    add: "Добавить ключ доступа",
    added: "Ключ доступа добавлен.",
    wrong: "Пароль неверен. Попробуйте ещё раз.",
    exists: "На этом устройстве уже есть ключ доступа к аккаунту.",
    never: "ещё не использовался",
    used: "последний раз",
    signIn: "Войти с ключом",
    cancelled: "Отменено или истекло время. Попробуйте ещё раз.",
    remove: "Удалить: my phone",
    removed: "Ключ доступа удалён.",
    unknown: "Такой ключ доступа здесь неизвестен. Попробуйте другой.",
    fresh: "Новый пароль",
    set: "Сменить пароль",
    changed: "Пароль изменён.",
  },
} as const;

/** A device with a fingerprint reader, as it were. */
class Authenticator {
  private constructor(
    private readonly client: CDPSession,
    private readonly authenticatorId: string,
  ) {}

  static async attach(page: Page): Promise<Authenticator> {
    const client = await page.context().newCDPSession(page);
    await client.send("WebAuthn.enable");
    const { authenticatorId } = await client.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    return new Authenticator(client, authenticatorId);
  }

  /** Whether the finger is the right one. */
  async verify(isUserVerified: boolean): Promise<void> {
    await this.client.send("WebAuthn.setUserVerified", { authenticatorId: this.authenticatorId, isUserVerified });
  }

  /** Returns the number of passkeys of the authenticator. */
  async count(): Promise<number> {
    const { credentials } = await this.client.send("WebAuthn.getCredentials", { authenticatorId: this.authenticatorId });
    return credentials.length;
  }
}

/** Makes the account at this origin, and sets its language. */
async function register(player: Player, at: string, language: string): Promise<void> {
  await player.account(at);
  await player.page.request.post(`${at}/api/settings`, { form: { language } });
}

for (const [language, say] of Object.entries(words)) {
  for (const [device, viewport] of Object.entries({
    desktop: { width: 1280, height: 800 },
    phone: { width: 360, height: 740 },
  })) {
    test(`a player signs in with a passkey: ${language}, ${device}`, async ({ alice, baseURL }) => {
      const { page } = alice;
      const at = home(baseURL);
      await page.setViewportSize(viewport);
      await register(alice, at, language);
      const authenticator = await Authenticator.attach(page);

      await page.goto(`${at}/account`);
      const section = page.getByRole("region", { name: say.region });
      const addPasskey = async (password: string) => {
        await section.getByLabel(say.name).fill("my phone");
        await section.getByLabel(say.password).fill(password);
        await section.getByRole("button", { name: say.add }).click();
      };
      await addPasskey("not the password");
      await expect(section.getByText(say.wrong)).toBeVisible();
      await addPasskey(alice.password);
      await expect(page.getByText(say.added)).toBeVisible();
      await expect(section.getByRole("listitem")).toContainText(["my phone"]);
      await expect(section.getByRole("listitem")).toContainText([say.never]);
      await expectAccessible(page);
      await addPasskey(alice.password);
      await expect(section.getByText(say.exists)).toBeVisible();
      await expectAccessible(page);

      await page.request.post(`${at}/api/logout`);
      await page.goto(`${at}/login?next=/history`);
      const signIn = page.getByRole("button", { name: say.signIn });
      await authenticator.verify(false);
      await signIn.click();
      await expect(page.getByText(say.cancelled)).toBeVisible();
      await expectAccessible(page);
      await authenticator.verify(true);
      await signIn.click();
      await expect(page).toHaveURL(`${at}/history`);

      // A forgotten password: from the page for that, by passkey, to a new one.
      await page.request.post(`${at}/api/logout`);
      await page.goto(`${at}/recover`);
      await expectAccessible(page);
      await signIn.click();
      await expect(page).toHaveURL(`${at}/account`);
      await expect(section.getByRole("listitem")).toContainText([say.used]);
      await expectAccessible(page);
      await page.getByLabel(say.fresh).fill(fresh);
      await page.getByRole("button", { name: say.set }).click();
      await expect(page.getByText(say.changed)).toBeVisible();
      const form = { name: alice.name, password: fresh };
      expect((await page.request.post(`${at}/api/login`, { form })).status()).toBe(200);

      await page.goto(`${at}/account`);
      await section.getByRole("button", { name: say.remove }).click();
      await expect(page.getByText(say.removed)).toBeVisible();
      await expect(section.getByRole("listitem")).toHaveCount(0);
      expect(await authenticator.count()).toBe(1);
      await page.request.post(`${at}/api/logout`);
      await page.goto(`${at}/login`);
      await signIn.click();
      await expect(page.getByText(say.unknown)).toBeVisible();
    });
  }
}

test("an address without a name says that it has no passkeys", async ({ alice, baseURL }) => {
  const { page } = alice;
  await register(alice, baseURL!, "en");
  await page.goto("/account");
  const section = page.getByRole("region", { name: "Passkeys" });
  await expect(section.getByText("This address has none")).toBeVisible();
  await expect(section.getByRole("button", { name: "Add passkey" })).toHaveCount(0);
  await page.request.post("/api/logout");
  await page.goto("/login");
  await expect(page.getByRole("button", { name: "Use passkey" })).toHaveCount(0);
});

test("a browser without passkeys says so", async ({ alice, baseURL }) => {
  const { page } = alice;
  await page.addInitScript(() => Reflect.deleteProperty(globalThis, "PublicKeyCredential"));
  await page.goto(`${home(baseURL)}/login`);
  await expect(page.getByText("This browser does not support passkeys here.")).toBeVisible();
  await expect(page.getByRole("button", { name: "Use passkey" })).toBeDisabled();
});

test.describe("without scripts", () => {
  test.use({ scripts: false });

  test("the passkey section explains that it needs scripts", async ({ alice, baseURL }) => {
    const { page } = alice;
    const at = home(baseURL);
    await register(alice, at, "en");
    await page.goto(`${at}/account`);
    const section = page.getByRole("region", { name: "Passkeys" });
    await expect(section.getByText("Passkeys need JavaScript")).toBeVisible();
    await expect(section.getByRole("button", { name: "Add passkey" })).toBeDisabled();
    await page.request.post(`${at}/api/logout`);
    await page.goto(`${at}/login`);
    await expect(page.getByText("Passkeys need JavaScript")).toBeVisible();
  });
});
