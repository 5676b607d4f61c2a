/** Two people with a browser each, and what every story needs of them. */
import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import { test as base, expect, type Browser, type Page } from "@playwright/test";

/** A person: a window of their own, with their own cookies. */
export class Player {
  readonly password = "a long enough password";

  private constructor(
    readonly name: string,
    readonly page: Page,
  ) {}

  /** Opens a window; the name begins with `called` and is nobody else's, because all stories share one arena. */
  static async open(browser: Browser, called: string, scripts: boolean): Promise<Player> {
    const context = await browser.newContext({ javaScriptEnabled: scripts });
    return new Player(`${called}-${randomBytes(4).toString("hex")}`, await context.newPage());
  }

  /** Makes an account through the page, and is signed in after it. */
  async register(): Promise<void> {
    await this.page.goto("/register");
    await this.page.getByLabel("Name").fill(this.name);
    await this.page.getByLabel("Password").fill(this.password);
    await this.page.getByRole("button", { name: "Create account" }).click();
    await expect(this.page).not.toHaveURL(/\/register/);
  }

  /** Signs in through the page. */
  async signIn(): Promise<void> {
    await this.page.goto("/login");
    await this.page.getByLabel("Name").fill(this.name);
    await this.page.getByLabel("Password").fill(this.password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await expect(this.page).not.toHaveURL(/\/login/);
  }
}

type Fixtures = {
  /** Whether pages run scripts: a whole game can be played without. */
  scripts: boolean;
  alice: Player;
  bob: Player;
};

export const test = base.extend<Fixtures>({
  scripts: [true, { option: true }],
  alice: async ({ browser, scripts }, use) => {
    const alice = await Player.open(browser, "alice", scripts);
    await use(alice);
    await alice.page.context().close();
  },
  bob: async ({ browser, scripts }, use) => {
    const bob = await Player.open(browser, "bob", scripts);
    await use(bob);
    await bob.page.context().close();
  },
});

/**
 * Fails when the page, as it is now, breaks a rule of WCAG 2.2 level AA that a machine can check. The check is itself a
 * script, so it never ends on a page that runs none.
 */
export async function expectAccessible(page: Page): Promise<void> {
  const found = await new AxeBuilder({ page })
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  const told = found.violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n${nodes.map((node) => `  ${node.html}`).join("\n")}`,
  );
  expect(told).toEqual([]);
}

export { expect };
