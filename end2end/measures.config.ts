/**
 * What is looked at and measured rather than told as a story: weight, screenshots, Lighthouse. By itself, because what
 * happens beside it would disturb it.
 */
import { defineConfig } from "@playwright/test";
import stories from "./playwright.config";

export default defineConfig(stories, {
  testDir: "measures",
  workers: 1,
  timeout: 300_000,
});
