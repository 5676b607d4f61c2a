/** The list of all pages in all their states, for screenshots and for the checks that every page has to pass. */
import { randomInt } from "node:crypto";
import { readdirSync } from "node:fs";
import { expect, type Browser, type BrowserContextOptions, type Page } from "@playwright/test";
import { dropSharedWorker } from "./fixtures";
import type { ApiUser, TestData } from "./test_data";

/** A page in a state. */
export type PageState = {
  /** The name in titles and files. */
  name: string;
  /** The URL. */
  path: (data: TestData) => string;
  /** The signed-in player; by default a visitor without an account sees the page. */
  user?: (data: TestData) => ApiUser | Promise<ApiUser>;
  /** Actions on the hydrated page that lead to the state. */
  prepare?: (page: Page, data: TestData, user?: ApiUser) => Promise<void>;
};

const others = ["boxes", "gomoku", "reversi"] as const;

const newcomer = (data: TestData) => data.createUser("Ида");
const host = (data: TestData) => data.host;
const first = (data: TestData) => data.players[0];
const second = (data: TestData) => data.players[1];
const uncounted = (data: TestData) => data.uncounted.player;
const operator = (data: TestData) => data.operator;
const running = (data: TestData) => `/match/${data.running}`;
const finished = (data: TestData) => `/match/${data.finished}`;

