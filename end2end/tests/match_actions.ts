/** Tables that are laid through the API, for stories that begin at the board; and a hand that finds its points. */
import type { CDPSession, Locator, Page } from "@playwright/test";
import { expect, type Player } from "./fixtures";

export type Setup = Record<string, string | number>;

/** Both sit at a table of their own; the first is red. Gives the number of the match. */
export async function sitAt(
  setup: Setup,
  red: Player,
  blue: Player,
  clock = "none",
  game = "dots",
): Promise<number> {
  const ids: number[] = [];
  for (const player of [red, blue]) {
    const form = { name: player.name, password: player.password };
    ids.push((await answer(player.page, "/api/register", form)).id);
    // Loading the page of the waiting room is a sign of life.
    await player.page.request.get(`/play?game=${game}`);
  }
  const asked = { opponent: ids[1], game, setup: JSON.stringify(setup), clock };
  const { id } = await answer(red.page, "/api/challenge", asked);
  const { match } = await answer(blue.page, "/api/answer_challenge", { id, accept: true });
  for (const player of [red, blue]) {
    await player.page.goto(`/match/${match}`);
    await player.awake();
  }
  return match;
}

/** Makes a move without a look at the board. */
export async function move(player: Player, at: string): Promise<void> {
  const match_id = Number(player.page.url().split("/").at(-1));
  await answer(player.page, "/api/move", { match_id, mv: at });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON as the server sends it.
async function answer(page: Page, path: string, form: Record<string, string | number | boolean>): Promise<any> {
  const response = await page.request.post(path, { form });
  expect(response.status(), `${path}: ${await response.text()}`).toBe(200);
  return response.json();
}

/** A spot of the screen. */
export type Spot = { x: number; y: number };

/** Where a point of the board is on the screen, however it is turned, zoomed and panned. */
export async function spotOf(page: Page, x: number, y: number): Promise<Spot> {
  return page.locator("svg.board").evaluate(
    (board, [x, y]) => {
      const spot = new DOMPoint(10 * x, 10 * y).matrixTransform((board as unknown as SVGSVGElement).getScreenCTM()!);
      return { x: spot.x, y: spot.y };
    },
    [x, y],
  );
}

/** How far apart points are on the screen. */
export async function pitch(page: Page): Promise<number> {
  const [one, other] = [await spotOf(page, 0, 0), await spotOf(page, 1, 0)];
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Waits until nothing glides any more. */
export async function atRest(board: Locator): Promise<void> {
  await expect
    .poll(() =>
      board.evaluate(async (board) => {
        const where = () => JSON.stringify(board.getBoundingClientRect());
        const before = where();
        await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
        return where() === before && board.closest(".board-sheet")!.getAnimations().length === 0;
      }),
    )
    .toBe(true);
}

/** Fingers on a touch screen. */
export class Fingers {
  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  async tap(at: Spot): Promise<void> {
    await this.send("touchStart", [at]);
    await this.send("touchEnd", []);
  }

  /** Moves each finger from where it comes down along its way, in small steps, and lifts them. */
  async drag(ways: [Spot, Spot][], steps = 12): Promise<void> {
    const at = (step: number) =>
      ways.map(([from, to]) => ({
        x: from.x + ((to.x - from.x) * step) / steps,
        y: from.y + ((to.y - from.y) * step) / steps,
      }));
    // One finger after the other, as on a hand.
    for (let fingers = 1; fingers <= ways.length; fingers += 1) {
      await this.send("touchStart", at(0).slice(0, fingers));
    }
    for (let step = 1; step <= steps; step += 1) await this.send("touchMove", at(step));
    await this.send("touchEnd", []);
  }

  private async send(type: "touchStart" | "touchMove" | "touchEnd", spots: Spot[]): Promise<void> {
    const touchPoints = spots.map((spot, id) => ({ ...spot, id }));
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints });
  }
}
