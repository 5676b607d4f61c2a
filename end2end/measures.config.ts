/**
 * What is looked at and measured rather than told as a story: weight, screenshots, Lighthouse. By itself, because what
 * happens beside it would disturb it.
 */
import { defineConfig } from "@playwright/test";
import stories, { installedChromium } from "./playwright.config";

export default defineConfig(stories, {
  testDir: "measures",
  workers: 1,
  use: { launchOptions: { ...stories.use?.launchOptions, executablePath: installedChromium } },
  timeout: 300_000,
});