export const pageStates: PageState[] = [
  { name: "front", path: () => "/" },
  { name: "computer", path: () => "/computer/dots" },
  { name: "computer-game", path: () => "/computer/game?game=dots&board=20x20&level=1" },
  { name: "missing", path: () => "/nowhere" },
  { name: "login", path: () => "/login" },
  { name: "login-refused", path: () => "/login", prepare: failLogin },
  { name: "register", path: () => "/register" },
  { name: "register-refused", path: () => "/register", prepare: failRegistration },
  { name: "lobby-visitor", path: () => "/play" },
  { name: "lobby", path: () => "/play", user: host },
  { name: "lobby-choice", path: () => "/play?open=choice&board=20x12&clock=90+2", user: host },
  { name: "lobby-invalid", path: () => "/play?board=own&width=51&height=12&start=cross&min=x", user: host },
  { name: "lobby-filter", path: () => "/play?open=filter&min=1400&max=1900", user: host },
  { name: "lobby-filter-empty", path: () => "/play?open=filter&name=nobody", user: host },
  { name: "lobby-seeking", path: ownChoice, user: newcomer, prepare: seekQuickGame },
  { name: "lobby-challenged", path: () => "/play", user: newcomer, prepare: receiveChallenges },
  ...others.map((game) => ({
    name: `lobby-${game}`,
    path: () => `/play?game=${game}&open=choice&board=own`,
    user: host,
  })),
  { name: "table-creator", path: ({ open }) => open.own, user: (data) => data.open.creator },
  { name: "table-visitor", path: ({ open }) => open.own },
  { name: "table-refused", path: ({ open }) => open.own, prepare: useTakenName },
  { name: "table-guest", path: ({ open }) => open.full, user: (data) => data.open.guest },
  { name: "table-full", path: ({ open }) => open.full, user: (data) => data.open.host },
  { name: "table-closed", path: ({ open }) => open.closed },
  { name: "table-missing", path: () => "/t/0123456789" },
  { name: "keep", path: () => "/keep", user: (data) => data.open.guest },
  { name: "lobby-own-table", path: () => "/play", user: (data) => data.open.creator },
  { name: "account", path: () => "/account", user: host, prepare: openAccountDeletion },
  { name: "notifications", path: () => "/notifications", user: first },
  { name: "account-codes", path: () => "/account", user: newcomer, prepare: makeRecoveryCodes },
  { name: "mail-confirm", path: () => "/mail/confirm?token=unknown" },
  { name: "mail-confirmed", path: () => "/mail/confirm?done=yes" },
  { name: "mail-reset", path: () => "/mail/reset?token=unknown" },
  { name: "mail-unsubscribe", path: () => "/mail/unsubscribe/unknown" },
  { name: "mail-unsubscribed", path: () => "/mail/unsubscribe/done" },
  { name: "recover", path: () => "/recover" },
  { name: "games", path: () => "/games", user: first },
  { name: "match-own-turn", path: running, user: first },
  { name: "match-other-turn", path: running, user: second },
  { name: "match-watched", path: running },
  ...others.map((game) => ({
    name: `match-${game}`,
    path: (data: TestData) => `/match/${data.others[game].match}`,
    user: (data: TestData) => data.others[game].first,
  })),
  { name: "match-zoomed", path: running, user: first, prepare: zoomIn },
  { name: "match-colour-safe", path: running, user: second, prepare: setColourSafePalette },
  { name: "match-past", path: running, user: second, prepare: stepBack },
  { name: "match-chat", path: running, user: first, prepare: openChat },
  { name: "match-chat-watched", path: running, user: host, prepare: openChatMenu },
  { name: "match-lobby-chat", path: running, user: host, prepare: openLobbyChat },
  { name: "lobby-chat", path: () => "/play", user: host, prepare: openChatMenu },
  { name: "operator", path: () => "/operator", user: operator },
  { name: "operator-found", path: (data) => `/operator?find=${data.host.name}`, user: operator },
  { name: "operator-house", path: () => "/operator/house", user: operator },
  { name: "operator-rings", path: () => "/operator/rings", user: operator },
  { name: "match-offline", path: running, user: first, prepare: goOffline },
  { name: "match-seal", path: ({ adjourned }) => `/match/${adjourned.sealing}/seal`, user: ({ adjourned }) => adjourned.sealer },
  { name: "match-sealed", path: ({ adjourned }) => `/match/${adjourned.sealed}`, user: ({ adjourned }) => adjourned.awaited },
  { name: "match-plan", path: ({ slow }) => `/match/${slow.match}/plan`, user: ({ slow }) => slow.waiting },
  { name: "match-plan-refused", path: ({ slow }) => `/match/${slow.match}/plan`, user: ({ slow }) => slow.waiting, prepare: refusePlan },
  { name: "match-slow", path: ({ slow }) => `/match/${slow.match}`, user: ({ slow }) => slow.waiting },
  { name: "match-analysis-board", path: ({ slow }) => `/match/${slow.match}/analysis`, user: ({ slow }) => slow.waiting },
  { name: "match-night", path: ({ resting }) => `/match/${resting.night}`, user: ({ resting }) => resting.waking },
  { name: "match-vacation", path: ({ resting }) => `/match/${resting.vacation}`, user: ({ resting }) => resting.waking },
  { name: "games-asked", path: () => "/games", user: ({ slow }) => slow.waiting },
  { name: "games-vacation", path: () => "/games", user: ({ resting }) => resting.away },
  { name: "match-finished", path: finished, user: host },
  { name: "match-annulled", path: ({ uncounted }) => `/match/${uncounted.annulled}`, user: uncounted },
  { name: "match-aborted", path: ({ uncounted }) => `/match/${uncounted.aborted}`, user: uncounted },
  { name: "replay", path: (data) => `${finished(data)}/replay` },
  { name: "replay-past", path: (data) => `${finished(data)}/replay?ply=47` },
  { name: "record", path: () => "/sgf" },
  { name: "record-refused", path: () => "/sgf", prepare: uploadInvalidRecord },
  { name: "record-shown", path: () => "/sgf", prepare: uploadRecord },
  { name: "analysis-start", path: () => "/analysis/dots" },
  { name: "analysis", path: () => "/analysis?game=gomoku&moves=5,5_6,6(7,7_8,8)_9,9&at=4", prepare: showAnalysis },
  { name: "analysis-match", path: (data) => `${finished(data)}/analysis`, prepare: showAnalysis },
  { name: "puzzles", path: () => "/puzzles", user: host },
  { name: "puzzle", path: () => "/puzzle/1" },
  { name: "puzzle-wrong", path: () => "/puzzle/1?wrong=yes" },
  { name: "profile", path: (data) => `/@${data.host.name}` },
  { name: "profile-own", path: (data) => `/@${data.host.name}?game=boxes`, user: host },
  { name: "profile-other", path: (data) => `/@${data.players[0].name}`, user: host },
  { name: "profile-challenge", path: (data) => `/@${data.players[0].name}?game=gomoku&challenge=open`, user: host },
  { name: "profile-uncounted", path: ({ uncounted }) => `/@${uncounted.player.name}`, user: uncounted },
  { name: "profile-missing", path: () => "/@nobody-at-all" },
  { name: "standings", path: () => "/standings/dots", user: host },
  { name: "standings-empty", path: () => "/standings/reversi?page=9" },
  { name: "history", path: () => "/history", user: host },
  { name: "history-empty", path: () => "/history?game=dots&result=won&opponent=x", user: host },
  { name: "history-refused", path: () => "/history?page=0", user: host },
  { name: "tournaments", path: () => "/tournaments" },
  { name: "tournaments-empty", path: () => "/tournaments?game=reversi&state=finished&page=9" },
  { name: "tournament", path: ({ tournament }) => `/tournament/${tournament.open}` },
  { name: "tournament-entered", path: ({ tournament }) => `/tournament/${tournament.open}`, user: ({ tournament }) => tournament.player },
  { name: "tournament-managed", path: ({ tournament }) => `/tournament/${tournament.open}`, user: operator, prepare: openManagement },
  { name: "tournament-swiss", path: ({ tournament }) => `/tournament/${tournament.swiss}`, user: ({ tournament }) => tournament.player },
  { name: "tournament-reminder", path: ({ tournament }) => `/tournament/${tournament.open}`, user: newcomer, prepare: askForReminder },
  { name: "tournament-series", path: ({ tournament }) => `/tournament/${tournament.swiss}`, user: operator, prepare: openManagement },
  { name: "tournament-knockout", path: ({ knockout }) => `/tournament/${knockout.id}` },
  { name: "tournament-appointment", path: ({ appointment }) => `/tournament/${appointment.id}`, user: ({ appointment }) => appointment.player },
  { name: "tournament-choice", path: ({ knockout }) => `/tournament/${knockout.id}`, user: ({ knockout }) => knockout.finalist },
  { name: "tournament-new-swiss", path: () => "/tournaments/new?format=swiss&game=gomoku", user: host },
  { name: "tournament-new-knockout", path: () => "/tournaments/new?format=knockout&game=reversi", user: host },
  { name: "tournament-new-round-robin", path: () => "/tournaments/new?format=round_robin&game=boxes", user: host },
  { name: "tournament-new", path: () => "/tournaments/new?game=dots&board=20x20&clock=180%2B2&duration=45", user: host },
  { name: "tournament-refused", path: () => "/tournaments/new?game=boxes", user: host, prepare: sendInvalidTournament },
  { name: "leagues", path: () => "/leagues" },
  { name: "league", path: ({ league }) => `/league/${league}`, user: ({ tournament }) => tournament.player },
  { name: "keys", path: () => "/keys" },
  { name: "programs", path: () => "/programs" },
  { name: "rules-all", path: () => "/rules" },
  { name: "rules", path: () => "/rules/dots" },
  { name: "rules-after", path: () => "/rules/dots", prepare: showPositionsAfter },
  ...others.map((game) => ({ name: `rules-${game}`, path: () => `/rules/${game}` })),
  ...others.map((game) => ({ name: `rules-${game}-after`, path: () => `/rules/${game}`, prepare: showPositionsAfter })),
];

