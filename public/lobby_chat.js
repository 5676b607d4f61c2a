// @ts-check
/**
 * The chat of the waiting rooms as a tab at a match. `chat.js` loads it when the tab is first opened. Its log, form and messages
 * about errors are copies of those of the match. It fetches the messages every few seconds while the tab is open and visible:
 * the event stream of the page is that of its match.
 */
const tab = /** @type {HTMLDetailsElement} */ (document.getElementById("lobby-chat"));
const chat = /** @type {HTMLElement} */ (document.getElementById("chat"));
const REFRESH_INTERVAL_MS = 4_000;

let hasBegun = false;

/** @typedef {{ messages: { id: number, removed?: boolean }[] }} History */
/**
 * Functions of `chat.js`.
 *
 * @typedef {{
 *   post: (form: HTMLFormElement, refusal: HTMLElement) => Promise<object | null>,
 *   render: (message: History["messages"][0]) => HTMLElement,
 *   readHistory: (place: string) => Promise<History | null>,
 * }} Shared
 * @type {Shared}
 */
let shared;

/** @param {ParentNode} root @param {string} selector @returns {any} */
const find = (root, selector) => root.querySelector(selector);

const list = document.createElement("ol");

/** The messages that are shown, as a text that tells whether others are the same. */
let content = "";

/** Shows messages, unless they are the same or a menu of one is open. @param {History} history */
const show = ({ messages }) => {
  const next = messages.map(({ id, removed }) => `${id} ${removed ?? false}`).join();
  if (next === content || find(list, "details[open]")) return;
  content = next;
  list.replaceChildren(
    ...messages.map((message) => {
      const item = shared.render(message);
      // The mark of those who do not write where the reader of the match does.
      find(item, ".other-chat")?.remove();
      return item;
    }),
  );
};

/** The number of the last request, and that of the one which is shown: an earlier one may be answered later. */
let [requests, shown] = [0, 0];

const refresh = async () => {
  if (!tab.open || document.hidden) return;
  requests += 1;
  const number = requests;
  const history = await shared.readHistory("lobby");
  if (!history || number < shown) return;
  shown = number;
  show(history);
};

/**
 * Sends a form of the tab: a message, or what the menu of a message has.
 *
 * @param {HTMLFormElement} form @param {HTMLElement} refusal @param {HTMLElement} status
 */
const submitted = async (form, refusal, status) => {
  const done = await shared.post(form, refusal);
  status.textContent = done && form.classList.contains("report") ? (status.dataset.reported ?? "") : "";
  if (!done) return;
  const menu = form.closest("details");
  if (menu && menu !== tab) menu.open = false;
  if (form.classList.contains("say")) find(form, "[name=text]").value = "";
  await refresh();
};

/** Puts log, form and messages about errors into the tab. */
const build = () => {
  const log = find(chat, ".chat-log").cloneNode(false);
  log.removeAttribute("aria-labelledby");
  log.setAttribute("aria-label", find(tab, "summary").textContent);
  log.append(list);
  const [refusal, status] = [".chat-refusal", ".chat-status"].map((part) => find(chat, part).cloneNode(false));
  const form = find(chat, "form.say").cloneNode(true);
  find(form, "[name=place]").value = "lobby";
  const field = find(form, "[name=text]");
  field.value = "";
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

/** Fills the tab the first time. `chat.js` calls it whenever the tab is opened or closed. @param {Shared} functions */
export const begin = async (functions) => {
  if (hasBegun) return;
  hasBegun = true;
  shared = functions;
  build();
  await refresh();
  setInterval(refresh, REFRESH_INTERVAL_MS);
  tab.addEventListener("toggle", refresh);
};
