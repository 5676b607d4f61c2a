// @ts-check
/**
 * The chat of the waiting rooms as a tab at a match or a table. Loaded when the tab is first opened. It takes the log and
 * the form from the page `/chat`, and takes the log again every few seconds while the tab is open and visible: a page has
 * one event stream, and that is the one of its match.
 */
const tab = /** @type {HTMLDetailsElement} */ (document.getElementById("lobby-chat"));
const REFRESH_INTERVAL = 4000;

/** The chat of the page `/chat`, or null. */
const load = async () => {
  const response = await fetch("/chat").catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  return html === null ? null : new DOMParser().parseFromString(html, "text/html").getElementById("chat");
};

/** @param {ParentNode} root @param {string} selector @returns {any} */
const find = (root, selector) => root.querySelector(selector);

/** Shows times in the visitor's time zone. @param {ParentNode} root */
const localize = (root) => {
  const format = new Intl.DateTimeFormat(document.documentElement.lang, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  for (const time of root.querySelectorAll("time")) time.textContent = format.format(new Date(time.dateTime));
};

/** Takes the messages of a fresh chat, unless they are the same or a menu of one is open. @param {Element} fresh */
const show = (fresh) => {
  const [old, next] = [find(tab, "ol"), find(fresh, ".chat-log ol")];
  localize(next);
  if (old.lastElementChild?.id === next.lastElementChild?.id && old.querySelectorAll(".removed").length === next.querySelectorAll(".removed").length) return;
  if (!find(old, "details[open]")) old.replaceWith(next);
};

const refresh = async () => {
  if (!tab.open || document.hidden) return;
  const fresh = await load();
  if (fresh) show(fresh);
};

/** Puts log, form and messages about errors into the tab. @param {Element} chat */
const build = (chat) => {
  const [log, form, refusal] = [".chat-log", "form.say", ".chat-refusal"].map((part) => find(chat, part));
  localize(log);
  log.removeAttribute("aria-labelledby");
  log.setAttribute("aria-label", find(tab, "summary").textContent);
  const field = find(form, "[name=text]");
  field.id = "say-in-lobby";
  field.removeAttribute("aria-describedby");
  find(form, "label").htmlFor = field.id;
  find(form, ".say-left")?.remove();
  form.addEventListener("submit", async (/** @type {SubmitEvent} */ submit) => {
    submit.preventDefault();
    const body = new URLSearchParams(/** @type {[string, string][]} */ ([...new FormData(form)]));
    const headers = { accept: "application/json" };
    const response = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    const answer = await response?.json().catch(() => null);
    refusal.textContent = response?.ok ? "" : (refusal.dataset[answer?.code] ?? refusal.dataset.other ?? "");
    if (!response?.ok) return;
    field.value = "";
    await refresh();
  });
  find(tab, "a")?.remove();
  tab.append(log, refusal, form);
};

export {};

load().then((chat) => {
  if (!chat) return;
  build(chat);
  setInterval(refresh, REFRESH_INTERVAL);
  tab.addEventListener("toggle", refresh);
});
