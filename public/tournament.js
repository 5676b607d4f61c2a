// @ts-check
/**
 * The page of a tournament: calls a player who is paired to the board, counts the time down, writes the standings, and replaces the
 * parts that have changed.
 *
 * Thousands may look at it. The first ranks come with the event itself; whatever is fetched is fetched at a random moment, so that
 * not all pages ask at once, and only while the page is seen.
 */

export {}; // A module, so that its names are its own.

/**
 * A row of the standings.
 * @typedef {{ rank: number, player: { id: number, name: string, guest?: boolean, bot?: boolean }, score: number, fire: boolean,
 *   berserks?: number, tie_breaks?: number[], performance: number | null, paused: boolean }} Row
 */

/** An element of this page, which the server always renders. @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const page = /** @type {HTMLElement} */ (document.querySelector(".tournament"));
const { events = "", me, isLive } = page.dataset;
/** The state and the times that the page shows. */
let known = page.dataset.known;
const table = byId("standings-table");
const rows = byId("rows");
const myRow = byId("my-row");
const connectionLost = byId("connection-lost");
const words = byId("row-words").dataset;
/** The page of the standings, from 0. */
const shownPage = Number(table.dataset.page);
const READ_INTERVAL_MS = Number(table.dataset.interval);
/** The longest time before boards, games and the state are fetched again after they have changed, and what each player adds to it. */
const REFRESH_INTERVAL_MS = 30_000;
const REFRESH_INTERVAL_BY_PLAYER_MS = 150;
/** After how long the page is loaded again when the server has refused the stream: not all pages at the same moment. */
const RELOAD_DELAY_MS = 5_000;
const RELOAD_SPREAD_MS = 25_000;
/** The time for the sound and the notification before the page is left. */
const CALL_MS = 400;

let version = Number(table.dataset.version);
/** The number of players: with many players there are many readers, whose pages are not all to be rendered again at once. */
let playerCount = Number(table.dataset.players);

/** @param {string} tag @param {string} className @param {string} text */
const element = (tag, className, text) => {
  const made = document.createElement(tag);
  if (className) made.className = className;
  made.textContent = text;
  return made;
};

/** A number of points with the signs of fractions, as the server writes it. @param {number} value */
function withFraction(value) {
  const whole = Math.floor(value);
  const part = ["", "¼", "½", "¾"][Math.round((value - whole) * 4)];
  return whole === 0 && part ? part : `${whole}${part}`;
}

/** A row as the server renders it. @param {Row} row */
function drawRow({ rank, player, score, fire, berserks = 0, tie_breaks = [], performance, paused }) {
  const drawn = document.createElement("tr");
  if (String(player.id) === me) drawn.className = "me";
  const name = element("th", "", "");
  name.setAttribute("scope", "row");
  const link = /** @type {HTMLAnchorElement} */ (element("a", "name", ""));
  const isDeleted = player.name === words.nobody;
  if (!isDeleted) link.href = `/@${player.name}`;
  link.append(element("bdi", "", isDeleted ? (words.deleted ?? "") : player.name));
  name.append(link);
  const mark = player.bot ? words.bot : player.guest && words.guest;
  if (mark) name.append(" ", element("span", "guest", mark));
  if (paused) name.append(" ", element("span", "note", words.paused ?? ""));
  const points = element("td", "number", "");
  /** @type {(className: string, text: string, label: string) => void} */
  const addSign = (className, text, label) => {
    const sign = element("span", className, text);
    sign.setAttribute("role", "img");
    sign.setAttribute("aria-label", label);
    sign.title = label;
    points.append(sign, " ");
  };
  if (berserks > 0) addSign("berserks", `⚡\ufe0e${berserks}`, (words.berserks ?? "%").replace("%", String(berserks)));
  if (fire) addSign("fire", "×2", words.fire ?? "");
  points.append(withFraction(score));
  drawn.append(
    element("td", "number place", String(rank)),
    name,
    points,
    ...tie_breaks.map((value) => element("td", "number tie-break", withFraction(value))),
    element("td", "number performance", performance === null ? "" : String(performance)),
  );
  return drawn;
}

/** Writes a page of the standings. @param {Row[]} list @param {number} players */
function showRows(list, players) {
  playerCount = players;
  table.hidden = players === 0;
  if (players > 0) document.querySelector("#standings .empty")?.remove();
  rows.replaceChildren(...list.map(drawRow));
  if (list.some((row) => String(row.player.id) === me)) myRow.replaceChildren();
}

