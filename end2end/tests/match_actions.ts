/** Starting matches through the API, and touch and mouse positions on the board. */
import type { CDPSession, Locator, Page } from "@playwright/test";
import { expect, type Player } from "./fixtures";

export type Setup = Record<string, string | number>;

/**
 * Registers both players unless they have played here before, starts a match and opens its page; the first player is red.
 * Returns the id of the match.
 */
export async function startMatch(
  setup: Setup,
  red: Player,
  blue: Player,
  clock = "none",
  game = "dots",
): Promise<number> {
  const ids = await Promise.all([red, blue].map((player) => enterLobby(player, game)));
  const asked = { opponent: ids[1], game, setup: JSON.stringify(setup), clock };
  const { id } = await post(red.page, "/api/challenge", asked);
  const { match } = await post(blue.page, "/api/answer_challenge", { id, accept: true });
  // At the same time, because the minute for the first move runs.
  await Promise.all(
    [red, blue].map(async (player) => {
      await player.page.goto(`/match/${match}`);
      await player.waitForHydration();
    }),
  );
  return match;
}

/** Makes a player present in a lobby, by loading its page. Returns the player's id. */
async function enterLobby(player: Player, game: string): Promise<number> {
  const id = await player.account();
  await player.page.request.get(`/play?game=${game}`);
  return id;
}

/** Plays a rated match through the API alone, in which both make a move and the loser resigns. Returns the id of the match. */
export async function winThroughApi(winner: Player, loser: Player, setup: Setup, game = "dots"): Promise<number> {
  const ids = await Promise.all([winner, loser].map((player) => enterLobby(player, game)));
  const asked = { opponent: ids[1], game, setup: JSON.stringify(setup), clock: "none" };
  const { id } = await post(winner.page, "/api/challenge", asked);
  const { match: match_id } = await post(loser.page, "/api/answer_challenge", { id, accept: true });
  await post(winner.page, "/api/move", { match_id, mv: "1,1" });
  await post(loser.page, "/api/move", { match_id, mv: "3,3" });
  await post(loser.page, "/api/resign", { match_id });
  return match_id;
}

/**
 * Both make their first move through the API, on points that exist on every board, and their pages show them. Until then a match can
 * only be aborted, and it is aborted when a first move takes a minute.
 */
export async function begin(red: Player, blue: Player): Promise<void> {
  await move(red, "0,4");
  await move(blue, "4,0");
  await Promise.all([red, blue].map((player) => player.waitForMoves(2)));
}

/** Clicks a button that calls the server, and waits for the answer: until then the page ignores another click of its kind. */
export async function press(button: Locator): Promise<void> {
  const answered = button.page().waitForResponse((answer) => new URL(answer.url()).pathname.startsWith("/api/"));
  await button.click();
  await answered;
}

/** Makes an offer that takes two presses: of a draw, or to finish by score. */
export async function offer(player: Player, name: "Offer draw" | "Finish by score"): Promise<void> {
  const details = player.page.locator("details", { hasText: name });
  // It stays open after an offer that was refused.
  if ((await details.getAttribute("open")) === null) await details.getByText(name, { exact: true }).click();
  await press(details.getByRole("button", { name: "Yes, offer" }));
}

/** Makes a move through the API. */
export async function move(player: Player, at: string): Promise<void> {
  const match_id = Number(player.page.url().split("/").at(-1));
  await post(player.page, "/api/move", { match_id, mv: at });
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- JSON as the server sends it.
async function post(page: Page, path: string, form: Record<string, string | number | boolean>): Promise<any> {
  const response = await page.request.post(path, { form });
  expect(response.status(), `${path}: ${await response.text()}`).toBe(200);
  return response.json();
}

/** A position in the viewport, in CSS pixels. */
export type Spot = { x: number; y: number };

/** The viewport position of a point of the board, whether rotated, zoomed or panned. */
export async function pointOnScreen(page: Page, x: number, y: number, board = "svg.board"): Promise<Spot> {
  return page.locator(board).evaluate(
    (board, [x, y]) => {
      const spot = new DOMPoint(10 * x, 10 * y).matrixTransform((board as unknown as SVGSVGElement).getScreenCTM()!);
      return { x: spot.x, y: spot.y };
    },
    [x, y],
  );
}

/**
 * Types in an input method for East Asian languages, which keeps the keys: 229 is all that the page hears of them. The last of them is the
 * Enter that takes what was composed.
 */
export async function compose(page: Page, text: string, committed = text): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const selection = { selectionStart: text.length, selectionEnd: text.length };
  await session.send("Input.imeSetComposition", { text, ...selection });
  const enter = { key: "Process", code: "Enter", windowsVirtualKeyCode: 229, nativeVirtualKeyCode: 229 };
  await session.send("Input.dispatchKeyEvent", { type: "rawKeyDown", ...enter });
  await session.send("Input.insertText", { text: committed });
  await session.send("Input.dispatchKeyEvent", { type: "keyUp", ...enter, key: "Enter" });
  await session.detach();
}

