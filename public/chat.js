/**
 * Chat: what is said is shown as it comes, and what is written is sent without a reload. It knows no game and makes no
 * markup of what anybody says.
 */
{
  const chat = document.getElementById("chat");
  const find = (selector) => chat.querySelector(selector);
  const [log, list, fresh, unread, toggle] = [".chat-log", "ol", ".chat-new", ".unread", ".chat-toggle"].map(find);
  const [refusal, status, pattern] = [".chat-refusal", ".chat-status", "#chat-message"].map(find);

  /** The most characters of a message, and from how many on it is said how many are left. */
  const [LONGEST, NEAR] = [300, 250];
  /** The most messages a page keeps. */
  const KEPT = 200;

  const language = document.documentElement.lang;
  const clock = new Intl.DateTimeFormat(language, { hour: "2-digit", minute: "2-digit", hourCycle: "h23" });
  const date = new Intl.DateTimeFormat(language, { day: "numeric", month: "short" });
  const whole = new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" });

  /** Shows the times of the visitor's own clock; of another day also the day. */
  const localize = (root) => {
    for (const time of root.querySelectorAll("time")) {
      const at = new Date(time.dateTime);
      const today = at.toDateString() === new Date().toDateString();
      time.textContent = today ? clock.format(at) : `${date.format(at)} ${clock.format(at)}`;
      time.title = whole.format(at);
    }
  };

  // The log is upside down: its end is at 0, and what lies before it is below.
  const atEnd = () => log.scrollTop > -8;
  const toEnd = () => {
    log.scrollTop = 0;
    fresh.hidden = true;
  };
  const isShown = () => log.offsetParent !== null;

  const count = (number) => {
    unread.hidden = number === 0;
    unread.querySelector("b").textContent = number;
  };

  const number = (item) => Number(item.id.slice(5));

  const draw = ({ id, chat: room, from, text, at }) => {
    const item = pattern.content.firstElementChild.cloneNode(true);
    const part = (selector) => item.querySelector(selector);
    item.id = `said-${id}`;
    const name = part(".name");
    // Who has deleted the account has a blank in the name, and no page.
    if (from.name.includes(" ")) name.removeAttribute("href");
    else name.href = `/@${from.name}`;
    name.textContent = from.name;
    if (!from.guest) part(".guest").remove();
    const apart = part(".apart");
    if (apart.dataset.unless === room) apart.remove();
    part("time").dateTime = new Date(at).toISOString();
    part(".words").textContent = text;
    if (String(from.id) === chat.dataset.me) {
      item.classList.add("mine");
      part(".chat-menu").remove();
    } else if (chat.dataset.me) {
      part("[name=player]").value = from.id;
      part("[name=message]").value = id;
    }
    localize(item);
    return item;
  };

  /** Shows a message in its place, once. */
  const take = (said) => {
    if (document.getElementById(`said-${said.id}`)) return;
    const item = draw(said);
    const own = item.classList.contains("mine");
    const [end, height] = [own || atEnd(), log.scrollHeight];
    const before = [...list.children].findLast((other) => number(other) < said.id);
    if (before) before.after(item);
    else list.prepend(item);
    if (list.children.length > KEPT) list.firstElementChild.remove();
    if (!isShown()) {
      if (!own) count(Number(unread.querySelector("b").textContent) + 1);
    } else if (end) {
      toEnd();
    } else {
      // What the reader reads stays where it is.
      log.scrollTop -= log.scrollHeight - height;
      fresh.hidden = false;
    }
  };

  const post = async (form) => {
    const body = new URLSearchParams(new FormData(form));
    const headers = { accept: "application/json" };
    const answer = await fetch(form.action, { method: "POST", body, headers }).catch(() => null);
    const told = await answer?.json().catch(() => null);
    refusal.textContent = answer?.ok ? "" : (refusal.dataset[told?.code] ?? refusal.dataset.other);
    return answer?.ok ? { told } : null;
  };

  const say = async (form) => {
    const field = form.elements.text;
    const text = field.value;
    if ([...text.trim().normalize("NFC")].length > LONGEST) {
      refusal.textContent = refusal.dataset.message_too_long;
      return;
    }
    const done = await post(form);
    if (!done) return;
    if (field.value === text) field.value = "";
    tellLeft(field);
    take(done.told);
  };

  /** After somebody has been muted, or not any more, the server knows what is to be seen. */
  const renew = async () => {
    const answer = await fetch(location.href).catch(() => null);
    const html = answer?.ok ? await answer.text().catch(() => null) : null;
    if (html === null) return location.reload();
    const page = new DOMParser().parseFromString(html, "text/html");
    for (const part of [".chat-log ol", ".muted"]) {
      const [old, now] = [find(part), page.querySelector(`#chat ${part}`)];
      if (!now) return location.reload();
      if (old.open) now.open = !now.hidden;
      old.replaceChildren(...now.childNodes);
      old.hidden = now.hidden;
    }
    localize(chat);
    toEnd();
    log.focus();
  };

  const tellLeft = (field) => {
    const left = LONGEST - [...field.value].length;
    const note = find(".say-left");
    note.textContent = left <= LONGEST - NEAR ? note.dataset.left.replace("{}", left) : "";
    note.classList.toggle("wrong", left < 0);
  };

  const send = async (form) => {
    if (form.classList.contains("say")) {
      await say(form);
    } else if (await post(form)) {
      if (form.classList.contains("mute")) {
        await renew();
      } else {
        form.closest("details").open = false;
        status.textContent = status.dataset.reported;
      }
    }
  };

  let busy = false;
  chat.addEventListener("submit", async (submit) => {
    submit.preventDefault();
    const form = submit.target;
    if (busy) return;
    busy = true;
    status.textContent = "";
    try {
      await send(form);
    } catch (error) {
      refusal.textContent = refusal.dataset.other;
      console.error(error);
    } finally {
      busy = false;
    }
  });

  chat.addEventListener("input", ({ target }) => target.name === "text" && tellLeft(target));
  fresh.addEventListener("click", () => {
    toEnd();
    log.focus();
  });
  log.addEventListener("scroll", () => {
    if (atEnd()) fresh.hidden = true;
  });
  // What a message's button opens may be below what is seen of the log.
  const open = ({ target }) => target.open && target.lastElementChild.scrollIntoView({ block: "nearest" });
  list.addEventListener("toggle", open, true);
  toggle.addEventListener("click", () => {
    const open = chat.classList.toggle("open");
    toggle.setAttribute("aria-expanded", open);
    count(0);
  });
  // The stream of the page, as `ui/live.rs` hears it.
  document.addEventListener("said", ({ detail }) => take(JSON.parse(detail)));

  // A browser counts some characters twice, which the server does not.
  const field = find(".say [name=text]");
  if (field) field.maxLength = 2 * LONGEST;
  localize(chat);
}