/** Whether the standings are about to be fetched, and whether the other parts are. */
let isReading = false;
let isRefreshing = false;
/** Whether that is left for the time when the page is seen again. */
let isReadingLeft = false;
let isRefreshingLeft = false;

/** Fetches the standings within the interval, once for all changes until then. */
function readSoon() {
  if (isReading) return;
  isReading = true;
  setTimeout(async () => {
    isReading = false;
    isReadingLeft = document.hidden;
    if (!document.hidden) await readStandings();
  }, Math.random() * READ_INTERVAL_MS);
}

/** @param {string} url */
const fetchJson = async (url) => {
  const response = await fetch(url, { headers: { accept: "application/json" } }).catch(() => null);
  return response?.ok ? await response.json().catch(() => null) : null;
};

async function readStandings() {
  const id = table.dataset.tournament;
  const answer = await fetchJson(`/api/tournament_standings?id=${id}&page=${shownPage}`);
  if (!answer || answer.version < version) return;
  version = answer.version;
  showRows(answer.rows, answer.players);
  if (!me || answer.rows.some((/** @type {Row} */ row) => String(row.player.id) === me)) return;
  const entry = await fetchJson(`/api/tournament_entry?id=${id}`);
  if (entry?.standing) myRow.replaceChildren(drawRow(entry.standing));
}

/** Fetches the page again within some time, and replaces the parts that have changed. */
function refreshSoon() {
  if (isRefreshing) return;
  isRefreshing = true;
  const within = REFRESH_INTERVAL_MS + REFRESH_INTERVAL_BY_PLAYER_MS * playerCount;
  setTimeout(async () => {
    isRefreshing = false;
    isRefreshingLeft = document.hidden;
    if (!document.hidden) await refresh();
  }, Math.random() * within);
}

async function refresh() {
  const response = await fetch(location.href, { headers: { accept: "text/html" } }).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  if (html === null) return;
  const fresh = new DOMParser().parseFromString(html, "text/html");
  takeTime(fresh);
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
    const now = fresh.getElementById(part.id);
    if (!now || now.dataset.live === part.dataset.live || isInUse(part)) continue;
    const isSummaryFocused = part.querySelector("summary") === document.activeElement;
    for (const details of now.querySelectorAll("details")) details.open = Boolean(part.querySelector("details")?.open);
    part.replaceChildren(...now.childNodes);
    part.dataset.live = now.dataset.live;
    if (isSummaryFocused) part.querySelector("summary")?.focus();
  }
  showLocalTimes();
  showTime();
}

/** What is being filled in or pressed stays. @param {HTMLElement} part */
function isInUse(part) {
  const { activeElement } = document;
  const isFilled = [...part.querySelectorAll("input")].some((field) => field.type === "password" && field.value !== "");
  return isFilled || (part.contains(activeElement) && activeElement?.tagName !== "SUMMARY");
}

/** The time of the server minus that of this browser. */
let offset = 0;
/** The time to which the page counts. */
let until = NaN;

/** Takes the time from a page that was rendered just now. @param {Document} page */
function takeTime(page) {
  const { now, until: end } = page.getElementById("time-left")?.dataset ?? {};
  if (now) offset = Number(now) - Date.now();
  until = end ? Number(end) : NaN;
}

function showTime() {
  const place = document.getElementById("time-left");
  if (!place || Number.isNaN(until)) return;
  const seconds = Math.max(0, Math.ceil((until - Date.now() - offset) / 1000));
  // Of days the words of the server say enough.
  if (seconds >= 86_400) return;
  const digits = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = digits[0] > 0 ? digits : digits.slice(1);
  const time = shown.map((number, at) => (at > 0 ? String(number).padStart(2, "0") : String(number))).join(":");
  const [state] = (known ?? "").split(" ");
  place.textContent = (place.dataset[state] ?? "%").replace("%", time);
}

/** Shows the times of games by appointment as those of the place. */
function showLocalTimes() {
  for (const time of /** @type {NodeListOf<HTMLTimeElement>} */ (document.querySelectorAll("#entry .appointment time, #games .byes time"))) {
    const at = new Date(time.dateTime);
    if (!Number.isNaN(at.getTime())) time.textContent = at.toLocaleString(document.documentElement.lang || undefined, { dateStyle: "medium", timeStyle: "short" });
  }
  for (const zone of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-own-time]"))) zone.textContent = zone.dataset.ownTime ?? "";
}

