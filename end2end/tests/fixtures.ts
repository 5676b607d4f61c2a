/** Fixtures: two players with a browser context each, and the test data of the worker. */
import { randomInt } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import {
  test as base,
  expect,
  type Browser,
  type BrowserContextOptions,
  type Locator,
  type Page,
} from "@playwright/test";
import type * as axe from "axe-core";
import { TestData } from "./test_data";

declare global {
  interface Window {
    axe: typeof axe;
  }
}

/** Axe, which checks the accessibility of the page it is in. */
const axeScript = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

/** The page object of a player, with a browser context of its own. */
export class Player {
  readonly password = "a long enough password";
  private id?: Promise<number>;

  private constructor(
    readonly name: string,
    readonly page: Page,
    /** Whether scripts are enabled. */
    private readonly scripts: boolean,
  ) {}

  /** Opens a browser context. The name is unique, because all tests share one server, and begins with `prefix`. */
  static async open(
    browser: Browser,
    prefix: string,
    scripts: boolean,
    window: BrowserContextOptions = {},
  ): Promise<Player> {
    const context = await browser.newContext({ javaScriptEnabled: scripts, ...window });
    const page = await context.newPage();
    if (!scripts) repeatInterrupted(page);
    return new Player(`${prefix}-${randomInt(1e8, 1e9)}`, page, scripts);
  }

  /** Waits until all islands are hydrated; returns at once if scripts are disabled. */
  async waitForHydration(): Promise<void> {
    if (this.scripts) {
      // Hydration of a debug build is slow.
      await expect(this.page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 90_000 });
    }
  }

  /**
   * Gives each tab a stream of its own, from the next page on: what Playwright does to the network of a page, it does not do to
   * that of a shared worker.
   */
  async shareNoStream(): Promise<void> {
    await this.page.context().addInitScript(dropSharedWorker);
  }

  /**
   * Loads the page again if scripts are disabled, as it does by itself every five seconds, and without the query of an earlier form.
   * Stories about that wait for it.
   */
  async refresh(): Promise<void> {
    if (!this.scripts) await this.page.goto(this.page.url().split("?")[0]);
  }

  /** The board. */
  get board(): Locator {
    return this.page.getByRole("application");
  }

  /** The list of moves. */
  get moves(): Locator {
    return this.page.getByRole("region", { name: "Moves" }).getByRole("listitem");
  }

  /**
   * Waits until the page shows so many moves; returns at once if scripts are disabled. After moves through the API the page may show the
   * position before them, in which it takes a move, and drops that when theirs come.
   */
  async waitForMoves(count: number): Promise<void> {
    if (this.scripts) await expect(this.page.locator(".moves-box li")).toHaveCount(count);
  }

  /** Sends a challenge from the lobby. */
  async challenge(opponent: Player): Promise<void> {
    await this.page.getByRole("button", { name: `Challenge ${opponent.name}` }).click();
  }

  /** Makes a move by typing its coordinates. */
  async type(move: string): Promise<void> {
    await openCoordinates(this.page);
    await this.page.getByRole("textbox", { name: "Coordinates" }).fill(move);
    await this.page.getByRole("button", { name: "Place" }).click();
  }

  /** The viewport position of a point of a 39 × 32 board that is not rotated. */
  async point(x: number, y: number): Promise<{ x: number; y: number }> {
    const [width, height, margin, square] = [400, 330, 13, 10];
    const box = (await this.page.locator("svg.board").boundingBox())!;
    const scale = Math.min(box.width / width, box.height / height);
    return {
      x: box.x + (box.width - width * scale) / 2 + (margin + square * x) * scale,
      y: box.y + (box.height - height * scale) / 2 + (margin + square * y) * scale,
    };
  }

  /** Moves the mouse to a point. */
  async hover(x: number, y: number): Promise<void> {
    const at = await this.point(x, y);
    await this.page.mouse.move(at.x, at.y);
  }

  /** Clicks a point. */
  async click(x: number, y: number): Promise<void> {
    const at = await this.point(x, y);
    await this.page.mouse.click(at.x, at.y);
  }

  /** Makes the account through the API at the first call, which also signs the browser context in. Returns the id. */
  account(origin = ""): Promise<number> {
    const make = async () => {
      const form = { name: this.name, password: this.password };
      const made = await this.page.request.post(`${origin}/api/register`, { form });
      expect(made.status(), await made.text()).toBe(200);
      return (await made.json()).id as number;
    };
    return (this.id ??= make());
  }

  /** Makes the account through the API, and opens the waiting room, where those who register come. */
  async register(): Promise<void> {
    await this.account();
    await this.page.goto("/play");
  }

  /** Registers on the page, which also signs in. */
  async registerOnPage(): Promise<void> {
    await this.page.goto("/register");
    await this.waitForHydration();
    await this.page.getByLabel("Name").fill(this.name);
    await this.page.getByLabel("Password").fill(this.password);
    await this.page.getByRole("button", { name: "Register" }).click();
    await expect(this.page).not.toHaveURL(/\/register/);
  }

  /** Signs in on the page. */
  async signIn(): Promise<void> {
    await this.page.goto("/login");
    await this.waitForHydration();
    await this.page.getByLabel("Name").fill(this.name);
    await this.page.getByLabel("Password").fill(this.password);
    await this.page.getByRole("button", { name: "Sign in" }).click();
    await expect(this.page).not.toHaveURL(/\/login/);
  }
}

