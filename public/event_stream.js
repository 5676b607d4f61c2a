// @ts-check
/**
 * One event stream for all tabs of a browser: over HTTP/1.1 a browser opens six connections to a host, and six tabs with a
 * stream each would leave none for a move.
 *
 * Pages load this file for the class `TopicStream`, which they use like an `EventSource`. As a `SharedWorker` the same file
 * holds the stream, `GET /events` with the topics of all tabs. When a topic comes or goes, it opens the next stream before it
 * closes the last one, so that the player is absent from none that both have.
 *
 * - A worker serves one session: its name is a secret of the session, which the page was given (`page_key` in
 *   `crates/server/src/secrets.rs`), and the server refuses a stream of another session. When the session ends, the worker says
 *   so to its tabs, forgets them and ends.
 * - Each tab answers to a ping every second. A topic without an answer for six seconds is closed: the tab is gone or frozen. One
 *   that comes back joins again, from the version that it has.
 * - A tab that hears nothing for three seconds holds a stream of its own, as all tabs do where there is no `SharedWorker`.
 */
{
  /** The interval at which tabs are pinged. */
  const PING_MS = 1_000;
  /** The time without an answer after which a tab is gone. */
  const TAB_TIMEOUT_MS = 6_000;
  /** The time without a ping after which the worker is gone. */
  const WORKER_TIMEOUT_MS = 3_000;
  /** A pause in which this script did not run at all: the machine was asleep, or the tab frozen. */
  const ASLEEP_MS = 3 * PING_MS;
  /** The time without data after which a connection is dead; the server writes every three seconds. */
  const IDLE_TIMEOUT_MS = 20_000;
  /** The time in which the next page of the tab may take up a topic that was left. */
  const LEAVE_DELAY_MS = 1_000;
  /** The wait before connecting again after the server has ended a stream. */
  const END_RETRY_MS = 500;
  /** The wait after failures, at first and at most; it doubles each time. */
  const MIN_RETRY_MS = 1_000;
  const MAX_RETRY_MS = 10_000;
  /** The most topics of a stream. */
  const MAX_TOPICS = 16;
  const VISITORS = "visitors";
  /** The greatest number of unread notifications that is shown. */
  const MAX_UNREAD = 99;

  /**
   * A tab with its topic, and the version of the topic that it has.
   * @typedef {{ topic: string, version?: number, isOpen: boolean, answeredAt: number }} Tab
   *
   * A message of a hub to a tab.
   * @typedef {{ kind: "ping", isAlive: boolean } | { kind: "open" | "dropped" | "full" } | { kind: "error", isClosed: boolean }
   *   | { kind: "event", name: string, data: string, version?: number }} ToTab
   *
   * A stream that is open, or being opened.
   * @typedef {{ abort: AbortController, topics: Map<string, number | undefined>, heardAt: number }} Connection
   */

  /**
   * Holds the stream of the tabs that join it. Returns how a tab joins: by a port.
   *
   * @param {string} session @param {() => void} close Called when the session has ended.
   */
  const createHub = (session, close) => {
    /** @type {Map<MessagePort, Tab>} */
    const tabs = new Map();
    /** @type {Connection | undefined} */
    let live;
    /** The connection that is to take its place. @type {Connection | undefined} */
    let next;
    let failures = 0;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    let timer;
    let dueAt = Infinity;
    /** @type {ReturnType<typeof setInterval> | undefined} */
    let pinging;
    let pingedAt = 0;

    /** @param {MessagePort} port @param {ToTab} message */
    const tell = (port, message) => port.postMessage(message);

    /** Opens the next stream after this time, or earlier if that is planned. @param {number} delay */
    const schedule = (delay) => {
      if (Date.now() + delay >= dueAt) return;
      clearTimeout(timer);
      dueAt = Date.now() + delay;
      timer = setTimeout(() => {
        dueAt = Infinity;
        void open();
      }, delay);
    };

    const stop = () => {
      clearTimeout(timer);
      clearInterval(pinging);
      dueAt = Infinity;
      const open = [live, next];
      live = next = pinging = undefined;
      for (const connection of open) connection?.abort.abort();
    };

    /** The session has ended, or the browser has another one. */
    const end = () => {
      for (const port of tabs.keys()) tell(port, { kind: "event", name: "signed_out", data: "{}" });
      tabs.clear();
      stop();
      close();
    };

    const open = async () => {
      next?.abort.abort();
      /** @type {Connection["topics"]} */
      const topics = new Map();
      for (const { topic, version } of tabs.values()) {
        const known = topics.get(topic);
        topics.set(topic, version === undefined ? known : Math.min(version, known ?? version));
      }
      const mine = (next = { abort: new AbortController(), topics, heardAt: Date.now() });
      let delay = END_RETRY_MS;
      try {
        const list = [...topics].map(([topic, version]) => (version === undefined ? topic : `${topic}@${version}`));
        const query = new URLSearchParams({ topics: list.join(), session });
        const response = await fetch(`/events?${query}`, { signal: mine.abort.signal, cache: "no-store" });
        if (mine !== next) return;
        if (response.status === 401) return end();
        // There may be no room for two.
        if (response.status === 429) live?.abort.abort();
        if (!response.ok || !response.body) throw new Error(`${response.status}`);
        const last = live;
        [live, next, failures] = [mine, undefined, 0];
        last?.abort.abort();
        for (const [port, tab] of tabs) {
          if (!topics.has(tab.topic)) continue;
          tab.isOpen = true;
          tell(port, { kind: "open" });
        }
        await read(mine, response.body.getReader());
      } catch {
        delay = Math.min(MIN_RETRY_MS * 2 ** failures, MAX_RETRY_MS);
        failures += 1;
      }
      // Another has taken its place, or it was stopped.
      if (mine !== live && mine !== next) return;
      if (mine === live) live = undefined;
      else next = undefined;
      for (const [port, tab] of tabs) {
        if (live?.topics.has(tab.topic)) continue;
        tab.isOpen = false;
        tell(port, { kind: "error", isClosed: false });
      }
      schedule(delay);
    };

    /** @param {Connection} mine @param {ReadableStreamDefaultReader<Uint8Array>} reader */
    const read = async (mine, reader) => {
      const decoder = new TextDecoder();
      for (let rest = ""; ; ) {
        const { value, done } = await reader.read();
        if (done || mine !== live) return;
        mine.heardAt = Date.now();
        const blocks = (rest + decoder.decode(value, { stream: true })).split("\n\n");
        rest = blocks.pop() ?? "";
        blocks.forEach(pass);
      }
    };

    /** Passes an event on. @param {string} block Its lines. Only `\n` ends one: what people write may have other breaks. */
    const pass = (block) => {
      /** @type {Record<string, string>} */
      const fields = {};
      for (const line of block.split("\n")) {
        const at = line.indexOf(": ");
        if (at > 0) fields[line.slice(0, at)] = line.slice(at + 2);
      }
      const { id, event: name, data } = fields;
      if (!name || name === "heartbeat") return;
      if (name === "signed_out") return end();
      if (name === "topic_ended") return endTopic(JSON.parse(data).topic);
      const [topic, versions] = id?.split(" ") ?? [];
      const found = versions?.split(",").find((each) => each.startsWith(`${topic}@`));
      const version = found && Number(found.slice(topic.length + 1));
      for (const [port, tab] of tabs) {
        // An event of the stream itself concerns all tabs.
        if (!tab.isOpen || (topic && tab.topic !== topic)) continue;
        if (version) tab.version = version;
        tell(port, { kind: "event", name, data, version: tab.version });
      }
    };

    /** @param {string} topic */
    const endTopic = (topic) => {
      live?.topics.delete(topic);
      for (const [port, tab] of tabs) {
        if (tab.topic !== topic) continue;
        tabs.delete(port);
        tell(port, { kind: "error", isClosed: true });
      }
      if (tabs.size === 0) stop();
    };

    /** @param {MessagePort} port */
    const leave = (port) => {
      const topic = tabs.get(port)?.topic;
      if (!tabs.delete(port)) return;
      if (tabs.size === 0) stop();
      else if (![...tabs.values()].some((tab) => tab.topic === topic)) schedule(LEAVE_DELAY_MS);
    };

    const ping = () => {
      const now = Date.now();
      const wasAsleep = now - pingedAt > ASLEEP_MS;
      pingedAt = now;
      const isAlive = live !== undefined && now - live.heardAt < IDLE_TIMEOUT_MS;
      for (const [port, tab] of tabs) {
        if (wasAsleep) tab.answeredAt = now;
        if (now - tab.answeredAt > TAB_TIMEOUT_MS) {
          tell(port, { kind: "dropped" });
          leave(port);
        } else {
          tell(port, { kind: "ping", isAlive });
        }
      }
      // The stream fails, and is opened again.
      for (const each of [live, next]) if (each && now - each.heardAt > IDLE_TIMEOUT_MS) each.abort.abort();
    };

    /** @param {{ topic: string, version?: number }} joining @param {MessagePort} port */
    const join = ({ topic, version }, port) => {
      const topics = new Set([...tabs.values()].map((tab) => tab.topic));
      if (topics.add(topic).size > MAX_TOPICS) return tell(port, { kind: "full" });
      const answeredAt = Date.now();
      tabs.set(port, { topic, version, isOpen: false, answeredAt });
      if (pinging === undefined) {
        pingedAt = answeredAt;
        pinging = setInterval(ping, PING_MS);
      }
      // Also for a topic that is open: it begins with what a page has to know.
      schedule(0);
    };

    return (/** @type {MessagePort} */ port) => {
      port.onmessage = ({ data }) => {
        const tab = tabs.get(port);
        if (data === "leave") leave(port);
        else if (data !== "here") join(data, port);
        else if (tab) tab.answeredAt = Date.now();
      };
    };
  };

  /** The number of games on turn before the title of the document. */
  const COUNT = /^\(\d+\) /;
  /** The one that is shown. A title may begin with another number, as that of the lobby, as long as there is none. */
  let shown = globalThis.document?.title.match(COUNT)?.[0] ?? "";

  /**
   * Shows the number of unread notifications in the header, and that of games on turn there, in the title and in the app's badge.
   *
   * @param {{ unread: number, on_turn?: number }} counts
   */
  const showCounts = ({ unread, on_turn = 0 }) => {
    const find = (/** @type {string} */ selector) => /** @type {HTMLElement | null} */ (document.querySelector(selector));
    const [bell, games] = [".bell", ".on-turn-count"].map(find);
    if (bell) bell.dataset.unread = unread > MAX_UNREAD ? `${MAX_UNREAD}+` : `${unread || ""}`;
    if (games) {
      games.hidden = !on_turn;
      games.textContent = `${on_turn}`;
    }
    const next = on_turn ? `(${on_turn}) ` : "";
    if (next !== shown) document.title = next + (shown ? document.title.replace(COUNT, "") : document.title);
    shown = next;
    // Not every browser has badges, or lets this page set one.
    navigator.setAppBadge?.(on_turn).catch(() => {});
  };

  /** Defines the class for pages. */
  const defineForPages = () => {
    const script = /** @type {HTMLScriptElement} */ (document.getElementById("event-stream"));
    const session = script.dataset.session ?? "";
    const [CONNECTING, OPEN, CLOSED] = [0, 1, 2];

    class TopicStream extends EventTarget {
      readyState = CONNECTING;
      /** @type {MessagePort | undefined} */
      #port;
      /** @type {ReturnType<typeof setInterval> | undefined} */
      #watching;
      #listening = new AbortController();
      /** @type {string} */
      #topic;
      /** @type {number | undefined} */
      #version;

      /** @param {string} address A topic, and perhaps the version that the page has: `match:7@12`. */
      constructor(address) {
        super();
        const [topic, version] = address.split("@");
        this.#topic = topic;
        if (version !== undefined) this.#version = Number(version);
        const { signal } = this.#listening;
        // A page that the browser keeps is not at its topic, until it is shown again.
        addEventListener("pagehide", () => this.#leave(), { signal });
        addEventListener("pageshow", ({ persisted }) => persisted && this.#joinAgain(), { signal });
        this.#join();
      }

      close() {
        this.readyState = CLOSED;
        this.#listening.abort();
        this.#leave();
      }

      /** Joins the worker of this session, or holds a stream alone. */
      #join(isAlone = typeof SharedWorker === "undefined") {
        this.#leave();
        let port;
        if (!isAlone) {
          try {
            const worker = new SharedWorker(script.src, session || VISITORS);
            worker.onerror = () => this.#port === worker.port && this.#joinAgain(true);
            port = worker.port;
          } catch {
            // Not allowed here.
          }
        }
        isAlone = port === undefined;
        if (!port) {
          const pair = new MessageChannel();
          createHub(session, () => {})(pair.port2);
          port = pair.port1;
        }
        this.#port = port;
        let heardAt = Date.now();
        port.onmessage = ({ data }) => {
          heardAt = Date.now();
          this.#receive(data);
        };
        port.postMessage({ topic: this.#topic, version: this.#version });
        if (isAlone) return;
        let lookedAt = heardAt;
        this.#watching = setInterval(() => {
          const now = Date.now();
          if (now - lookedAt > ASLEEP_MS) heardAt = now;
          lookedAt = now;
          if (this.#port === port && now - heardAt > WORKER_TIMEOUT_MS) this.#joinAgain(true);
        }, PING_MS);
      }

      /** @param {boolean} [isAlone] */
      #joinAgain(isAlone) {
        this.#change(CONNECTING, "error");
        this.#join(isAlone);
      }

      #leave() {
        clearInterval(this.#watching);
        if (!this.#port) return;
        this.#port.onmessage = null;
        this.#port.postMessage("leave");
        this.#port.close();
        this.#port = undefined;
      }

      /** @param {ToTab} message */
      #receive(message) {
        if (message.kind === "ping") {
          this.#port?.postMessage("here");
          if (message.isAlive) this.#dispatch("heartbeat", "{}");
        } else if (message.kind === "event") {
          this.#version = message.version ?? this.#version;
          if (message.name === "signed_out") this.close();
          if (message.name === "notified") showCounts(JSON.parse(message.data));
          this.#dispatch(message.name, message.data);
        } else if (message.kind === "open") {
          this.#change(OPEN, "open");
        } else if (message.kind === "error") {
          if (message.isClosed) this.close();
          this.#change(message.isClosed ? CLOSED : CONNECTING, "error");
        } else {
          this.#joinAgain(message.kind === "full" || undefined);
        }
      }

      /** @param {number} state @param {string} name */
      #change(state, name) {
        this.readyState = state;
        this.dispatchEvent(new Event(name));
      }

      /** @param {string} name @param {string} data */
      #dispatch(name, data) {
        this.dispatchEvent(new MessageEvent(name, { data, lastEventId: String(this.#version ?? "") }));
      }
    }
    Object.assign(globalThis, { TopicStream });
    // A page without a stream of its own follows the numbers in the header.
    if (script.dataset.topic) new TopicStream(script.dataset.topic);
  };

  if ("onconnect" in globalThis) {
    const scope = /** @type {{ name: string, close: () => void, onconnect: (event: MessageEvent) => void }} */ (
      /** @type {unknown} */ (globalThis)
    );
    const join = createHub(scope.name === VISITORS ? "" : scope.name, () => scope.close());
    scope.onconnect = ({ ports }) => join(ports[0]);
  } else {
    defineForPages();
  }
}
