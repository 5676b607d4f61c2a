/**
 * Every page in every state worth looking at. Whatever is asked of all pages (screenshots, axe, that nothing jumps) is
 * asked of this list: a new page is one more line here.
 */
import { expect, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import type { Actor, Stage } from "./stage";

/** A page in a state. */
export type Scene = {
  /** What it is called, also as a file. */
  name: string;
  /** Its address. */
  at: (stage: Stage) => string;
  /** Who looks at it; a visitor without an account, where nobody is named. */
  as?: (stage: Stage) => Actor | Promise<Actor>;
  /** What happens on it, once it is awake, to bring it into the state. */
  then?: (page: Page, stage: Stage, who?: Actor) => Promise<void>;
};

const others = ["boxes", "gomoku", "reversi"] as const;

const newcomer = (stage: Stage) => stage.actor("Ида");
const host = (stage: Stage) => stage.host;
const first = (stage: Stage) => stage.players[0];
const second = (stage: Stage) => stage.players[1];
const operator = (stage: Stage) => stage.operator;
const running = (stage: Stage) => `/match/${stage.running}`;
const finished = (stage: Stage) => `/match/${stage.finished}`;

export const scenes: Scene[] = [
  { name: "front", at: () => "/" },
  { name: "missing", at: () => "/nowhere" },
  { name: "login", at: () => "/login" },
  { name: "login-refused", at: () => "/login", then: signInWrongly },
  { name: "register", at: () => "/register" },
  { name: "register-refused", at: () => "/register", then: registerWrongly },
  { name: "waiting-room", at: () => "/play", as: host },
  { name: "waiting-room-choosing", at: () => "/play?open=choice&board=20x12&clock=90+2", as: host },
  { name: "waiting-room-mistaken", at: () => "/play?board=own&width=51&height=12&start=cross&min=x", as: host },
  { name: "waiting-room-filter", at: () => "/play?open=filter&min=1400&max=1900", as: host },
  { name: "waiting-room-nobody-fits", at: () => "/play?open=filter&name=nobody", as: host },
  { name: "waiting-room-challenged", at: () => "/play", as: newcomer, then: beChallenged },
  ...others.map((game) => ({
    name: `waiting-room-${game}`,
    at: () => `/play?game=${game}&open=choice&board=own`,
    as: host,
  })),
  { name: "open-table-creator", at: ({ open }) => open.own, as: (stage) => stage.open.creator },
  { name: "open-table-visitor", at: ({ open }) => open.own },
  { name: "open-table-refused", at: ({ open }) => open.own, then: takeANameOfSomebody },
  { name: "open-table-guest", at: ({ open }) => open.full, as: (stage) => stage.open.guest },
  { name: "open-table-full", at: ({ open }) => open.full, as: (stage) => stage.open.host },
  { name: "open-table-closed", at: ({ open }) => open.closed },
  { name: "open-table-missing", at: () => "/t/0123456789" },
  { name: "keep", at: () => "/keep", as: (stage) => stage.open.guest },
  { name: "waiting-room-own-table", at: () => "/play", as: (stage) => stage.open.creator },
  { name: "account", at: () => "/account", as: host, then: thinkOfLeaving },
  { name: "table-own-turn", at: running, as: first },
  { name: "table-other-turn", at: running, as: second },
  { name: "table-watched", at: running },
  ...others.map((game) => ({
    name: `table-${game}`,
    at: (stage: Stage) => `/match/${stage.others[game].match}`,
    as: (stage: Stage) => stage.others[game].first,
  })),
  { name: "table-zoomed", at: running, as: first, then: zoomIn },
  { name: "table-colour-safe", at: running, as: second, then: wearColours },
  { name: "table-past", at: running, as: second, then: stepBack },
  { name: "table-chat", at: running, as: first, then: openChat },
  { name: "table-chat-watched", at: running, as: host, then: openChatMenu },
  { name: "waiting-room-chat", at: () => "/play", as: host, then: openChatMenu },
  { name: "operator", at: () => "/operator", as: operator },
  { name: "operator-found", at: (stage) => `/operator?find=${stage.host.name}`, as: operator },
  { name: "table-lost-line", at: running, as: first, then: loseTheLine },
  { name: "table-finished", at: finished, as: host },
  { name: "replay", at: (stage) => `${finished(stage)}/replay` },
  { name: "replay-past", at: (stage) => `${finished(stage)}/replay?ply=47` },
  { name: "record", at: () => "/sgf" },
  { name: "record-refused", at: () => "/sgf", then: bringNonsense },
  { name: "record-shown", at: () => "/sgf", then: bringARecord },
  { name: "profile", at: (stage) => `/@${stage.host.name}` },
  { name: "profile-own", at: (stage) => `/@${stage.host.name}?game=boxes`, as: host },
  { name: "profile-other", at: (stage) => `/@${stage.players[0].name}`, as: host },
  { name: "profile-missing", at: () => "/@nobody-at-all" },
  { name: "standings", at: () => "/standings/dots", as: host },
  { name: "standings-empty", at: () => "/standings/reversi?page=9" },
  { name: "history", at: () => "/history", as: host },
  { name: "history-nothing-fits", at: () => "/history?game=dots&result=won&opponent=x", as: host },
  { name: "history-refused", at: () => "/history?page=0", as: host },
  { name: "rules-all", at: () => "/rules" },
  { name: "rules", at: () => "/rules/dots" },
  { name: "rules-after", at: () => "/rules/dots", then: seeWhatComes },
  ...others.map((game) => ({ name: `rules-${game}`, at: () => `/rules/${game}` })),
  ...others.map((game) => ({ name: `rules-${game}-after`, at: () => `/rules/${game}`, then: seeWhatComes })),
];

/** The sizes and the themes in which every page is looked at. */
export const looks = [
  { name: "desk-day", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "desk-night", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "phone-day", viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true },
  { name: "phone-night", viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true },
] as const satisfies readonly (BrowserContextOptions & { name: string })[];

/** Opens a scene, and comes back when it is as it should be. `prepare` sees the page before anything is on it. */
export async function open(
  scene: Scene,
  look: BrowserContextOptions,
  browser: Browser,
  stage: Stage,
  prepare: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
  const who = await scene.as?.(stage);
  const context = await browser.newContext({ reducedMotion: "reduce", ...look });
  await context.addCookies((await who?.cookies()) ?? []);
  const page = await context.newPage();
  await prepare(page);
  await page.goto(scene.at(stage), { waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-awake", "", { timeout: 30_000 });
  await scene.then?.(page, stage, who);
  return page;
}

async function signInWrongly(page: Page, stage: Stage): Promise<void> {
  await page.getByLabel("Name").fill(stage.host.name);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Name and password do not match.")).toBeVisible();
}

async function registerWrongly(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("7");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
}

async function takeANameOfSomebody(page: Page, stage: Stage): Promise<void> {
  await page.getByLabel("Your name here").fill(stage.host.name);
  await page.getByRole("button", { name: "Sit down as a guest" }).click();
  await expect(page.getByText("This name is taken.")).toBeVisible();
}

async function beChallenged(page: Page, stage: Stage, who?: Actor): Promise<void> {
  for (const name of ["Björn", "Ольга"]) {
    const stranger = await stage.actor(name);
    await stage.challenge(stranger, who!);
    await expect(page.getByText(`${stranger.name} (1600) challenges you`)).toBeVisible();
  }
}

async function thinkOfLeaving(page: Page): Promise<void> {
  await page.getByText("What deleting means").click();
  await expect(page.getByRole("button", { name: "Delete for good" })).toBeVisible();
}

async function zoomIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Last move" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.locator(".overview")).toBeVisible();
}

async function wearColours(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute("data-palette", "safe"));
}

async function stepBack(page: Page): Promise<void> {
  for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "One move back" }).click();
  await expect(page.getByRole("link", { name: "Back to the game" })).toBeVisible();
}

