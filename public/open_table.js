/** An open table with scripts: the page follows its stream, its forms are sent without leaving it, the link is copied. */
const table = document.querySelector(".open-table");
const { events, me, come } = table.dataset;
const page = location.pathname;
const title = document.title;
const line = document.getElementById("line-lost");
let known = table.dataset.known;
/** Whether this page is about to be left by its own button. */
let leaving = false;

/** After how long a silence the page is looked at, in milliseconds. A line that died without a word is silent, too. */
const SILENCE = 20_000;
let heard = Date.now();

/** Fetches the page as it is now, and takes over the parts of it that have changed. */
async function refresh() {
  const answer = await fetch(page, { headers: { accept: "text/html" } }).catch(() => null);
  if (!answer?.ok) return;
  const now = new DOMParser().parseFromString(await answer.text(), "text/html");
  // It has begun, or is closed: that is another page.
  if (answer.redirected || !now.querySelector(".open-table")) return location.reload();
  for (const part of document.querySelectorAll("[data-live]")) {
    const fresh = now.getElementById(part.id);
    if (!fresh || fresh.dataset.live === part.dataset.live) continue;
    const focused = part.contains(document.activeElement) ? document.activeElement.id : null;
    part.replaceChildren(...fresh.childNodes);
    part.dataset.live = fresh.dataset.live;
    if (focused !== null) (document.getElementById(focused) ?? part.querySelector("button, a"))?.focus();
  }
}

const sitters = (text) => JSON.parse(text).seats.filter(Boolean).length;

function follow() {
  const stream = new EventSource(events);
  const hear = (name, then) =>
    stream.addEventListener(name, ({ data }) => {
      heard = Date.now();
      line.hidden = true;
      then(data);
    });
  hear("table", (data) => {
    if (data === known) return;
    if (come && sitters(data) > sitters(known)) tell();
    known = data;
    void refresh();
  });
  hear("table_closed", () => leaving || location.reload());
  hear("match_started", (data) => {
    const { match, players } = JSON.parse(data);
    if (players.some(({ id }) => String(id) === me)) location.assign(`/match/${match}`);
    else location.reload();
  });
  stream.addEventListener("error", () => {
    line.hidden = false;
    // A browser comes back by itself, unless the server has refused.
    if (stream.readyState === EventSource.CLOSED) setTimeout(() => location.reload(), 5_000);
  });
}

/** Tells whoever looks elsewhere that somebody has sat down. */
function tell() {
  document.dispatchEvent(new Event("sound:call"));
  if (document.hidden) document.title = `(1) ${come}`;
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden) document.title = title;
});

setInterval(() => {
  if (Date.now() - heard < SILENCE || document.hidden) return;
  heard = Date.now();
  void refresh();
}, 5_000);

table.addEventListener("submit", async (submit) => {
  const form = submit.target;
  if (!form.classList.contains("quick")) return;
  submit.preventDefault();
  const body = new URLSearchParams(new FormData(form));
  const next = body.get("next") ?? page;
  leaving = next !== page;
  const answer = await fetch(form.action, { method: "POST", body, headers: { accept: "application/json" } }).catch(() => null);
  if (!answer) return void (leaving = line.hidden = false);
  // The page that comes of sending it without scripts says why in words.
  if (!answer.ok) return form.submit();
  const done = await answer.json();
  if (done?.match) location.assign(`/match/${done.match}`);
  else if (leaving) location.assign(next);
  else await refresh();
});

const link = document.getElementById("link");
const copy = document.getElementById("copy");
const share = document.getElementById("share");

copy.addEventListener("click", async () => {
  const copied = document.getElementById("copied");
  copied.textContent = "";
  try {
    await navigator.clipboard.writeText(link.value);
    copied.textContent = copy.dataset.done;
  } catch {
    link.select();
    copied.textContent = copy.dataset.else;
  }
});
link.addEventListener("focus", () => link.select());

if (navigator.share) {
  share.classList.remove("unseen");
  // Whoever thinks better of it has not failed.
  share.addEventListener("click", () => navigator.share({ url: link.value }).catch(() => {}));
}

follow();