/** Expects that of the names of both players the first eight letters are seen, on a phone held upright. */
export async function expectEightLetters(page: Page): Promise<void> {
  const size = page.viewportSize()!;
  await page.setViewportSize({ width: 360, height: 740 });
  const cut = await page.locator(".seat .name").evaluateAll((names) =>
    names.map((name) => {
      const text = name.querySelector("bdi")!.firstChild as Text;
      const letters = document.createRange();
      letters.setStart(text, 0);
      letters.setEnd(text, Math.min(8, text.length));
      const right = letters.getBoundingClientRect().right - name.getBoundingClientRect().right;
      // An ellipsis covers the last letters that are there.
      if (name.scrollWidth <= name.clientWidth) return right;
      const pen = document.createElement("canvas").getContext("2d")!;
      pen.font = getComputedStyle(name).font;
      return right + pen.measureText("…").width;
    }),
  );
  expect(cut).toHaveLength(2);
  expect(Math.max(...cut)).toBeLessThanOrEqual(0.5);
  const cutParts = await page.locator(".seat :is(.rating, .aim, .guest)").evaluateAll((parts) =>
    parts.filter((part) => {
      const { right, bottom } = part.getBoundingClientRect();
      const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        // Words for screen readers have a pixel.
        if (text.parentElement!.closest(".hidden, .you")) continue;
        const drawn = document.createRange();
        drawn.selectNodeContents(text);
        if ([...drawn.getClientRects()].some((line) => line.top < bottom - 1 && line.right > right + 0.5)) return true;
      }
      return false;
    }).length,
  );
  expect(cutParts, "ratings, aims and marks are shown whole or not at all").toBe(0);
  await page.setViewportSize(size);
}

/** The distance of neighbouring points in the viewport. */
export async function pitch(page: Page): Promise<number> {
  const [one, other] = [await pointOnScreen(page, 0, 0), await pointOnScreen(page, 1, 0)];
  return Math.hypot(one.x - other.x, one.y - other.y);
}

/** Waits until the board does not move. */
export async function waitForAnimations(board: Locator): Promise<void> {
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

/** Touch input. */
export class Fingers {
  /** The time of the last tap, in seconds. */
  private last = 0;

  private constructor(private readonly session: CDPSession) {}

  static async on(page: Page): Promise<Fingers> {
    return new Fingers(await page.context().newCDPSession(page));
  }

  /**
   * Without waiting in between: a finger that stays for half a second makes a long press. Two taps are half a second apart by the times
   * that their events carry, unless they are to be a double tap.
   */
  async tap(at: Spot, sinceLast = 0.5): Promise<void> {
    const now = Date.now() / 1000;
    this.last = sinceLast < 0.5 ? this.last + sinceLast : Math.max(now, this.last + sinceLast);
    await Promise.all([this.send("touchStart", [at], this.last), this.send("touchEnd", [], this.last + 0.02)]);
  }

  /** Touches with one or more fingers, moves each along its path in small steps, and releases them. */
  async drag(ways: [Spot, Spot][], steps = 12): Promise<void> {
    const at = (step: number) =>
      ways.map(([from, to]) => ({
        x: from.x + ((to.x - from.x) * step) / steps,
        y: from.y + ((to.y - from.y) * step) / steps,
      }));
    // The fingers touch one after the other, and move before that is a long press.
    const begun = ways.map((_, finger) => this.send("touchStart", at(0).slice(0, finger + 1)));
    await Promise.all([...begun, this.send("touchMove", at(1))]);
    for (let step = 2; step <= steps; step += 1) await this.send("touchMove", at(step));
    await this.send("touchEnd", []);
  }

  private async send(type: "touchStart" | "touchMove" | "touchEnd", spots: Spot[], timestamp?: number): Promise<void> {
    const touchPoints = spots.map((spot, id) => ({ ...spot, id }));
    await this.session.send("Input.dispatchTouchEvent", { type, touchPoints, timestamp });
  }
}
