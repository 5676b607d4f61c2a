/**
 * Runs the browsers against one server with a database of its own. The projects:
 *
 * - `stories`: the stories of `tests/`, in Chromium;
 * - `weigh`: the bytes that a first visit to each page fetches;
 * - `browsers`: a game between Chromium and another engine, where that is installed;
 * - `measures`: what is looked at and measured rather than told: screenshots, times. With one worker, and by itself, because what
 *   happens beside it would disturb it.
 *
 * Browsers get the site of the release. The server is the one that the Rust tests have compiled, whose overflows and assertions
 * are checked; with `E2E_PROFILE=release` it is the release, which takes ten minutes longer to build.
 */
import { mkdtempSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig, type Project } from "@playwright/test";
import { installed } from "./installed";

const profile = process.env.E2E_PROFILE ?? "debug";

/** Ports other than those of a running development server: pages at 3000, the line protocol at 10000. */
const port = Number(process.env.E2E_PORT ?? "3100");
const [listen, lineListen] = [port, port + 7000].map((each) => `127.0.0.1:${each}`);
process.env.TOCHKI_E2E_LINE = lineListen;

/** Chromium as people have it. Without one, Playwright looks for the one it has downloaded itself. */
const installedChromium = installed("chromium", "chromium-browser", "google-chrome");

// Workers do not have the arguments.
if (process.argv.includes("--headed")) process.env.TOCHKI_E2E_HEADED = "yes";

/** Chromium without windows, which loads a page in less than half the time. */
const headlessShell = process.env.TOCHKI_E2E_HEADED ? undefined : installed("chromium-headless-shell");

/** A folder in memory if there is room for a database: on a busy disk a commit takes seconds. */
function temporaryFolder(): string {
  const memory = "/dev/shm";
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > 2e9 ? memory : tmpdir();
  } catch {
    return tmpdir();
  }
}

// Playwright reads this file in its own process and once more in every worker; the folder is made by the first.
if (!process.env.TOCHKI_E2E_DATA) {
  const data = mkdtempSync(join(temporaryFolder(), "tochki-e2e-"));
  process.env.TOCHKI_E2E_DATA = data;
  process.on("exit", () => rmSync(data, { recursive: true, force: true }));
}
// The tests bring their own database, and never touch the one a developer works with.
delete process.env.DATABASE_URL;

const launchOptions = {
  // Root cannot use the sandbox; the rest keeps the browser from asking the world for updates.
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
};
/** The browser as people have it. */
const usual: Project["use"] = {
  launchOptions: { ...launchOptions, executablePath: installedChromium },
  serviceWorkers: "allow",
};

export default defineConfig({
  projects: [
    { name: "weigh", testDir: "measures", testMatch: "weight.spec.ts", use: usual },
    // Two browsers in each.
    { name: "browsers", testDir: "browsers", use: usual, workers: 1, expect: { timeout: 30_000 } },
    { name: "stories", testDir: "tests" },
    { name: "measures", testDir: "measures", testIgnore: "weight.spec.ts", use: usual, workers: 1, timeout: 300_000 },
  ],
  forbidOnly: !!process.env.CI,
  fullyParallel: true,
  // Many stories wait for a time to pass.
  workers: 3,
  retries: 0,
  timeout: 180_000,
  // A busy machine takes a while to fetch and wake a page.
  expect: { timeout: 20_000 },
  reporter: "list",
  use: {
    baseURL: `http://${listen}`,
    // A trace has the answers to all requests, which take a tenth of the time: `--trace retain-on-failure` records it.
    trace: "off",
    screenshot: "only-on-failure",
    // A service worker fetches all files for use offline, in the background and in each new context: more than the story does.
    // Stories that need it allow it.
    serviceWorkers: "block",
    launchOptions: { ...launchOptions, executablePath: headlessShell ?? installedChromium },
  },
  webServer: {
    command: `target/${profile}/tochki serve`,
    cwd: "..",
    url: `http://${listen}/readyz`,
    reuseExistingServer: false,
    gracefulShutdown: { signal: "SIGTERM", timeout: 15_000 },
    stdout: "ignore",
    stderr: "pipe",
    env: {
      LISTEN: listen,
      LINE_LISTEN: lineListen,
      DATA_DIR: process.env.TOCHKI_E2E_DATA!,
      RUST_LOG: "warn",
      // Without one there are no pushes.
      CONTACT: "operator@tochki.example",
      // All players come from one address here, but those whose requests have another in a header.
      TRUST_PROXY: "1",
      SIGN_IN_BY_NAME: "100000",
      SIGN_IN_BY_ADDRESS: "100000",
      GUESSES_PER_DAY: "100000000",
      REGISTRATIONS_BY_ADDRESS: "100000",
      GUESTS_BY_ADDRESS: "100000",
      REQUESTS_BY_ADDRESS: "100000",
      PAGES_BY_ADDRESS: "100000",
      CONNECTIONS_BY_ADDRESS: "100000",
      STREAMS_BY_SESSION: "100000",
      STREAMS_BY_ADDRESS: "100000",
      MESSAGES_BY_ADDRESS: "100000",
      MOVES_PER_SECOND: "100000",
      BOT_GAMES_BY_ADDRESS: "100000",
      TABLES_BY_ADDRESS: "100000",
      // The same two players play many games here.
      CHALLENGE_PAUSE: "0",
      CHALLENGES_PER_MINUTE: "1000",
      CHALLENGES_FROM_ONE: "1000",
      // All players come from one address here, so a sanction of one would be for all.
      SANCTION_HOURS: "0",
      LEPTOS_OUTPUT_NAME: "tochki",
      LEPTOS_SITE_ROOT: "target/site",
      LEPTOS_HASH_FILES: "true",
      LEPTOS_HASH_FILE_NAME: "../release/hash.txt",
      LEPTOS_ENV: "PROD",
    },
  },
});