async function openChat(page: Page): Promise<void> {
  const toggle = page.getByRole("button", { name: "Chat" });
  if (await toggle.isVisible()) await toggle.click();
  await page.getByRole("log", { name: "Chat" }).scrollIntoViewIfNeeded();
}

async function openChatMenu(page: Page): Promise<void> {
  await openChat(page);
  await page.getByLabel("Mute or report").last().click();
}

async function bring(page: Page, sgf: string): Promise<void> {
  await page.getByLabel("Or its text").fill(sgf);
  await page.getByRole("button", { name: "Show the game" }).click();
}

async function bringNonsense(page: Page): Promise<void> {
  await bring(page, "(;GM[40]PB[Anna];!)");
  await expect(page.getByText("This SGF goes wrong in line 1")).toBeVisible();
}

/** One with names and words as nobody should have them, that breaks off at a move onto a dead dot. */
async function bringARecord(page: Page): Promise<void> {
  const head = `SZ[20]PB[${"Long ".repeat(30)}]PW[${"Владимир".repeat(9)}]BR[Grandmaster, 2022]DT[2016-03-13]RE[B+1]`;
  await bring(page, `(;GM[40]${head}C[A comment.\n\nIn parts.];B[fe];W[ff];B[ef];W[mm];B[gf];W[nn];B[fg];W[ff])`);
  await expect(page.getByText("The record ends before move 8.")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-awake", "");
}

/** Every second rule shows its move, the others what comes of it. */
async function seeWhatComes(page: Page): Promise<void> {
  const [moves, afters] = ["The move", "After"].map((name) => page.getByRole("radio", { name }));
  for (let rule = 0; rule < (await moves.count()); rule += 1) await (rule % 2 ? moves : afters).nth(rule).check();
}

async function loseTheLine(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.getByText("The connection is lost")).toBeVisible();
}