/**
 * The states of the fullest pages in the pseudo-language, which is longer, accented and mirrored
 * (`crates/pages/src/translations/pseudo.rs`).
 */
export const pseudoStates = inLanguage("en-XA", "pseudo", [
  "front", "lobby-choice", "match-own-turn", "account", "profile-own", "rules", "tournament", "tournament-new",
]);

/** The languages beside English, in which all other states are. */
export const languages = readdirSync("../locales").map((file) => file.replace(".json", "")).filter((language) => language !== "en");

/** The pages that everybody comes to, in all these languages. */
export const translatedStates = languages.flatMap((language) =>
  inLanguage(language, language, ["front", "lobby", "match-own-turn", "account"]),
);

/** These states in another language, without the actions, which know the English texts. */
function inLanguage(language: string, suffix: string, names: string[]): PageState[] {
  const states = pageStates.filter(({ name }) => names.includes(name));
  return states.map<PageState>(({ prepare: _, ...state }) => ({
    ...state,
    name: `${state.name}-${suffix}`,
    path: (data) => withLanguage(state.path(data), language),
  }));
}

function withLanguage(path: string, language: string): string {
  return `${path}${path.includes("?") ? "&" : "?"}lang=${language}`;
}

/** Viewports and colour schemes. */
export const devices = [
  { name: "desktop-light", viewport: { width: 1280, height: 800 }, colorScheme: "light" },
  { name: "desktop-dark", viewport: { width: 1280, height: 800 }, colorScheme: "dark" },
  { name: "phone-light", viewport: { width: 360, height: 740 }, colorScheme: "light", hasTouch: true },
  { name: "phone-dark", viewport: { width: 360, height: 740 }, colorScheme: "dark", hasTouch: true },
] as const satisfies readonly (BrowserContextOptions & { name: string })[];

