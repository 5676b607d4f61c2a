/** The wait of a newcomer on a 4G line for the first answer of the computer, from the front page on: at most 3 s. */
import { expect, test } from "../tests/fixtures";

/** 9 Mbit/s down, 1.5 Mbit/s up, a round trip of 170 ms: what the developer tools of Chromium call fast 4G. */
const line = { offline: false, downloadThroughput: (9e6 / 8), uploadThroughput: 1.5e6 / 8, latency: 170 };

/** The longest wait, in milliseconds. */
const budget = 3000;

test("the first answer of the computer on a 4G line", async ({ browser }) => {
  const answers = new Map<string, number>();
  for (const game of ["dots", "boxes", "gomoku", "reversi"]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", line);
    const start = Date.now();
    const since: string[] = [];
    const note = (what: string) => {
      const passed = Date.now() - start;
      since.push(`${what} ${passed}`);
      return passed;
    };
    await page.goto("/", { waitUntil: "commit" });
    await page.getByRole("link", { name: "Play the computer" }).click();
    note("front");
    if (game !== "dots") await page.goto(`/computer/${game}`, { waitUntil: "commit" });
    await page.getByRole("radio", { name: "The computer" }).check();
    await page.getByRole("button", { name: "Play", exact: true }).click();
    note("setup");
    await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
    note("board");
    await expect(page.locator(".turn")).toHaveText(/Your move/, { timeout: 30_000 });
    answers.set(game, note("answer"));
    console.log(`${game}: ${since.join(", ")} ms`);
    await context.close();
  }
  for (const [game, answered] of answers) expect.soft(answered, game).toBeLessThanOrEqual(budget);
});
