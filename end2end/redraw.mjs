// Measures how long a table with a thousand dots takes from hearing of a move to the frame that shows it.
//
//   node end2end/redraw.mjs [address]      against a server with REQUESTS_BY_ADDRESS=100000, http://127.0.0.1:3000 if none
//
// Two players fill the board through the API while one of them looks; the last moves are measured. The browser runs
// without a frame rate, so that what is measured is work and not waiting for the screen. It reports and judges nothing.
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { randomBytes } from "node:crypto";
import { chromium } from "@playwright/test";

const address = process.argv[2] ?? "http://127.0.0.1:3000";
const [DOTS, MEASURED] = [1000, 60];

const chromiums = (process.env.PATH ?? "").split(delimiter).map((folder) => join(folder, "chromium"));
const browser = await chromium.launch({
  executablePath: chromiums.find(existsSync),
  args: ["--no-sandbox", "--disable-gpu", "--disable-frame-rate-limit", "--disable-gpu-vsync"],
});

/** Somebody with an account, waiting for a game. */
async function player(called) {
  const context = await browser.newContext({ baseURL: address, viewport: { width: 1280, height: 800 } });
  const post = async (path, form) => {
    const response = await context.request.post(path, { form });
    if (!response.ok()) throw new Error(`${path}: ${response.status()} ${await response.text()}`);
    return response.json();
  };
  const name = `${called}-${randomBytes(4).toString("hex")}`;
  const { id } = await post("/api/register", { name, password: "a long enough password" });
  await context.request.get("/play?game=dots");
  return { context, post, id };
}

/** From the event of the stream to the end of the frame that shows it: script, style, layout and paint. */
function watchFrames() {
  window.redraws = [];
  const listen = EventSource.prototype.addEventListener;
  EventSource.prototype.addEventListener = function (name, listener, ...rest) {
    const timed = (event) => {
      const heard = performance.now();
      listener.call(this, event);
      // What the event has set going runs as microtasks, before any other task.
      let done;
      setTimeout(() => (done = performance.now()));
      requestAnimationFrame(() => {
        const framed = performance.now();
        // A message posted before a frame is painted is heard after it.
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => window.redraws.push([performance.now() - heard, (done ?? framed) - heard]);
        port2.postMessage(null);
      });
    };
    return listen.call(this, name, name === "moved" ? timed : listener, ...rest);
  };
}

const [red, blue] = [await player("red"), await player("blue")];
const { id } = await red.post("/api/challenge", { opponent: blue.id, game: "dots" });
const { match } = await blue.post("/api/answer_challenge", { id, accept: true });

// Everywhere by chance, but every time the same: so there are captures of all kinds.
const order = [];
for (let x = 0; x < 39; x += 1) for (let y = 0; y < 32; y += 1) order.push([x, y]);
let seed = 7;
const chance = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
for (let place = order.length - 1; place > 0; place -= 1) {
  const other = Math.floor(chance() * (place + 1));
  [order[place], order[other]] = [order[other], order[place]];
}
const mover = [red, blue];
let ply = 0;
async function play(upTo) {
  while (ply < upTo) {
    const point = order.pop();
    if (!point) throw new Error("the board is full");
    const form = { match_id: match, mv: point.join() };
    const response = await mover[ply % 2].context.request.post("/api/move", { form });
    // A point in a captured area is passed over.
    if (response.ok()) ply += 1;
    else if (response.status() !== 422 && response.status() !== 409) throw new Error(await response.text());
  }
}

async function measure(zoomed) {
  await page.goto(`/match/${match}`);
  await page.waitForSelector("html[data-awake]");
  if (zoomed) {
    await page.getByRole("button", { name: "Zoom in" }).click();
    await page.waitForSelector(".overview");
  }
  for (let move = 0; move < MEASURED; move += 1) {
    const before = await page.evaluate(() => window.redraws.length);
    await play(ply + 1);
    await page.waitForFunction((before) => window.redraws.length > before, before);
    // The dot has landed: the next move is measured by itself.
    await page.evaluate(() => Promise.all(document.getAnimations().map((animation) => animation.finished)));
  }
  const redraws = await page.evaluate(() => window.redraws);
  for (const [what, column] of [["event to frame", 0], ["of it script", 1]]) {
    const times = redraws.map((times) => times[column]).sort((one, other) => one - other);
    const [median, most] = [times[times.length >> 1], times.at(-1)].map((time) => `${time.toFixed(2)} ms`);
    console.log(`${zoomed ? "zoomed" : "whole "} ${what}: median ${median}, most ${most} (${times.length} moves)`);
  }
}

const page = await red.context.newPage();
await page.addInitScript(watchFrames);
await play(DOTS - MEASURED);
console.log(`${ply} dots on the table`);
await measure(false);
await measure(true);
await browser.close();
