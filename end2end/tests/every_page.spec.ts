/**
 * Every page in each of its states: nothing moves while it loads, in whatever order and however slowly its files arrive; it is accessible
 * (axe) and fits its window, on a phone in the dark scheme and on a desktop in the light one; and it starts though other scripts change
 * it. With a default font of 24 or 32 px, as people with weak eyes set it, no page is wider than a small phone, nor at 400 %.
 *
 * All of that is done in one window, and the last page that was loaded slowly is the one that is checked for accessibility.
 */
import type { Page } from "@playwright/test";
import type { Order } from "./delivery_proxy";
import { expectFit, expectNoOverhang, setFontSizes } from "./fit";
import { expect, test } from "./fixtures";
import { decorate, lack, remove, translate } from "./foreign_scripts";
import { devices, pageStates, pseudoStates, type PageState } from "./page_states";
import { type Device, Visit } from "./visit";

const deviceOf = (wanted: Device["name"]): Device => devices.find(({ name }) => name === wanted)!;
const [desktop, phone, darkPhone] = [deviceOf("desktop-light"), deviceOf("phone-light"), deviceOf("phone-dark")];

/**
 * The states whose page is loaded only in a state with actions after it. All other states with actions load as one without them does, and
 * layout shifts are those of a load.
 */
const loadedAlone = ["account", "match-chat-watched", "analysis", "analysis-match"];

/** Pages whose tools of a board take a second line when they appear. */
const moving = ["rules-pseudo", "match-own-turn-pseudo"];

/** Returns the loads in which nothing may move. */
function slowLoads(state: PageState): [Device, Order][] {
  // In the pseudo-language, on a phone and in one order: its lines are longer, so that more of them wrap.
  if (pseudoStates.includes(state)) return moving.includes(state.name) ? [] : [[phone, "first"]];
  if (state.prepare && !loadedAlone.includes(state.name)) return [];
  // On a phone everything stands below everything else, so there the other order is tried, too.
  return [[desktop, "first"], [phone, "first"], [phone, "last"]];
}

/** The name of a state without what the state is: the page, and for matches the game. */
const pageOf = ({ name }: PageState) => (name.startsWith("match") ? name : name.split("-")[0]);

/** A state of each page. */
const pages = pageStates
  .filter(({ prepare }) => !prepare)
  .filter((state, index, all) => all.findIndex((other) => pageOf(other) === pageOf(state)) === index);

for (const state of [...pageStates, ...pseudoStates]) {
  const loads = slowLoads(state);
  const isChanged = pageStates.includes(state);
  const isReduced = pages.includes(state);
  const checks = [loads.length > 0 && "no layout shift", "accessible", isChanged && "may be changed", isReduced && "may lack parts"];

  test(`${state.name}: ${checks.filter(Boolean).join(", ")}`, async ({ browser, data, baseURL }) => {
    // As many loads as six stories have.
    test.setTimeout(600_000);
    // A failure tells the title.
    const part = (check: string, device: Device, body: () => Promise<void>) => test.step(`${device.name}: ${check}`, body);

    let visit = await Visit.begin(state, browser, data);
    for (const [device, order] of loads) {
      await part(`no layout shift, files requested ${order} arrive first`, device, async () => {
        expect(await visit.loadSlowly(device, order, baseURL!)).toEqual([]);
      });
    }

    // First on the phone, because parts that are opened there are open on a desktop anyway, and not the reverse.
    await part("accessible", darkPhone, async () => {
      if (loads.length > 0) {
        await visit.page.emulateMedia({ colorScheme: darkPhone.colorScheme });
      } else {
        await visit.blank(darkPhone);
        await visit.load();
      }
      await visit.prepare();
      // Nobody else has changed the page, so nothing of it had to be restored.
      await expect(visit.page.locator("html")).not.toHaveAttribute("data-repaired");
      await expectFit(visit.page);
    });
    await part("larger fonts and 400 %", darkPhone, () => expectNoOverhangWhenLarger(visit));
    await part("accessible", desktop, async () => {
      await visit.session.send("Emulation.setTouchEmulationEnabled", { enabled: false });
      await visit.page.emulateMedia({ colorScheme: desktop.colorScheme });
      await visit.page.setViewportSize(desktop.viewport);
      await expectFit(visit.page);
    });

    if (isChanged) {
      await part("starts though it is translated and decorated", desktop, async () => {
        // Some actions cannot be undone in a window, such as a clock that was moved.
        if (state.prepare) {
          await visit.end();
          visit = await Visit.begin(state, browser, data);
        }
        await visit.blank(desktop, (page) => translate(page, "parsing"), decorate);
        await expectNoError(visit.page, async () => {
          await visit.load();
          await visit.prepare();
          await expect(fallback(visit.page)).toBeHidden();
        });
      });
    }
    if (isReduced) {
      await part("starts though parts of it are removed", desktop, async () => {
        await visit.blank(desktop, (page) => remove(page, 7));
        await visit.load();
        await expect(fallback(visit.page)).toBeHidden();
      });
      await part("is a page without scripts where the browser lacks what it needs", desktop, async () => {
        await visit.blank(desktop, (page) => lack(page, "WebAssembly", "SharedWorker", "storage"));
        await expectNoError(visit.page, async () => {
          await visit.page.goto(visit.path);
          await expect(fallback(visit.page)).toBeVisible();
          await expect(fallback(visit.page)).toContainText("This page could not start fully.");
        });
      });
    }
    await visit.end();
  });
}

/** The line that says that a page is one without scripts. */
const fallback = (page: Page) => page.locator("#fallback");

/** Expects that nothing is wider than a small phone with the fonts of people with weak eyes, and on a desktop at 400 %. */
async function expectNoOverhangWhenLarger({ page, session }: Visit): Promise<void> {
  for (const fontSizes of [{ standard: 24, fixed: 20 }, { standard: 32, fixed: 26 }]) {
    await setFontSizes(page, session, fontSizes);
    await expectNoOverhang(page);
  }
  await setFontSizes(page, session, { standard: 16, fixed: 13 });
  // A desktop of 1,280 px at 400 %.
  await page.setViewportSize({ width: 320, height: 256 });
  await expectNoOverhang(page);
}

/** Expects that no error is thrown in the page meanwhile. */
async function expectNoError(page: Page, body: () => Promise<void>): Promise<void> {
  const errors: string[] = [];
  const note = ({ message }: Error) => errors.push(message);
  page.on("pageerror", note);
  await body();
  page.off("pageerror", note);
  expect(errors).toEqual([]);
}
