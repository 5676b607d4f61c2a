/** Automated accessibility checks (axe) of the frame for other sites and in forced colours, and no sideways scrolling in any language. */
import { expectNoOverhang } from "./fit";
import { expect, expectAccessible, test } from "./fixtures";
import { devices, translatedStates } from "./page_states";

// This page has no scripts, so it is no state of a page that hydrates.
test("no accessibility violations in the frame for other sites", async ({ page, data }) => {
  for (const match of [data.running, data.finished]) {
    await page.goto(`/embed/match/${match}`);
    await expectAccessible(page);
  }
});

const [desktop, phone] = ["desktop-light", "phone-dark"].map((wanted) => devices.find(({ name }) => name === wanted)!);

// The markup is that of the English pages, so one page goes through all of them, and nothing waits for their code.
test("no sideways scrolling in any language", async ({ browser, data }) => {
  test.setTimeout(240_000);
  const { viewport } = phone;
  const context = await browser.newContext({ viewport, reducedMotion: "reduce" });
  const page = await context.newPage();
  for (const state of translatedStates) {
    await test.step(state.name, async () => {
      const user = await state.user?.(data);
      // A page whose session ends reloads itself.
      await page.goto("about:blank");
      await context.clearCookies();
      await context.addCookies((await user?.cookies()) ?? []);
      await page.goto(state.path(data));
      for (const size of [viewport, desktop.viewport]) {
        await page.setViewportSize(size);
        await expectNoOverhang(page);
      }
      // Names of the usual length are whole beside the longest word on a button.
      await page.setViewportSize(viewport);
      const cut = await page.locator(".players .name").evaluateAll((names) => {
        const isCut = (name: Element) => name.scrollWidth > name.clientWidth;
        return names.filter(isCut).map((name) => name.textContent!).filter((name) => name.length <= 14);
      });
      expect(cut.filter((name) => /^[\p{L}]+-\d+$/u.test(name))).toEqual([]);
      // On a tablet the list has another column beside it, which covers nothing of it.
      await page.setViewportSize({ width: 768, height: 1024 });
      const beyond = await page.locator(".players table").evaluateAll((tables) => {
        const end = (element: Element) => element.getBoundingClientRect().right;
        return tables.map((table) => Math.round(end(table) - end(table.parentElement!)));
      });
      expect(beyond.filter((width) => width > 0)).toEqual([]);
    });
  }
  await context.close();
});

// The colours are those of the system, so what a colour has told is told in another way.
test("in forced colours pages are accessible, and sides and turns are told apart", async ({ browser, data }) => {
  const context = await browser.newContext({ viewport: desktop.viewport, forcedColors: "active", reducedMotion: "reduce" });
  const page = await context.newPage();
  const colour = (selector: string, name: "fill" | "borderInlineStartColor") =>
    page.locator(selector).first().evaluate((part, name) => getComputedStyle(part)[name], name);
  for (const path of ["/", "/play", `/match/${data.running}`]) {
    await page.goto(path);
    await expectAccessible(page);
  }
  expect(await colour(".board .dot.red", "fill")).not.toBe(await colour(".board .dot.blue", "fill"));
  const edge = "borderInlineStartColor";
  expect(await colour(".seat.to-move", edge)).not.toBe(await colour(".seat:not(.to-move)", edge));
  await context.close();
});
