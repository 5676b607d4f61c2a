/**
 * What a stranger waits for on the front page: the largest text, the code of the page, the first move that is drawn and the computer's
 * answer to it. The press comes as soon as the board is seen. On a phone four times slower than this machine with 1.6 Mbit/s: text
 * within 0.8 s, a move within 1.6 s; on a 4G line the answer within 2.5 s. The figures are reported, `FRONT_PAGE` may name another
 * server to compare with, whose front page may have no board.
 */
import { expect, test } from "../tests/fixtures";

type Times = { text: number; code: number; move: number; answer: number };

const lines = {
  "phone, 1.6 Mbit/s": { throughput: 1.6e6 / 8, latency: 150, slower: 4 },
  "4G, 9 Mbit/s": { throughput: 9e6 / 8, latency: 170, slower: 1 },
};

for (const [name, { throughput, latency, slower }] of Object.entries(lines)) {
  test(`the front page on a slow line: ${name}`, async ({ browser }) => {
    const context = await browser.newContext({ viewport: { width: 360, height: 740 }, isMobile: true });
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", {
      offline: false, downloadThroughput: throughput, uploadThroughput: throughput, latency,
    });
    await session.send("Emulation.setCPUThrottlingRate", { rate: slower });
    await page.addInitScript(note);
    const started = Date.now();
    await page.goto(process.env.FRONT_PAGE ?? "/", { waitUntil: "commit" });
    await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 60_000 });
    const hasBoard = (await page.locator(".own-game").count()) > 0;
    if (hasBoard) await page.waitForFunction(() => (window as unknown as { times: Times }).times.answer > 0);
    await page.waitForLoadState("load");
    const times = await page.evaluate(() => (window as unknown as { times: Times }).times);
    const told = Object.entries(times).map(([what, ms]) => `${what} ${Math.round(ms)}`);
    console.log(`${name}: ${told.join(", ")} ms (${Date.now() - started} in all)`);
    await context.close();
  });
}

/** In a page: notes the times, and presses a point of the board once it is painted. */
function note(): void {
  const times: Times = { text: 0, code: 0, move: 0, answer: 0 };
  (window as unknown as { times: Times }).times = times;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) times.text = entry.startTime;
  }).observe({ type: "largest-contentful-paint", buffered: true });
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
