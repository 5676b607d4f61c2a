/** How long a newcomer on a 4G line waits for the first answer of the computer, from the front page on. */
import { expect, test } from "../tests/fixtures";

/** 9 Mbit/s down, 1.5 Mbit/s up, a round trip of 170 ms: what the developer tools of Chromium call fast 4G. */
const line = { offline: false, downloadThroughput: (9e6 / 8), uploadThroughput: 1.5e6 / 8, latency: 170 };

test("the first answer of the computer on a 4G line", async ({ browser }) => {
  for (const game of ["dots", "boxes", "gomoku", "reversi"]) {
    const context = await browser.newContext();
    const page = await context.newPage();
    const session = await context.newCDPSession(page);
    await session.send("Network.enable");
    await session.send("Network.emulateNetworkConditions", line);
    const start = Date.now();
    const since: string[] = [];
    const note = (what: string) => since.push(`${what} ${Date.now() - start}`);
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
    note("answer");
    console.log(`${game}: ${since.join(", ")} ms`);
    await context.close();
  }
});
