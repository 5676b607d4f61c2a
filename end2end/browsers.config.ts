/** Runs the stories in `browsers/`: a game between Chromium and another engine, where that is installed. */
import { defineConfig } from "@playwright/test";
import stories, { installedChromium } from "./playwright.config";

export default defineConfig(stories, {
  testDir: "browsers",
  // Two browsers in each.
  workers: 1,
  use: { launchOptions: { ...stories.use?.launchOptions, executablePath: installedChromium } },
  timeout: 180_000,
  expect: { timeout: 30_000 },
});
