/**
 * What a stranger waits for on the front page: the largest text, the first move that is drawn and the computer's answer to it. The press
 * comes as soon as the board is seen. Prints the figures beside their budgets, and fails beyond one of them. `FRONT_PAGE` may name
 * another server to compare with, whose front page may have no board.
 */
import { expect, test } from "../tests/fixtures";

/** In milliseconds since the page was asked for; the first byte besides. */
type Times = { firstByte: number; text: number; code: number; move: number; answer: number };

const lines = {
  /** A phone four times slower than this machine. */
  phone: { name: "phone, 1.6 Mbit/s", throughput: 1.6e6 / 8, latency: 150, slower: 4 },
  fast: { name: "4G, 9 Mbit/s", throughput: 9e6 / 8, latency: 170, slower: 1 },
};

/** What is measured on a line, how it is taken from the times, and the most that it may be. */
const budgets: { line: keyof typeof lines; what: string; of: (times: Times) => number; most: number }[] = [
  { line: "phone", what: "largest text (LCP)", of: ({ text }) => text, most: 800 },
  { line: "phone", what: "a press is answered", of: ({ move }) => move, most: 1_600 },
  { line: "phone", what: "first move, from the first byte", of: ({ move, firstByte }) => move - firstByte, most: 3_000 },
  { line: "fast", what: "first answer of the computer", of: ({ answer }) => answer, most: 2_500 },
];

/** The median of so many visits counts: each has an empty cache. */
const VISITS = 3;

test("the front page on slow lines, within its budgets", async ({ browser }) => {
  const rows = [];
  for (const line of ["phone", "fast"] as const) {
    const { name, throughput, latency, slower } = lines[line];
    const visits: Times[] = [];
    for (let visit = 0; visit < VISITS; visit += 1) {
      const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true });
      const page = await context.newPage();
      const session = await context.newCDPSession(page);
      await session.send("Network.enable");
      await session.send("Network.emulateNetworkConditions", {
        offline: false, downloadThroughput: throughput, uploadThroughput: throughput, latency,
      });
      await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
      await page.addInitScript(note);
      await page.goto(process.env.FRONT_PAGE ?? "/", { waitUntil: "commit" });
      await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 60_000 });
      const hasBoard = (await page.locator(".own-game").count()) > 0;
      if (hasBoard) await page.waitForFunction(() => (window as unknown as { times: Times }).times.answer > 0);
      await page.waitForLoadState("load");
      visits.push(await page.evaluate(() => (window as unknown as { times: Times }).times));
      await context.close();
    }
    const median = (of: (times: Times) => number) => visits.map(of).sort((one, other) => one - other)[Math.floor(VISITS / 2)];
    for (const budget of budgets.filter((budget) => budget.line === line)) {
      rows.push({ line: name, what: budget.what, ms: Math.round(median(budget.of)), most: budget.most });
    }
  }
  const width = Math.max(...rows.map(({ what }) => what.length));
  for (const { line, what, ms, most } of rows) {
    console.log(`${line.padEnd(18)}  ${what.padEnd(width)}  ${String(ms).padStart(6)} ms of ${String(most).padStart(5)}  ${ms > most ? "beyond" : "ok"}`);
  }
  expect(rows.filter(({ ms, most }) => ms > most), "beyond its budget").toEqual([]);
});

/** In a page: notes the times, and presses a point of the board once it is painted. */
function note(): void {
  const times: Times = { firstByte: 0, text: 0, code: 0, move: 0, answer: 0 };
  (window as unknown as { times: Times }).times = times;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) times.text = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
  addEventListener("load", () => {
    const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
    times.firstByte = navigation.responseStart;
  });
  let isPressed = false;
  // By then the script that keeps a press has come.
  let isRead = false;
  document.addEventListener("DOMContentLoaded", () => (isRead = true));
  const look = () => {
    const now = performance.now();
    if (!times.code && "hydrated" in document.documentElement.dataset) times.code = now;
    const board = document.querySelector(".own-game svg.board") as SVGSVGElement | null;
    const count = (colour: string) => board?.querySelectorAll(`.dots .${colour}`).length ?? 0;
    if (!times.move && count("red") > 2) times.move = now;
    if (!times.answer && count("blue") > 2) times.answer = now;
    if (board && !isPressed && isRead) {
      isPressed = true;
      const { x, y } = new DOMPoint(30, 30).matrixTransform(board.getScreenCTM()!);
      board.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
    }
    requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}