/** Opens a page and brings it into its state. `beforeNavigation` gets the blank page. */
export async function openPageState(
  state: PageState,
  device: BrowserContextOptions,
  browser: Browser,
  data: TestData,
  beforeNavigation: (page: Page) => Promise<void> = async () => {},
): Promise<Page> {
  const { page, user } = await openBlank(state, device, browser, data);
  await beforeNavigation(page);
  await load(page, state.path(data));
  await state.prepare?.(page, data, user);
  return page;
}

/** Opens a blank page in a context of its own, in which the user of the state is signed in. */
export async function openBlank(
  state: PageState,
  options: BrowserContextOptions,
  browser: Browser,
  data: TestData,
): Promise<{ page: Page; user: ApiUser | undefined }> {
  const user = await state.user?.(data);
  const context = await browser.newContext({ reducedMotion: "reduce", ...options });
  await context.addCookies((await user?.cookies()) ?? []);
  const page = await context.newPage();
  if (state.prepare === goOffline) await page.addInitScript(dropSharedWorker);
  return { page, user };
}

/** Loads a page until all its islands are hydrated. */
export async function load(page: Page, url: string): Promise<void> {
  await page.goto(url, { waitUntil: "commit" });
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 90_000 });
}

async function failLogin(page: Page, data: TestData): Promise<void> {
  await page.getByLabel("Name").fill(data.host.name);
  await page.getByLabel("Password").fill("not the password");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByText("Wrong name or password. Try again.")).toBeVisible();
}

async function openManagement(page: Page): Promise<void> {
  await page.getByText("Manage").click();
  await expect(page.getByRole("button", { name: "Cancel tournament" })).toBeVisible();
}

