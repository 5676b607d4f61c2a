// @ts-check
/**
 * The chat of the waiting rooms as a tab at a match. Loaded when the tab is first opened. It takes the log and
 * the form from the page `/chat`, and takes the log again every few seconds while the tab is open and visible: a page has
 * one event stream, and that is the one of its match.
 */
const tab = /** @type {HTMLDetailsElement} */ (document.getElementById("lobby-chat"));
const REFRESH_INTERVAL_MS = 4_000;

/** The chat of the page `/chat`, or null. */
const load = async () => {
  const response = await fetch("/chat").catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  return html === null ? null : new DOMParser().parseFromString(html, "text/html").getElementById("chat");
};

/** @param {ParentNode} root @param {string} selector @returns {any} */
const find = (root, selector) => root.querySelector(selector);

/** Shows times in the visitor's time zone; those of another day with the day. @param {ParentNode} root */
const localize = (root) => {
  const language = document.documentElement.lang;
  const [time, day] = [
    new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" }),
    new Intl.DateTimeFormat(language, { day: "numeric", month: "short" }),
  ];
  for (const element of root.querySelectorAll("time")) {
    const at = new Date(element.dateTime);
    const isToday = at.toDateString() === new Date().toDateString();
    element.textContent = isToday ? time.format(at) : `${day.format(at)} ${time.format(at)}`;
  }
};

/** What tells whether the messages of a log are the same. @param {Element} log */
const contentOf = (log) => [...log.children].map((item) => `${item.id} ${item.className}`).join();

/** Takes the messages of a fresh chat, unless they are the same or a menu of one is open. @param {Element} fresh */
const show = (fresh) => {
  const [old, next] = [find(tab, "ol"), find(fresh, ".chat-log ol")];
  if (contentOf(old) === contentOf(next) || find(old, "details[open]")) return;
  localize(next);
  old.replaceWith(next);
};

const refresh = async () => {
  if (!tab.open || document.hidden) return;
  const fresh = await load();
  if (fresh) show(fresh);
};

/**
 * Sends a form of the tab: a message, or what the menu of a message has.
 *
 * @param {HTMLFormElement} form @param {HTMLElement} refusal @param {HTMLElement} status
 */
const send = async (form, refusal, status) => {
  const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
  const headers = { accept: "application/json" };
  const response = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
  const answer = await response?.json().catch(() => null);
  refusal.textContent = response?.ok ? "" : (refusal.dataset[answer?.code] ?? refusal.dataset.other ?? "");
  status.textContent = response?.ok && form.classList.contains("report") ? (status.dataset.reported ?? "") : "";
  if (!response?.ok) return;
  const menu = form.closest("details");
  if (menu && menu !== tab) menu.open = false;
  if (form.classList.contains("say")) find(form, "[name=text]").value = "";
  await refresh();
};

/** Puts log, form and messages about errors into the tab. @param {Element} chat */
const build = (chat) => {
  const [log, form, refusal, status] = [".chat-log", "form.say", ".chat-refusal", ".chat-status"].map((part) => find(chat, part));
  localize(log);
  log.removeAttribute("aria-labelledby");
  log.setAttribute("aria-label", find(tab, "summary").textContent);
  const field = find(form, "[name=text]");
  field.id = "say-in-lobby";
  field.removeAttribute("aria-describedby");
  find(form, "label").htmlFor = field.id;
  find(form, ".say-left")?.remove();
  find(tab, "a")?.remove();
  tab.append(log, refusal, status, form);
  tab.addEventListener("submit", (submit) => {
    submit.preventDefault();
    void send(/** @type {HTMLFormElement} */ (submit.target), refusal, status);
  });
};

export {};

load().then((chat) => {
  if (!chat) return;
  build(chat);
  setInterval(refresh, REFRESH_INTERVAL_MS);
  tab.addEventListener("toggle", refresh);
});
