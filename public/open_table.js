// @ts-check
/**
 * The page of an open table: follows the table's event stream, sends forms without leaving the page, copies the link.
 */

/** An element of this page, which the server always renders. @param {string} id */
const byId = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

const table = /** @type {HTMLElement} */ (document.querySelector(".open-table"));
/** `joinedTitle` is the title of a hidden page after somebody sits down; only the creator's page has one. */
const { events = "", me, joinedTitle } = table.dataset;
const page = location.pathname;
const title = document.title;
const connectionLost = byId("connection-lost");
/** The table of the last event, as JSON. */
let known = table.dataset.known ?? "";
/** Whether a form of this page is about to lead to another page. */
let leaving = false;

/** After how long without an event the page is fetched again, because the connection may be dead. */
const IDLE_TIMEOUT_MS = 20_000;
const IDLE_CHECK_INTERVAL_MS = 5_000;
/** After how long the page is loaded again when the server has refused the stream. */
const RELOAD_DELAY_MS = 5_000;
let lastEventAt = Date.now();

/** The page being fetched, and whether it has to be fetched once more: an answer may be older than what asks for the next. */
let refreshing = /** @type {Promise<void> | undefined} */ (undefined);
let isOutdated = false;

/** Fetches the page again, one at a time, until it has all that was known when this was called. */
function refresh() {
  isOutdated = refreshing !== undefined;
  refreshing ??= refreshUntilCurrent().finally(() => (refreshing = undefined));
  return refreshing;
}

async function refreshUntilCurrent() {
  do {
    isOutdated = false;
    await refreshOnce();
  } while (isOutdated);
}

/** Fetches the page again, and replaces the parts that have changed. */
async function refreshOnce() {
  const response = await fetch(page, { headers: { accept: "text/html" } }).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  if (html === null) return;
  const now = new DOMParser().parseFromString(html, "text/html");
  // The match has started, or the table is closed: the server sends another page.
  if (response?.redirected || !now.querySelector(".open-table")) return location.reload();
  showChat(now.getElementById("table-chat"));
  for (const part of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll("[data-live]"))) {
    const fresh = now.getElementById(part.id);
    if (!fresh || fresh.dataset.live === part.dataset.live) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement?.id : undefined;
    part.replaceChildren(...fresh.childNodes);
    part.dataset.live = fresh.dataset.live;
    if (focused === undefined) continue;
    const next = document.getElementById(focused) ?? part.querySelector("button, a");
    if (next instanceof HTMLElement) next.focus();
  }
}

/**
 * Shows the chat of a reader who has sat down, and hides that of one who has left the seat.
 *
 * @param {HTMLElement | null} fresh Its place on the page that was fetched: empty for whoever does not sit here.
 */
function showChat(fresh) {
  const place = document.getElementById("table-chat");
  if (!place || !fresh) return;
  place.hidden = fresh.firstElementChild === null;
  // Once it is here, its script keeps it up to date.
  if (place.hidden || place.firstElementChild) return;
  place.replaceChildren(...fresh.childNodes);
  // Scripts of a page that was fetched do not run.
  for (const script of place.querySelectorAll("script")) {
    const copy = document.createElement("script");
    copy.src = script.src;
    script.replaceWith(copy);
  }
}

/** Returns the seated player beside the reader. @param {string} json A table, as its events have it. */
const opponent = (json) => json && JSON.parse(json).seats.find((/** @type {any} */ seat) => seat && String(seat.id) !== me)?.id;

/** Returns the number of taken seats. @param {string} json A table, as its events have it. */
const countPlayers = (json) => JSON.parse(json).seats.filter(Boolean).length;

function follow() {
  // Its script may not have loaded. The page is fetched at times nevertheless.
  if (typeof TopicStream === "undefined") return;
  const stream = new TopicStream(events);
  /** @type {(name: string, handle: (data: string) => void) => void} */
  const on = (name, handle) =>
    stream.addEventListener(name, (event) => {
      hear();
      handle(/** @type {MessageEvent} */ (event).data);
    });
  const hear = () => {
    lastEventAt = Date.now();
    connectionLost.hidden = true;
  };
  stream.addEventListener("heartbeat", hear);
  on("table", (data) => {
    if (data === known) return;
    if (joinedTitle && countPlayers(data) > countPlayers(known)) alertCreator();
    // With another player there is another chat, of which the messages come after this event.
    if (opponent(data) !== opponent(known)) document.querySelector("#chat .chat-log ol")?.replaceChildren();
    known = data;
    void refresh();
  });
  // `chat.js` shows it.
  on("said", (data) => document.dispatchEvent(new CustomEvent("said", { detail: data })));
  // The server may be of another release than this page.
  on("release", (data) => {
    const { release, script } = byId("new-release").dataset;
    if (release && script && JSON.parse(data).release !== release) import(script);
  });
  // A game of the reader was annulled: the page says so.
  on("rating_corrected", () => void refresh());
  // The session has ended elsewhere: the page shows so when it is loaded again.
  on("signed_out", () => location.reload());
  on("table_closed", () => leaving || location.reload());
  on("match_started", (data) => {
    /** @type {{ match: number, players: { id: number }[] }} */
    const { match, players } = JSON.parse(data);
    if (players.some(({ id }) => String(id) === me)) location.assign(`/match/${match}`);
    else location.reload();
  });
  stream.addEventListener("error", () => {
    connectionLost.hidden = false;
    // The stream reconnects by itself, unless the server has refused.
    if (stream.readyState === 2) setTimeout(() => location.reload(), RELOAD_DELAY_MS);
  });
}

/** Notifies the creator that somebody has sat down. */
function alertCreator() {
  document.dispatchEvent(new Event("sound:call"));
  if (document.hidden) document.title = `(1) ${joinedTitle}`;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = title;
});

setInterval(() => {
  if (Date.now() - lastEventAt < IDLE_TIMEOUT_MS || document.hidden) return;
  lastEventAt = Date.now();
  void refresh();
}, IDLE_CHECK_INTERVAL_MS);

table.addEventListener("submit", async (submit) => {
  const form = /** @type {HTMLFormElement} */ (submit.target);
  if (!form.classList.contains("quick")) return;
  submit.preventDefault();
  const fields = new URLSearchParams(/** @type {any} */ (new FormData(form)));
  const next = fields.get("next") ?? page;
  leaving = next !== page;
  const { ok, answer } = await send(form.action, fields);
  if (ok === undefined) {
    leaving = connectionLost.hidden = false;
    return;
  }
  // The form is submitted again without scripts, and the resulting page shows the error.
  if (!ok) return form.submit();
  if (answer?.match) location.assign(`/match/${answer.match}`);
  else if (leaving) location.assign(next);
  else await refresh();
});

/** Lets the creator copy and share the link; nobody else's page has it. */
function offerLink() {
  const link = /** @type {HTMLInputElement} */ (byId("link"));
  const copy = byId("copy");
  const share = byId("share");
  copy.addEventListener("click", async () => {
    const copied = byId("copied");
    copied.textContent = "";
    try {
      await navigator.clipboard.writeText(link.value);
      copied.textContent = copy.dataset.done ?? "";
    } catch {
      link.select();
      copied.textContent = copy.dataset.else ?? "";
    }
  });
  link.addEventListener("focus", () => link.select());
  if (navigator.share === undefined) return;
  share.classList.remove("unseen");
  // A share that is cancelled is not an error.
  share.addEventListener("click", () => navigator.share({ url: link.value }).catch(() => {}));
}

if (document.getElementById("invite")) offerLink();
follow();