// A time is typed as that of the place: minutes ahead of UTC, which in summer are others.
document.addEventListener("submit", ({ target }) => {
  const { offset, time } = /** @type {any} */ (target).elements;
  if (offset && time) offset.value = String(-new Date(time.value).getTimezoneOffset());
});

/** Calls a player who may look elsewhere. @param {string | undefined} text */
function call(text) {
  document.dispatchEvent(new Event("sound:call"));
  if (document.hidden && typeof Notification !== "undefined" && Notification.permission === "granted") {
    // `waiting.js` shows it.
    const detail = ["tournament", document.title, text].join("\n");
    document.dispatchEvent(new CustomEvent("notification", { detail }));
  }
}

/** Leads a player to the board. @param {number} match */
function goToMatch(match) {
  call(page.dataset.called);
  setTimeout(() => location.assign(`/match/${match}`), CALL_MS);
}

/** Follows the tournament. */
function follow() {
  const stream = new TopicStream(events);
  /** @type {(name: string, handle: (data: any) => void) => void} */
  const on = (name, handle) =>
    stream.addEventListener(name, (event) => {
      connectionLost.hidden = true;
      handle(JSON.parse(/** @type {MessageEvent} */ (event).data));
    });
  stream.addEventListener("heartbeat", () => (connectionLost.hidden = true));
  on("snapshot", ({ state, starts_at, ends_at = 0, entries_closed, round = 0, rounds, round_at }) => {
    const now = [state, starts_at, ends_at, entries_closed, round, round_at ?? 0].join(" ");
    if (now === known) return;
    known = now;
    const next = round_at && !(rounds && round >= rounds) ? round_at : NaN;
    until = state === "open" ? starts_at : state === "running" ? ends_at || next : NaN;
    showTime();
    refreshSoon();
  });
  on("standings", (standings) => {
    if (standings.version <= version) return;
    if (shownPage === 0) {
      // The first rows are here already.
      const address = (/** @type {Element} */ row) => row.querySelector("a")?.getAttribute("href");
      const rest = [...rows.children].slice(standings.top.length);
      if (standings.top.length > 0) showRows(standings.top, standings.players);
      const shown = new Set([...rows.children].map(address));
      // Who has come up stands there once.
      rows.append(...rest.filter((row) => !address(row) || !shown.has(address(row))));
    }
    readSoon();
    refreshSoon();
  });
  for (const name of ["round", "finished"]) on(name, refreshSoon);
  stream.addEventListener("error", () => {
    connectionLost.hidden = false;
    // The stream reconnects by itself, unless the server has refused.
    if (stream.readyState === 2) setTimeout(() => location.reload(), RELOAD_DELAY_MS + Math.random() * RELOAD_SPREAD_MS);
  });
}

/** Waits for the calls to the board, and to the next round: this page, which is open, says that its player is here. */
function followOwn() {
  const stream = new TopicStream("me");
  /** @type {(event: Event) => any} */
  const read = (event) => JSON.parse(/** @type {MessageEvent} */ (event).data);
  stream.addEventListener("paired", (event) => goToMatch(read(event).match));
  // Who was paired before the stream was there, or while it was not. A running game that the page links to is known.
  stream.addEventListener("snapshot", async (event) => {
    if (read(event).matches.length === 0) return;
    const entry = await fetchJson(`/api/tournament_entry?id=${table.dataset.tournament}`);
    if (entry?.match && String(entry.match) !== page.dataset.match) goToMatch(entry.match);
  });
  stream.addEventListener("round_soon", (event) => {
    if (String(read(event).tournament) !== table.dataset.tournament) return;
    call(page.dataset.roundSoon);
    refresh();
  });
}

document.addEventListener("visibilitychange", () => {
  if (document.hidden) return;
  if (isReadingLeft) readSoon();
  if (isRefreshingLeft) refreshSoon();
  isReadingLeft = isRefreshingLeft = false;
});

if (isLive) setInterval(showTime, 1_000);
takeTime(document);
showTime();
showLocalTimes();
// Its script may not have loaded.
if (typeof TopicStream !== "undefined") {
  // Nothing changes any more once it is over.
  if (isLive) follow();
  if (me) followOwn();
}
