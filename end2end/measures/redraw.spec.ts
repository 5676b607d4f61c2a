/**
 * The time of a board with a thousand dots from receiving a move to the frame that shows it: script, style, layout and
 * paint. The test only reports, because the times depend on the machine.
 *
 * The report has the CPU time of the page's main thread, and the elapsed time, which also depends on the load of the machine.
 */
import { chromium } from "@playwright/test";
import { expect, test } from "../tests/fixtures";
import type { ApiUser } from "../tests/test_data";

const [dots, measured] = [1000, 60];

test("a move on a board with a thousand dots", async ({ data, launchOptions, baseURL }) => {
  const players = [await data.createUser("Red"), await data.createUser("Blue")];
  const match_id = await data.playDots(players[0], players[1], 0);
  for (const player of players) await player.openStream(`/events/match/${match_id}`);
  const played = new Moves(match_id, players);
  await played.upTo(dots - measured);

  // Without a fixed frame rate the browser draws at once, so waiting for the next frame is not measured.
  const args = [...launchOptions.args!, "--disable-frame-rate-limit", "--disable-gpu-vsync"];
  const browser = await chromium.launch({ ...launchOptions, args });
  for (const zoomed of [false, true]) {
    const page = await browser.newPage({ baseURL, viewport: { width: 1280, height: 800 } });
    await page.addInitScript(watchFrames);
    await page.goto(`/match/${match_id}`);
    await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 30_000 });
    if (zoomed) {
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect(page.locator(".overview")).toBeVisible();
    }
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    for (let move = 1; move <= measured; move += 1) {
      const shown = page.waitForEvent("console", (message) => message.text() === "shown");
      await played.upTo(played.ply + 1);
      await shown;
      // Wait for animations, so that moves do not overlap.
      await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    }
    const { work, passed } = times(await browser.stopTracing());
    const view = zoomed ? "a part of the board" : "the whole board";
    console.log(`${played.ply} dots, ${view}: work ${summed(work)}; by the clock ${summed(passed)}`);
    await page.close();
  }
  await browser.close();
});

/** Pseudorandom moves over the whole board, the same each time, with captures of all kinds. */
class Moves {
  ply = 0;
  private readonly points: string[] = [];

  constructor(
    private readonly match_id: number,
    private readonly players: ApiUser[],
  ) {
    for (let x = 0; x < 39; x += 1) for (let y = 0; y < 32; y += 1) this.points.push(`${x},${y}`);
    let seed = 7;
    for (let place = this.points.length - 1; place > 0; place -= 1) {
      seed = (seed * 48_271) % 2_147_483_647;
      const other = seed % (place + 1);
      [this.points[place], this.points[other]] = [this.points[other], this.points[place]];
    }
  }

  async upTo(ply: number): Promise<void> {
    while (this.ply < ply) {
      const mv = this.points.pop();
      if (!mv) throw new Error(`the board is full after ${this.ply} moves`);
      const move = this.players[this.ply % 2].call("move", { match_id: this.match_id, mv });
      // Points in captured areas are skipped.
      const made = await move.then(
        () => true,
        (refused: Error) => {
          if (!refused.message.includes("illegal")) throw refused;
          return false;
        },
      );
      if (made) this.ply += 1;
    }
  }
}

/** Marks each event of a move as it is received, and the end of the frame that shows it. */
function watchFrames(): void {
  // The stream of a page is a target of events, whose class a script defines.
  const listen = EventTarget.prototype.addEventListener as (name: string, ...listener: unknown[]) => void;
  EventTarget.prototype.addEventListener = function (this: EventTarget, name: string, listener: unknown, ...more: unknown[]) {
    const marked = (event: Event) => {
      console.timeStamp("received");
      (listener as (event: Event) => void).call(this, event);
      requestAnimationFrame(() => {
        // A message sent before a frame is painted is received after it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          console.timeStamp("shown");
          console.log("shown");
        };
        port2.postMessage(null);
      });
    };
    listen.call(this, name, name === "moved" ? marked : listener, ...more);
  } as typeof EventTarget.prototype.addEventListener;
}

type Mark = { name: string; ts: number; tts: number; args: { data: { message: string } } };

/** The milliseconds between each pair of marks: of the thread, and by the clock. */
function times(trace: Buffer): { work: number[]; passed: number[] } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Mark[] };
  const marks = traceEvents.filter(({ name }) => name === "TimeStamp").sort((one, other) => one.ts - other.ts);
  const [received, shown] = ["received", "shown"].map((word) => marks.filter(({ args }) => args.data.message === word));
  expect(shown).toHaveLength(received.length);
  return {
    work: received.map(({ tts }, move) => (shown[move].tts - tts) / 1000),
    passed: received.map(({ ts }, move) => (shown[move].ts - ts) / 1000),
  };
}

function summed(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `median ${sorted[sorted.length >> 1].toFixed(1)} ms, at most ${sorted.at(-1)!.toFixed(1)} ms`;
}