/** In a page: takes the shared worker away, as in browsers that have none. */
export function dropSharedWorker(): void {
  Reflect.deleteProperty(window, "SharedWorker");
}

/**
 * In a page: counts the sounds in an attribute. The audio context never waits for the machine's audio service, since a sound that is
 * late is dropped, and a machine without one may take its time.
 */
export function countSounds(): void {
  const { start } = OscillatorNode.prototype;
  OscillatorNode.prototype.start = function (when) {
    document.documentElement.dataset.heard = String(Number(document.documentElement.dataset.heard ?? 0) + 1);
    return start.call(this, when);
  };
  AudioContext.prototype.resume = async () => {};
}

/** Unfolds the field for typed moves where it is folded: at the board of the computer, in puzzles and in the analysis. */
export async function openCoordinates(page: Page): Promise<void> {
  const folded = page.locator("details.typed-move:not([open]) summary");
  if (await folded.isVisible()) await folded.click();
}

/**
 * Waits until the page has reacted to what has come so far, also where it asks the server first. Before a check that something
 * does not happen, so that it had the time to.
 */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let turn = 0; turn < 3; turn += 1) await fetch("/healthz", { cache: "no-store" });
  });
}

/**
 * Repeats a navigation that another one interrupted: without scripts, pages reload themselves, and such a reload may
 * begin while the navigation of a test does. Ends with the test, whose page is closed then.
 */
function repeatInterrupted(page: Page): void {
  const repeated =
    <Arguments extends unknown[], Result>(navigate: (...given: Arguments) => Promise<Result>) =>
    async (...given: Arguments): Promise<Result> => {
      for (;;) {
        try {
          return await navigate(...given);
        } catch (error) {
          if (!/interrupted by another navigation|net::ERR_ABORTED/.test(String(error))) throw error;
        }
      }
    };
  page.goto = repeated(page.goto.bind(page));
  page.reload = repeated(page.reload.bind(page));
}

/**
 * In a page: bounds the wait for an idle time, in which hydration begins. Chromium's headless shell may draw no further frame, and
 * then never says that it is idle.
 */
function endIdleWait(): void {
  const { requestIdleCallback } = window;
  window.requestIdleCallback = (callback, options) => requestIdleCallback(callback, { timeout: 500, ...options });
}

type Fixtures = {
  /** Whether scripts are enabled. */
  scripts: boolean;
  alice: Player;
  bob: Player;
};

export const test = base.extend<Fixtures, { data: TestData }>({
  browser: [
    async ({ browser }, use, { project }) => {
      const isShell = project.use.launchOptions?.executablePath?.endsWith("headless-shell");
      const newContext = browser.newContext.bind(browser);
      browser.newContext = async (options) => {
        const context = await newContext(options);
        if (isShell) await context.addInitScript(endIdleWait);
        return context;
      };
      await use(browser);
    },
    { scope: "worker" },
  ],
  data: [
    async ({}, use, worker) => {
      const data = await TestData.create(worker.project.use.baseURL!);
      await use(data);
      await data.dispose();
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
 * Fails if axe finds a violation of WCAG 2.2 level AA on the page. The check is a
 * script, so it never ends on a page without scripts.
 */
export async function expectAccessible(page: Page): Promise<void> {
  await animationsEnd(page);
  // Once for each page: to send it and to compile it takes longer than to check most pages.
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axeScript);
  const violations = await page.evaluate(async () => {
    const found = await window.axe.run(document, {
      // Elements that pass are counted by nobody, and to describe them takes most of the time.
      resultTypes: ["violations"],
      runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
    });
    return found.violations.map(({ id, help, nodes }) => `${id}: ${help}\n${nodes.map(({ html }) => `  ${html}`).join("\n")}`);
  });
  expect(violations).toEqual([]);
}

/** Waits until what fades in is opaque: until then its contrast is lower. Animations that go on for long are none of these. */
async function animationsEnd(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const isShort = ({ effect }: Animation) => Number(effect?.getComputedTiming().endTime) < 5000;
    const running = document.getAnimations().filter(isShort);
    await Promise.allSettled(running.map(({ finished }) => finished));
  });
}

export { expect };
