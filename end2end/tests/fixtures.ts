/** Two people with a browser each, and what every story needs of them. */
import { randomBytes } from "node:crypto";
import AxeBuilder from "@axe-core/playwright";
import {
  test as base,
  expect,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "@playwright/test";
import { Stage } from "./stage";

/** A person: a window of their own, with their own cookies. */
export class Player {
  readonly password = "a long enough password";

  private constructor(
    readonly name: string,
    readonly page: Page,
    /** Whether pages run scripts in this window. */
    private readonly scripts: boolean,
  ) {}

  /** Opens a window; the name begins with `called` and is nobody else's, because all stories share one arena. */
  static async open(
    browser: Browser,
    called: string,
    scripts: boolean,
    window: BrowserContextOptions = {},
  ): Promise<Player> {
    const context = await browser.newContext({ javaScriptEnabled: scripts, ...window });
    return new Player(`${called}-${randomBytes(4).toString("hex")}`, await context.newPage(), scripts);
  }

  /** Waits until the page has been taken over by the client; without scripts there is nothing to wait for. */
  async awake(): Promise<void> {
    if (this.scripts) {
      // A debug build takes its time to wake up.
      await expect(this.page.locator("html")).toHaveAttribute("data-awake", "", { timeout: 30_000 });
    }
  }

  /** The board. */
  get board(): Locator {
    return this.page.getByRole("application");
  }

  /** The moves made so far, as the page lists them. */
  get moves(): Locator {
    return this.page.getByRole("region", { name: "Moves" }).getByRole("listitem");
  }

  /** Asks this player for a game from the waiting room. */
  async challenge(opponent: Player): Promise<void> {
    await this.page.getByRole("button", { name: `Challenge ${opponent.name}` }).click();
  }

  /** Makes a move by typing its coordinates. */
  async type(move: string): Promise<void> {
    await this.page.getByRole("textbox", { name: "Coordinates" }).fill(move);
    await this.page.getByRole("button", { name: "Place" }).click();
  }

  /** The middle of a point of a 39 × 32 board that is not turned, on this window's screen. */
  async point(x: number, y: number): Promise<{ x: number; y: number }> {
    const [width, height, margin, square] = [400, 330, 13, 10];
    const box = (await this.page.locator("svg.board").boundingBox())!;
    const scale = Math.min(box.width / width, box.height / height);
    return {
      x: box.x + (box.width - width * scale) / 2 + (margin + square * x) * scale,
      y: box.y + (box.height - height * scale) / 2 + (margin + square * y) * scale,
    };
  }

  /** Points at a point with the mouse. */
  async hover(x: number, y: number): Promise<void> {
    const at = await this.point(x, y);
    await this.page.mouse.move(at.x, at.y);
  }

  /** Clicks a point. */
  async click(x: number, y: number): Promise<void> {
    const at = await this.point(x, y);
    await this.page.mouse.click(at.x, at.y);
  }

  /** Makes an account through the page, and is signed in after it. */
  async register(): Promise<void> {
    await this.page.goto("/register");
    await this.awake();
    await this.page.getByLabel("Name").fill(this.name);
    await this.page.getByLabel("Password").fill(this.password);
    await this.page.getByRole("button", { name: "Register" }).click();
    await expect(this.page).not.toHaveURL(/\/register/);
  }

  /** Signs in through the page. */
  async signIn(): Promise<void> {
    await this.page.goto("/login");
    await this.awake();
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

export const test = base.extend<Fixtures, { stage: Stage }>({
  stage: [
    async ({}, use, worker) => {
      const stage = await Stage.set(worker.project.use.baseURL!);
      await use(stage);
      await stage.strike();
    },
    { scope: "worker" },
  ],
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
