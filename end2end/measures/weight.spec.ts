/** The size of a first visit to a page, in compressed bytes from the real server. */
import type { Browser, BrowserContextOptions } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "../tests/fixtures";
import { openPageState, pageStates } from "../tests/page_states";
import type { TestData } from "../tests/test_data";

/**
 * The budget of a match's page in bytes, for a signed-in player or a visitor. The wish is 215,000 (docs/development.md has what
 * weighs more since).
 */
const budget = 220_000;

/** The files of the client. */
const client = "../target/site/pkg";

const icon = "/icon.svg";

type Fetched = { path: string; bytes: number };

/** A visitor fetches one language, of which each weighs something else. */
const languages = readdirSync("../locales").map((file) => file.replace(".json", ""));

/** A match of each game, and one that is watched. */
const matches = ["match-own-turn", "match-boxes", "match-gomoku", "match-reversi", "match-watched"];

for (const language of languages) {
  // The pages are the same in all languages but for the texts.
  for (const name of language === "en" ? matches : matches.slice(0, 1)) {
    test(`a first visit to a match fetches at most ${budget} B: ${name}, ${language}`, async ({ browser, data }) => {
      const fetched = await visit(name, browser, data, { locale: language });
      const paths = fetched.map(({ path }) => path);
      const texts = paths.filter((path) => path.startsWith("/texts/"));
      expect.soft(texts, "the texts of one language").toEqual([expect.stringContaining(`/texts/${language}.`)]);
      // The rules of all games are in the main file (see crates/pages/src/ui/islands/mod.rs), and no other code is fetched.
      const code = paths.filter((path) => path.endsWith(".wasm") || path.startsWith("/engines/"));
      expect.soft(code, "the main file alone").toEqual([expect.stringMatching(/^\/pkg\/tochki\.[^/]+\.wasm$/)]);
      expect(report(`${name}, ${language}`, fetched)).toBeLessThanOrEqual(budget);
    });
  }
}

/** Other pages; of most only the sum is told. docs/development.md keeps a table. */
const detailed = ["front", "login", "register", "lobby"];
const others = [
  "lobby-visitor", "table-visitor", "computer", "computer-game", "analysis-start", "analysis", "puzzles", "puzzle", "replay", "record",
  "rules-all", "rules", "standings", "profile", "history", "games", "notifications", "account", "keep", "recover", "mail-confirm",
  "mail-reset", "mail-unsubscribe", "keys", "programs", "tournaments", "tournament", "tournament-swiss", "tournament-new", "match-plan",
  "match-analysis-board", "match-seal",
];

test("what a first visit to other pages fetches", async ({ browser, data }) => {
  test.setTimeout(300_000);
  for (const name of detailed) report(name, await visit(name, browser, data));
  for (const name of others) {
    const fetched = await visit(name, browser, data);
    expect.soft(fetched.length, name).toBeGreaterThan(1);
    report(name, [], fetched.reduce((sum, { bytes }) => sum + bytes, 0));
  }
});

test("islands use only texts of their list", () => {
  const unlisted = new Set<string>();
  for (const file of readdirSync(client).filter((file) => file.endsWith(".wasm"))) {
    // `build.rs` puts the key where there is no text for the client.
    for (const [, key] of readFileSync(`${client}/${file}`, "latin1").matchAll(/\[text:(\w+\.\w+)\]/g)) {
      unlisted.add(key);
    }
  }
  expect([...unlisted].sort(), "add these keys to crates/pages/src/ui/text/islands.json, or to lazy_islands.json").toEqual([]);
});

/** Prints what was fetched, and returns the sum in bytes. */
function report(name: string, fetched: Fetched[], total = fetched.reduce((sum, { bytes }) => sum + bytes, 0)): number {
  for (const { path, bytes } of [...fetched, { path: `= ${name}`, bytes: total }]) {
    console.log(`${String(bytes).padStart(9)}  ${path}`);
  }
  return total;
}

/** Opens a page with an empty cache, and records all responses. */
async function visit(
  name: string,
  browser: Browser,
  data: TestData,
  options: BrowserContextOptions = {},
): Promise<Fetched[]> {
  const state = pageStates.find((state) => state.name === name)!;
  const pending = new Map<string, { path: string; head: number }>();
  const fetched: Fetched[] = [];
  const page = await openPageState(state, options, browser, data, async (page) => {
    const session = await page.context().newCDPSession(page);
    await session.send("Network.enable");
    session.on("Network.responseReceived", ({ requestId, response }) => {
      const { pathname } = new URL(response.url);
      // Visitors get compressed files.
      if (/\.(js|wasm|css)$/.test(pathname)) expect(response.headers["content-encoding"], pathname).toBe("br");
      // The stream of events never ends. Mostly a shared worker has it, of which this session does not hear.
      if (pathname !== "/events") pending.set(requestId, { path: pathname, head: response.encodedDataLength });
    });
    // The size of the body without the head.
    session.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const response = pending.get(requestId);
      pending.delete(requestId);
      // A browser may ask for the icon once more by itself.
      if (!response || (response.path === icon && fetched.some(({ path }) => path === icon))) return;
      fetched.push({ path: response.path, bytes: encodedDataLength - response.head });
    });
  });
  await expect.poll(() => pending.size, "all responses are finished").toBe(0);
  // Files that a browser with a window requests by itself.
  for (const path of [icon, "/manifest.webmanifest"]) {
    if (fetched.some((file) => file.path === path)) continue;
    const answer = await page.request.get(path);
    fetched.push({ path, bytes: Number(answer.headers()["content-length"]) });
  }
  await page.context().close();
  return fetched.sort((one, other) => other.bytes - one.bytes);
}