async function askForReminder(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Remind me" }).click();
  await expect(page.getByText("You’ll get a reminder 10 min before the start.")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
}

async function sendInvalidTournament(page: Page): Promise<void> {
  await page.getByLabel("Name", { exact: true }).fill("ab");
  await page.getByLabel("Duration in minutes").fill("5");
  await page.getByRole("button", { name: "Create tournament" }).click();
  await expect(page.getByText("Correct the marked fields.")).toBeVisible();
}

async function failRegistration(page: Page): Promise<void> {
  await page.getByLabel("Name").fill("7");
  await page.getByLabel("Password").fill("short");
  await page.getByRole("button", { name: "Register" }).click();
  await expect(page.getByLabel("Password")).toHaveAttribute("aria-invalid", "true");
}

async function useTakenName(page: Page, data: TestData): Promise<void> {
  await page.getByLabel("Your name").fill(data.host.name);
  await page.getByRole("button", { name: "Join as guest" }).click();
  await expect(page.getByText("That name is taken.")).toBeVisible();
}

async function receiveChallenges(page: Page, data: TestData, user?: ApiUser): Promise<void> {
  for (const name of ["Björn", "Ольга"]) {
    const challenger = await data.createUser(name);
    await data.challenge(challenger, user!);
    await expect(page.getByText(`${challenger.name} (1600?) challenges you`)).toBeVisible();
  }
}

async function openAccountDeletion(page: Page): Promise<void> {
  await page.getByText("What gets deleted").click();
  await expect(page.getByRole("button", { name: "Delete permanently" })).toBeVisible();
}

async function makeRecoveryCodes(page: Page): Promise<void> {
  const codes = page.getByRole("region", { name: "Recovery codes" });
  await codes.getByLabel("Password").fill("a long enough password");
  await codes.getByRole("button", { name: "Create recovery codes" }).click();
  await expect(page.locator("#recovery-codes code")).toHaveCount(10);
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
}

async function zoomIn(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Last move" }).click();
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect(page.locator(".overview")).toBeVisible();
}

async function setColourSafePalette(page: Page): Promise<void> {
  await page.evaluate(() => document.documentElement.setAttribute("data-palette", "safe"));
}

async function stepBack(page: Page): Promise<void> {
  for (let step = 0; step < 3; step += 1) await page.getByRole("button", { name: "Previous move" }).click();
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

async function openLobbyChat(page: Page): Promise<void> {
  const tab = page.locator("#lobby-chat");
  await tab.locator("summary").first().click();
  await expect(tab.getByLabel("Message")).toBeVisible();
  await tab.scrollIntoViewIfNeeded();
}

async function uploadText(page: Page, sgf: string): Promise<void> {
  await page.getByLabel("Or paste its text").fill(sgf);
  await page.getByRole("button", { name: "Show game" }).click();
}

async function uploadInvalidRecord(page: Page): Promise<void> {
  await uploadText(page, "(;GM[40]PB[Anna];!)");
  await expect(page.getByText("SGF error in line 1")).toBeVisible();
}

/** A record with very long texts and an illegal move. */
async function uploadRecord(page: Page): Promise<void> {
  const head = `SZ[20]PB[${"Long ".repeat(30)}]PW[${"Владимир".repeat(9)}]BR[Grandmaster, 2022]DT[2016-03-13]RE[B+1]`;
  await uploadText(page, `(;GM[40]${head}C[A comment.\n\nIn parts.];B[fe];W[ff];B[ef];W[mm];B[gf];W[nn];B[fg];W[ff])`);
  await expect(page.getByText("The game stops before move 8.")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "");
}

/** Sends conditional moves that cannot be played. */
async function refusePlan(page: Page): Promise<void> {
  await page.getByRole("textbox", { name: "Lines of moves" }).fill("0,0 39,39");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator("#refused")).toBeVisible();
  await expect(page.locator("html")).toHaveAttribute("data-hydrated", "", { timeout: 90_000 });
}

async function showAnalysis(page: Page): Promise<void> {
  await expect(page.getByRole("application")).toBeVisible();
}

/** Switches every second example to the position after its move. */
async function showPositionsAfter(page: Page): Promise<void> {
  for (const chapter of await page.locator(".chapter > summary").all()) await chapter.click();
  const [moves, afters] = ["The move", "After"].map((name) => page.getByRole("radio", { name }));
  for (let rule = 0; rule < (await moves.count()); rule += 1) await (rule % 2 ? moves : afters).nth(rule).check();
}

async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true);
  await expect(page.getByText("Connection lost")).toBeVisible();
}

/** Settings that nobody else picks meanwhile, so that no opponent is found. */
function ownChoice(): string {
  return `/play?game=boxes&board=4x4&rated=no&clock=own&minutes=${randomInt(20, 180)}&increment=${randomInt(10, 60)}`;
}

/** Waits for a quick game long enough that something else is proposed. */
async function seekQuickGame(page: Page): Promise<void> {
  await page.clock.install();
  await page.getByRole("button", { name: "Quick game" }).click();
  await expect(page.getByText("Looking for an opponent")).toBeVisible();
  await page.clock.fastForward("00:21");
  await expect(page.getByText("No opponent yet")).toBeVisible();
  for (const name of ["Play by correspondence", "Keep waiting", "Cancel"]) {
    await expect(page.getByRole("button", { name, exact: true })).toBeVisible();
  }
  // The page has heard nothing in this time, and connects anew.
  await expect(page.getByText("Connection lost")).toBeHidden();
}
