// @ts-check
/**
 * The chat of the waiting rooms as a tab at a match. `chat.js` loads it when the tab is first opened. It takes the log and
 * the form from the page `/chat`, and takes the log again every few seconds while the tab is open and visible: a page has
 * one event stream, and that is the one of its match.
 */
const tab = /** @type {HTMLDetailsElement} */ (document.getElementById("lobby-chat"));
const REFRESH_INTERVAL_MS = 4_000;

let hasBegun = false;

/** Of `chat.js`, as the next one. @type {(form: HTMLFormElement, refusal: HTMLElement) => Promise<object | null>} */
let post;
/** @type {(root: Element) => void} */
let localize;

/** The chat of the page `/chat`, or null. */
const load = async () => {
  const response = await fetch("/chat").catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  return html === null ? null : new DOMParser().parseFromString(html, "text/html").getElementById("chat");
};

/** @param {ParentNode} root @param {string} selector @returns {any} */
const find = (root, selector) => root.querySelector(selector);

/** What tells whether the messages of a log are the same. @param {Element} log */
const contentOf = (log) => [...log.children].map((item) => `${item.id} ${item.className}`).join();

/** Takes the messages of a fresh chat, unless they are the same or a menu of one is open. @param {Element} fresh */
const show = (fresh) => {
  const [old, next] = [find(tab, "ol"), find(fresh, ".chat-log ol")];
  if (contentOf(old) === contentOf(next) || find(old, "details[open]")) return;
  localize(next);
  old.replaceWith(next);
};

/** The number of the last request, and that of the one which is shown: an earlier one may be answered later. */
let [requests, shown] = [0, 0];

const refresh = async () => {
  if (!tab.open || document.hidden) return;
  requests += 1;
  const number = requests;
  const fresh = await load();
  if (!fresh || number < shown) return;
  shown = number;
  show(fresh);
};

/**
 * Sends a form of the tab: a message, or what the menu of a message has.
 *
 * @param {HTMLFormElement} form @param {HTMLElement} refusal @param {HTMLElement} status
 */
const submitted = async (form, refusal, status) => {
  const done = await post(form, refusal);
  status.textContent = done && form.classList.contains("report") ? (status.dataset.reported ?? "") : "";
  if (!done) return;
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
    void submitted(/** @type {HTMLFormElement} */ (submit.target), refusal, status);
  });
};

/**
 * Fills the tab the first time. `chat.js` calls it whenever the tab is opened or closed.
 *
 * @param {typeof post} postOfChat @param {typeof localize} localizeOfChat
 */
export const begin = async (postOfChat, localizeOfChat) => {
  if (hasBegun) return;
  hasBegun = true;
  [post, localize] = [postOfChat, localizeOfChat];
  const chat = await load();
  if (!chat) return;
  build(chat);
  setInterval(refresh, REFRESH_INTERVAL_MS);
  tab.addEventListener("toggle", refresh);
};
