/**
 * A window that loads the page of one state again and again, each time as a browser that has never been there: a window of its own for
 * each load, with its process, takes about as long as a page.
 */
import type { Browser, CDPSession, Disposable, Page } from "@playwright/test";
import { DeliveryProxy, type Order } from "./delivery_proxy";
import { dropSharedWorker } from "./fixtures";
import { observeLayoutShifts, rendered } from "./layout_shifts";
import { devices, load, openBlank, type PageState } from "./page_states";
import type { ApiUser, TestData } from "./test_data";

export type Device = (typeof devices)[number];

export class Visit {
  /** The scripts that the pages begin with, and the proxy that the page was loaded from, until the page is left. */
  private scripts: Disposable[] = [];
  private delivery?: DeliveryProxy;

  private constructor(
    readonly page: Page,
    /** For what Playwright cannot change of a context that is there. */
    readonly session: CDPSession,
    private readonly state: PageState,
    private readonly data: TestData,
    private readonly user?: ApiUser,
  ) {}

  static async begin(state: PageState, browser: Browser, data: TestData): Promise<Visit> {
    // A time zone other than that of the server, because times are converted in the browser.
    const { page, user } = await openBlank(state, { timezoneId: "Pacific/Kiritimati" }, browser, data);
    return new Visit(page, await page.context().newCDPSession(page), state, data, user);
  }

  /** Leaves the page that is there, forgets all it has kept, and becomes this device. The scripts are those of its next page. */
  async blank({ viewport, colorScheme, ...device }: Device, ...scripts: ((page: Page) => Promise<Disposable>)[]): Promise<void> {
    const { page, session } = this;
    if (page.url() !== "about:blank") {
      await page.evaluate(() => {
        localStorage.clear();
        sessionStorage.clear();
      });
      // A page whose session ends reloads itself.
      await page.goto("about:blank");
      await page.context().clearCookies();
      await page.context().addCookies((await this.user?.cookies()) ?? []);
    }
    for (const script of this.scripts) await script.dispose();
    this.scripts = await Promise.all(scripts.map((add) => add(page)));
    await this.delivery?.stop();
    this.delivery = undefined;
    await page.setViewportSize(viewport);
    await page.emulateMedia({ colorScheme });
    await session.send("Emulation.setTouchEmulationEnabled", { enabled: "hasTouch" in device });
  }

  get path(): string {
    return this.state.path(this.data);
  }

  /** Loads the page until it is hydrated. */
  async load(): Promise<void> {
    await load(this.page, this.path);
  }

  /**
   * Loads the page until it is hydrated, one file after the other, and returns its layout shifts. From then on the page has what it asks
   * for at once, and its event streams.
   */
  async loadSlowly(device: Device, order: Order, origin: string): Promise<string[]> {
    const scripts = [observeLayoutShifts, extendStartTimeout, dropSharedWorker];
    await this.blank(device, ...scripts.map((script) => (page: Page) => page.addInitScript(script)));
    const delivery = await DeliveryProxy.start(origin);
    this.delivery = delivery;
    const shifts: string[] = [];
    const delivered = delivery.run(this.page, order, async ({ name, isDocument }) => {
      for (const shift of await rendered(this.page, isDocument)) shifts.push(`after ${name}: ${shift}`);
    });
    await load(this.page, delivery.origin + this.path);
    await delivered;
    delivery.passOn();
    return shifts;
  }

  /** Brings the page that is loaded into its state. */
  async prepare(): Promise<void> {
    await this.state.prepare?.(this.page, this.data, this.user);
  }

  async end(): Promise<void> {
    await this.page.context().close();
    await this.delivery?.stop();
  }
}

/** In a page: gives its code an hour to start (`public/start_check.js`). One file after the other may take more than ten seconds. */
function extendStartTimeout(): void {
  const { setTimeout } = window;
  const extended = (handler: TimerHandler, delay?: number, ...args: unknown[]) =>
    setTimeout(handler, delay === 10_000 ? 3_600_000 : delay, ...args);
  window.setTimeout = extended as typeof setTimeout;
}
