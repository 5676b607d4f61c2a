// @ts-check
/**
 * The chat: shows messages as they arrive and sends forms without a reload. It does not depend on the game, and never
 * treats the text of a message as markup.
 */
{
  /** A message, `ChatMessage` in `tochki-protocol`. @typedef {{ id: number, chat: string, text: string, at: number,
   *   removed?: boolean, from: { id: number, name: string, guest: boolean, bot?: boolean } }} Message */

  /** An element that always exists. @type {(selector: string, root?: ParentNode) => any} */
  const find = (selector, root = chat) => root.querySelector(selector);

  const chat = /** @type {HTMLElement} */ (document.getElementById("chat"));
  /** @type {HTMLElement[]} */
  const [log, list, newButton, unread, toggle] = [".chat-log", "ol", ".chat-new", ".unread", ".chat-toggle"].map((part) => find(part));
  /** @type {HTMLElement[]} */
  const [refusal, status] = [".chat-refusal", ".chat-status"].map((part) => find(part));

  /** The most characters of a message, and from how many on the number of those left is shown. */
  const [MAX_LENGTH, COUNTDOWN_FROM] = [300, 250];
  /** The most messages a page keeps. */
  const MAX_MESSAGES = 200;

  /** @param {Intl.DateTimeFormatOptions} options */
  const format = (options) => new Intl.DateTimeFormat(document.documentElement.lang, options).format;
  const formatTime = format({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const formatDay = format({ day: "numeric", month: "short" });
  const formatFully = format({ dateStyle: "medium", timeStyle: "short" });

  /** Shows times in the visitor's time zone; those of another day with the day. @param {Element} root */
  const localize = (root) => {
    for (const time of root.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      const isToday = at.toDateString() === new Date().toDateString();
      time.textContent = isToday ? formatTime(at) : `${formatDay(at)} ${formatTime(at)}`;
      time.title = formatFully(at);
    }
  };

  // The log is a reversed column: its end is at scroll position 0, and what comes before has negative positions.
  const isAtEnd = () => log.scrollTop > -8;
  const scrollToEnd = () => {
    log.scrollTop = 0;
    newButton.hidden = true;
  };
  const isVisible = () => log.offsetParent !== null;

  /** @param {number} count */
  const showUnread = (count) => {
    unread.hidden = count === 0;
    find("b", unread).textContent = count;
  };

  /** @param {Element} item */
  const idOf = (item) => Number(item.id.slice("said-".length));

  /** A copy of a template's element. @type {(template: string) => HTMLElement} */
  const copyOf = (template) => find(template).content.firstElementChild.cloneNode(true);

  /** @param {Element} item @param {Message["from"]} player */
  const showPlayer = (item, { name, guest, bot }) => {
    const link = find(".name", item);
    // The name of a deleted account contains a space, and it has no page.
    if (name.includes(" ")) link.removeAttribute("href");
    else link.href = `/@${name}`;
    find("bdi", link).textContent = name;
    if (!guest) find(".guest", item).remove();
    if (!bot) find(".bot", item).remove();
  };

  /** An entry of the list of muted players. @param {Message["from"]} player */
  const renderMuted = (player) => {
    const item = copyOf("#muted-player");
    showPlayer(item, player);
    find("[name=player]", item).value = player.id;
    return item;
  };

  /** @param {Message} message */
  const render = ({ id, chat: room, from, text, at, removed }) => {
    const item = copyOf("#chat-message");
    item.id = `said-${id}`;
    showPlayer(item, from);
    const otherRoom = find(".other-chat", item);
    if (otherRoom.dataset.unless === room) otherRoom.remove();
    find("time", item).dateTime = new Date(at).toISOString();
    find(".words", item).textContent = removed ? (log.dataset.removed ?? "") : text;
    item.classList.toggle("removed", removed === true);
    if (String(from.id) === chat.dataset.me) {
      item.classList.add("mine");
      find(".chat-menu", item).remove();
    } else if (removed) {
      find(".chat-menu", item)?.remove();
    } else if (chat.dataset.me) {
      find("[name=player]", item).value = from.id;
      for (const field of item.querySelectorAll("[name=message]")) /** @type {HTMLInputElement} */ (field).value = String(id);
    }
    localize(item);
    return item;
  };

  /** The messages that have come while the log is being fetched, which may lack them. @type {Message[] | undefined} */
  let arrived;

  /** Inserts a message by its id, unless it is there. A removed one takes the place of its text. @param {Message} message */
  const insert = (message) => {
    arrived?.push(message);
    const known = document.getElementById(`said-${message.id}`);
    if (known) {
      if (message.removed) known.replaceWith(render(message));
      return;
    }
    const item = render(message);
    const isOwn = item.classList.contains("mine");
    // Nothing moves under the pointer while the menu of a message is open, or about to be.
    const stays = !isAtEnd() || list.querySelector("details[open], summary:hover");
    const [scrolls, height] = [isOwn || !stays, log.scrollHeight];
    const before = [...list.children].findLast((other) => idOf(other) < message.id);
    if (before) before.after(item);
    else list.prepend(item);
    if (list.children.length > MAX_MESSAGES) list.firstElementChild?.remove();
    if (!isVisible()) {
      if (!isOwn) showUnread(Number(find("b", unread).textContent) + 1);
    } else if (scrolls) {
      scrollToEnd();
    } else {
      // The messages in view stay where they are.
      log.scrollTop -= log.scrollHeight - height;
      newButton.hidden = false;
    }
  };

  /**
   * Sends a form and returns the answer; shows an error and returns null if it is refused.
   *
   * @param {HTMLFormElement} form @param {HTMLElement} [note] Where the error is shown.
   */
  const post = async (form, note = refusal) => {
    const sent = await send(form.action, new URLSearchParams(/** @type {any} */ (new FormData(form))));
    note.textContent = sent.ok ? "" : (note.dataset[sent.answer?.code] ?? note.dataset.other ?? "");
    return sent.ok ? sent : null;
  };

  /** @param {HTMLFormElement} form */
  const say = async (form) => {
    const field = find("[name=text]", form);
    const text = field.value;
    if ([...text.trim().normalize("NFC")].length > MAX_LENGTH) {
      refusal.textContent = refusal.dataset.message_too_long ?? "";
      return;
    }
    const done = await post(form);
    if (!done) return;
    if (field.value === text) field.value = "";
    showLeft(field);
    insert(done.answer);
  };

  /** The messages of a place and the players that the reader has muted, or null. @param {string} place `lobby`, or a match. */
  const readHistory = async (place) => {
    const response = await fetch(`/api/talk?place=${place}`).catch(() => null);
    /** @type {{ messages: Message[], muted: Message["from"][] } | null} */
    const history = response?.ok ? await response.json().catch(() => null) : null;
    return history;
  };

  /** Reloads the messages after a player was muted or unmuted. */
  const refresh = async () => {
    arrived = [];
    const history = await readHistory(chat.dataset.place ?? "");
    const missed = arrived;
    arrived = undefined;
    if (!history) return location.reload();
    list.replaceChildren(...history.messages.map(render));
    const muted = find(".muted");
    muted.hidden = history.muted.length === 0;
    find("ul", muted).replaceChildren(...history.muted.map(renderMuted));
    missed.forEach(insert);
    scrollToEnd();
    log.focus();
  };

  /** Shows how many characters are left, near the limit. @param {HTMLInputElement} field */
  const showLeft = (field) => {
    const left = MAX_LENGTH - [...field.value].length;
    const note = find(".say-left");
    note.textContent = left <= MAX_LENGTH - COUNTDOWN_FROM ? note.dataset.left.replace("{}", left) : "";
    note.classList.toggle("wrong", left < 0);
  };

  /** @param {HTMLFormElement} form */
  const submitted = async (form) => {
    if (form.classList.contains("say")) {
      await say(form);
    } else if (await post(form)) {
      if (form.classList.contains("mute")) {
        await refresh();
      } else {
        const menu = form.closest("details");
        if (menu) menu.open = false;
        if (form.classList.contains("report")) status.textContent = status.dataset.reported ?? "";
      }
    }
  };

  let isSending = false;
  chat.addEventListener("submit", async (submit) => {
    // Until `forms.js` is there, the browser sends the form.
    if (typeof send === "undefined") return;
    submit.preventDefault();
    if (isSending) return;
    isSending = true;
    status.textContent = "";
    try {
      await submitted(/** @type {HTMLFormElement} */ (submit.target));
    } catch (error) {
      refusal.textContent = refusal.dataset.other ?? "";
      console.error(error);
    } finally {
      isSending = false;
    }
  });

  chat.addEventListener("input", ({ target }) => {
    if (field && target === field) showLeft(field);
  });
  newButton.addEventListener("click", () => {
    scrollToEnd();
    log.focus();
  });
  log.addEventListener("scroll", () => {
    if (isAtEnd()) newButton.hidden = true;
  });
  // The menu of a message can open below the visible part of the log. The event does not bubble.
  list.addEventListener(
    "toggle",
    ({ target }) => {
      const menu = /** @type {HTMLDetailsElement} */ (target);
      if (menu.open) menu.lastElementChild?.scrollIntoView({ block: "nearest" });
    },
    true,
  );
  toggle.addEventListener("click", () => {
    const isOpen = chat.classList.toggle("open");
    toggle.setAttribute("aria-expanded", String(isOpen));
    showUnread(0);
  });
  // Dispatched by the event stream of the page (`crates/pages/src/ui/live/event_stream.rs`).
  document.addEventListener("said", (event) => {
    insert(JSON.parse(/** @type {CustomEvent<string>} */ (event).detail));
  });

  // The chat of the waiting rooms, when its tab is opened.
  /** @param {any} event */
  const openLobby = ({ target }) => {
    if (target.id === "lobby-chat") import(target.dataset.script).then((lobby) => lobby.begin?.({ post, render, readHistory }));
  };
  // The event does not bubble, and the tab comes after this script.
  document.addEventListener("toggle", openLobby, true);
  // The spectators, for the players of a match.
  document.addEventListener("watchers", (event) => {
    /** @type {{ players: { name: string }[] }} */
    const { players } = JSON.parse(/** @type {CustomEvent<string>} */ (event).detail);
    const note = document.getElementById("watchers");
    // Each name keeps its direction to itself.
    const list = new Intl.ListFormat(document.documentElement.lang).formatToParts(players.map(({ name }) => name));
    const parts = list.map(({ type, value }) => {
      if (type === "literal") return value;
      const isolated = document.createElement("bdi");
      isolated.textContent = value;
      return isolated;
    });
    note?.replaceChildren(...(parts.length ? [`${note.title} `, ...parts] : []));
  });

  // Who still has a finished match open can be challenged there.
  const challenges = document.getElementById("challenges-here");
  const result = document.querySelector(".result-room");
  if (challenges && result) {
    const whenOver = () => {
      if (!result.childElementCount) return;
      watching.disconnect();
      import(/** @type {string} */ (challenges.dataset.script));
    };
    const watching = new MutationObserver(whenOver);
    watching.observe(result, { childList: true });
    whenOver();
  }

  // The note is on the pages of rated matches from the beginning.
  document.addEventListener("annulled", () => document.getElementById("annulled-note")?.removeAttribute("hidden"));

  // The server may be of another release than this page.
  document.addEventListener("release", (event) => {
    const { release, script } = document.getElementById("new-release")?.dataset ?? {};
    if (release && script && JSON.parse(/** @type {CustomEvent<string>} */ (event).detail).release !== release) import(script);
  });

  /** @type {HTMLInputElement | null} */
  const field = find(".say [name=text]");
  // A browser counts UTF-16 code units, the server code points, of which each has two at most.
  if (field) field.maxLength = 2 * MAX_LENGTH;
  localize(chat);
}
