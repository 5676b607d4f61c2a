/**
 * How long a table with a thousand dots takes from hearing of a move to the frame that shows it: script, style, layout
 * and paint. It reports and judges nothing, because how long is long depends on the machine.
 *
 * It tells two times: the work, which is what the page's thread has computed, and what has passed by the clock, in which
 * a busy machine also counts what others do.
 */
import { chromium } from "@playwright/test";
import { expect, test } from "../tests/fixtures";
import type { Actor } from "../tests/stage";

const [dots, measured] = [1000, 60];

test("a move on a table with a thousand dots", async ({ stage, launchOptions, baseURL }) => {
  const players = [await stage.actor("Red"), await stage.actor("Blue")];
  const match_id = await stage.play(players[0], players[1], 0);
  for (const player of players) await player.listen(`/events/match/${match_id}`);
  const played = new Moves(match_id, players);
  await played.upTo(dots - measured);

  // Without a frame rate the browser draws when there is something to draw: what is measured is work, and not waiting
  // for the screen.
  const args = [...launchOptions.args!, "--disable-frame-rate-limit", "--disable-gpu-vsync"];
  const browser = await chromium.launch({ ...launchOptions, args });
  for (const zoomed of [false, true]) {
    const page = await browser.newPage({ baseURL, viewport: { width: 1280, height: 800 } });
    await page.addInitScript(watchFrames);
    await page.goto(`/match/${match_id}`);
    await expect(page.locator("html")).toHaveAttribute("data-awake", "", { timeout: 30_000 });
    if (zoomed) {
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect(page.locator(".overview")).toBeVisible();
    }
    await browser.startTracing(page, { categories: ["devtools.timeline"] });
    for (let move = 1; move <= measured; move += 1) {
      const shown = page.waitForEvent("console", (message) => message.text() === "shown");
      await played.upTo(played.ply + 1);
      await shown;
      // What has landed moves no more: each move is measured by itself.
      await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
    }
    const { work, passed } = times(await browser.stopTracing());
    const view = zoomed ? "a part of the board" : "the whole board";
    console.log(`${played.ply} dots, ${view}: work ${summed(work)}; by the clock ${summed(passed)}`);
    await page.close();
  }
  await browser.close();
});

/** Moves everywhere by chance, but every time the same: so there are captures of all kinds. */
class Moves {
  ply = 0;
  private readonly points: string[] = [];

  constructor(
    private readonly match_id: number,
    private readonly players: Actor[],
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
      // What lies in a captured area by now is passed over.
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

/** Marks each event of a move as it is heard, and the end of the frame that shows it. */
function watchFrames(): void {
  const listen = EventSource.prototype.addEventListener as (name: string, listener: unknown) => void;
  EventSource.prototype.addEventListener = function (this: EventSource, name: string, listener: unknown) {
    const marked = (event: Event) => {
      console.timeStamp("heard");
      (listener as (event: Event) => void).call(this, event);
      requestAnimationFrame(() => {
        // A message sent before a frame is painted is heard after it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => {
          console.timeStamp("shown");
          console.log("shown");
        };
        port2.postMessage(null);
      });
    };
    listen.call(this, name, name === "moved" ? marked : listener);
  } as typeof EventSource.prototype.addEventListener;
}

type Mark = { name: string; ts: number; tts: number; args: { data: { message: string } } };

/** The milliseconds between each pair of marks: of the thread, and by the clock. */
function times(trace: Buffer): { work: number[]; passed: number[] } {
  const { traceEvents } = JSON.parse(trace.toString()) as { traceEvents: Mark[] };
  const marks = traceEvents.filter(({ name }) => name === "TimeStamp").sort((one, other) => one.ts - other.ts);
  const [heard, shown] = ["heard", "shown"].map((word) => marks.filter(({ args }) => args.data.message === word));
  expect(shown).toHaveLength(heard.length);
  return {
    work: heard.map(({ tts }, move) => (shown[move].tts - tts) / 1000),
    passed: heard.map(({ ts }, move) => (shown[move].ts - ts) / 1000),
  };
}

function summed(times: number[]): string {
  const sorted = times.toSorted((one, other) => one - other);
  return `median ${sorted[sorted.length >> 1].toFixed(1)} ms, at most ${sorted.at(-1)!.toFixed(1)} ms`;
}
