/** Firefox, driven over its built-in WebDriver BiDi. */
import { launch } from "puppeteer-core";
import { installed } from "../installed";
import { WINDOW, type Driver } from "./driver";

export const program = installed("firefox-esr", "firefox");

export async function open(): Promise<Driver> {
  const browser = await launch({
    browser: "firefox",
    protocol: "webDriverBiDi",
    executablePath: program!,
    headless: true,
    defaultViewport: WINDOW,
    // The Accept-Language header must not depend on the locale of the machine.
    extraPrefsFirefox: { "intl.accept_languages": "en" },
  });
  const page = await browser.newPage();
  return {
    goto: async (url) => void (await page.goto(url)),
    evaluate: (call, ...args) => page.evaluate(call as never, ...args) as never,
    moveTo: (x, y) => page.mouse.move(x, y),
    click: (x, y) => page.mouse.click(x, y),
    type: (text) => page.keyboard.type(text),
    close: () => browser.close(),
  };
}
