/**
 * A proxy between a page and the server that delivers responses one at a time: the HTML in parts, and
 * each file (style sheets, scripts, WebAssembly) once the page has rendered what it has.
 *
 * This reproduces a slow network or machine, in a deterministic order.
 */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { errors, type Page, type Request } from "@playwright/test";

/** The pending file that is delivered next: the one requested first or last. */
export type Order = "first" | "last";

/** The favicon, which does not affect the layout. */
const ICON = "/icon.svg";

/** The number of connections of a browser to one host over HTTP/1.1. */
const CONNECTIONS = 6;

/** The longest time to the reported end of a request whose answer the browser has in full. */
const REPORT_MS = 10_000;

/** A pending response, or a part of one. */
type Piece = {
  name: string;
  deliver: (page: Page) => Promise<void>;
  /** Whether the piece is a part of the document, which the parser may render bit by bit. */
  isDocument?: boolean;
};

/** Runs when a piece has been delivered. */
export type Settled = (piece: Pick<Piece, "name" | "isDocument">) => Promise<void>;

export class DeliveryProxy {
  /** The requested files, in the order of their requests. */
  private readonly files: Piece[] = [];
  /** The remaining parts of the document. */
  private parts: Piece[] = [];
  /** The part that has been sent last. */
  private part: Part = { html: "" };
  /** Files that block rendering or the parser. They are delivered first. */
  private blocking: string[] = [];
  /** The requests of the page, in order, and those that have not ended. */
  private readonly requested = new Set<string>();
  private readonly pending = new Set<Request>();
  /** The number of requests without a complete answer, and of those that the server has not answered yet. */
  private open = 0;
  private forwarded = 0;
  /** Requests for event streams, and whether all requests are passed on as they come. */
  private readonly streams: [IncomingMessage, ServerResponse][] = [];
  private isPassing = false;
  /** Called when something new may be deliverable. */
  private wake = () => {};

  private constructor(
    private readonly upstream: URL,
    private readonly server: Server,
    /** The origin of the proxy. Cookies do not depend on the port, so those of the server are sent. */
    readonly origin: string,
  ) {}

  /**
   * The HTML is split behind scripts that block the parser, because there browsers render what they have so far.
   */
  static async start(upstream: string): Promise<DeliveryProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const delivery = new DeliveryProxy(new URL(upstream), server, `http://127.0.0.1:${port}`);
    server.on("request", (asked, answer) => delivery.accept(asked, answer));
    return delivery;
  }

  /**
   * Delivers one piece at a time until all islands are hydrated and no request is pending. `settled` runs
   * after each piece.
   */
  async run(page: Page, order: Order, settled: Settled): Promise<void> {
    let hydrated = false;
    let isFirst = true;
    this.follow(page);
    const end = page.locator("html[data-hydrated]").waitFor({ state: "attached" });
    const ended = () => {
      hydrated = true;
      this.wake();
    };
    end.then(ended, ended);
    for (;;) {
      const woken = new Promise<boolean>((wake) => (this.wake = () => wake(false)));
      const isArriving = this.isArriving();
      let piece = isArriving ? undefined : this.next(order);
      if (!piece && (isArriving || !hydrated)) {
        // An answer of the server wakes this.
        const isStalled = await (this.forwarded > 0 ? woken : Promise.race([woken, this.isStalled(page)]));
        if (!isStalled) continue;
        piece = this.next(order, isStalled);
        if (!piece && !hydrated) await woken;
      }
      if (piece) {
        await piece.deliver(page);
        // Without its style sheets a page is not rendered, so there is no frame to wait for.
        if (this.blocking.length > 0 && !this.isParsing) continue;
        await this.parsed(page);
        // The first part of the document is rendered first.
        await settled({ ...piece, isDocument: piece.isDocument || isFirst });
        isFirst = false;
      } else if (hydrated) {
        return end;
      }
    }
  }

  /** Waits until the parser has come to the end of the part that has been sent last. */
  private async parsed(page: Page): Promise<void> {
    const { part } = this;
    if (part.isParsed) return;
    if (part.script) await page.waitForSelector(`script[src="${part.script}"]`, { state: "attached" });
    else await page.waitForFunction(() => document.readyState !== "loading");
    part.isParsed = true;
  }

  /** Follows the requests of a page: those for which the browser has no connection left have not come here yet. */
  private follow(page: Page): void {
    page.on("request", (request) => {
      if (!request.url().startsWith(this.origin)) return;
      this.requested.add(request.url());
      this.pending.add(request);
      this.wake();
    });
    const forget = (request: Request) => {
      this.pending.delete(request);
      this.wake();
    };
    page.on("requestfinished", forget);
    page.on("requestfailed", forget);
  }

  /** Returns whether a request, or the answer of the server, is on its way here. */
  private isArriving(): boolean {
    return this.forwarded > 0 || this.open < Math.min(this.pending.size, CONNECTIONS);
  }

  /**
   * Resolves to `true` when nothing more comes although the page has had time for it: a browser may hold a connection that it
   * does not use. Then it does no harm to deliver another file first, because nothing is rendered before those that block it.
   */
  private async isStalled(page: Page): Promise<boolean> {
    for (;;) {
      const { forwarded, open } = this;
      // The evaluation fails while the page is left for another; then something comes.
      const isIdle = await page.evaluate(waitUntilIdle).then(() => true, () => false);
      if (!isIdle) return new Promise(() => {});
      if (this.forwarded > 0) return new Promise(() => {});
      if (forwarded === 0 && this.open === open) return true;
    }
  }

  /** Passes on, from now on, what the page asks for, and its event streams: as if it were at the server. */
  passOn(): void {
    this.isPassing = true;
    for (const [asked, answer] of this.streams.splice(0)) this.pass(asked, answer);
  }

  private pass(asked: IncomingMessage, answer: ServerResponse): void {
    const { hostname, port, host } = this.upstream;
    const { url: path, method, headers } = asked;
    const passed = request({ hostname, port, path, method, headers: { ...headers, host } }, (response) => {
      answer.writeHead(response.statusCode!, response.headers);
      response.pipe(answer);
    });
    passed.on("error", () => answer.destroy());
    answer.on("close", () => passed.destroy());
    asked.pipe(passed);
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  /** Whether only the parser is blocked, and no longer the rendering. */
  private isParsing = false;

  /** Returns the piece to deliver next. With `isStalled` another file may take the place of a blocking one that does not come. */
  private next(order: Order, isStalled = false): Piece | undefined {
    const turns = [...this.requested];
    const turn = ({ name }: Piece) => turns.indexOf(this.origin + name);
    this.files.sort((one, other) => turn(one) - turn(other));
    if (this.blocking.length > 0) {
      const at = this.files.findIndex(({ name }) => name === this.blocking[0]);
      if (at >= 0) {
        this.blocking.shift();
        return this.files.splice(at, 1)[0];
      }
      // Its request comes once a connection is free: all of them wait for the document, for events and for files.
      if (this.open < CONNECTIONS && !isStalled) return undefined;
    } else if (this.parts.length > 0) {
      return this.parts.shift();
    }
    return order === "first" ? this.files.shift() : this.files.pop();
  }

  private accept(asked: IncomingMessage, answer: ServerResponse): void {
    if (this.isPassing) return this.pass(asked, answer);
    const path = asked.url!;
    this.open += 1;
    answer.on("close", () => {
      this.open -= 1;
      this.wake();
    });
    // Events from other tests would change lists, so event streams are not delivered.
    if (path.startsWith("/events")) {
      this.streams.push([asked, answer]);
      return;
    }
    const isDocument = asked.headers["sec-fetch-dest"] === "document";
    const headers = { ...asked.headers, host: this.upstream.host };
    if (isDocument) delete headers["accept-encoding"];
    const { hostname, port } = this.upstream;
    this.forwarded += 1;
    const forwarded = request({ hostname, port, path, method: asked.method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      this.forwarded -= 1;
      delete response.headers["transfer-encoding"];
      delete response.headers["content-length"];
      answer.writeHead(response.statusCode!, response.headers);
      if (isDocument && response.headers["content-type"]?.startsWith("text/html")) {
        this.begin(body.toString(), answer);
      } else if (path === ICON || isBeside(asked) || this.isPassing) {
        answer.end(body);
      } else {
        const deliver = async (page: Page) => {
          const isThis = (request: Request) => request.url() === this.origin + path;
          // A browser may also cancel a request, and Playwright now and then reports no end of one.
          const came = Promise.race([
            page.waitForEvent("requestfinished", { predicate: isThis, timeout: REPORT_MS }),
            page.waitForEvent("requestfailed", { predicate: isThis, timeout: REPORT_MS }),
          ]).catch((error) => {
            if (!(error instanceof errors.TimeoutError)) throw error;
          });
          answer.end(body);
          await came;
        };
        this.files.push({ name: path, deliver });
      }
      this.wake();
    });
    asked.pipe(forwarded);
  }

  /** Sends the first part of a document. */
  private begin(html: string, answer: ServerResponse): void {
    const [first, ...rest] = cut(html);
    const head = html.slice(0, html.indexOf("<body"));
    for (const [link] of head.matchAll(/<link\b[^>]*>/g)) {
      if (/\brel="stylesheet"/.test(link)) this.blocking.push(/\bhref="([^"]*)"/.exec(link)![1]);
    }
    const send = (part: Part) => {
      this.part = part;
      if (part.script) this.blocking.push(part.script);
      answer.write(part.html);
      if (!part.script) answer.end();
    };
    send(first);
    this.parts = rest.map((part, at) => ({
      name: `part ${at + 2} of ${rest.length + 1} of the HTML`,
      isDocument: true,
      deliver: async () => {
        this.isParsing = true;
        send(part);
      },
    }));
  }
}

/** Returns whether a request is of a worker, or ahead of the next page. Playwright does not report the end of such a request. */
function isBeside({ headers }: IncomingMessage): boolean {
  const dest = String(headers["sec-fetch-dest"]);
  const worker = /\/(service|engine)_worker\.js/.test(headers.referer ?? "");
  return worker || dest.endsWith("worker") || headers["sec-purpose"] === "prefetch";
}

/** In a page: waits until the page is idle. An idle callback would wait for a frame, and frames wait for the style sheets. */
function waitUntilIdle(): Promise<void> {
  return scheduler.postTask(() => {}, { priority: "background" });
}

type Part = {
  html: string;
  /** The script at its end that blocks the parser; the last part has none. */
  script?: string;
  isParsed?: boolean;
};

/** Comments, tags, and elements whose content contains no tags. */
const TAGS = /<!--[\s\S]*?-->|<(script|style|template|noscript|title|textarea)\b[\s\S]*?<\/\1>|<\/?[a-zA-Z][^>]*>/g;

/** Splits a document behind scripts that block the parser. */
function cut(html: string): Part[] {
  const parts: Part[] = [];
  const body = html.indexOf("<body");
  let start = 0;
  for (const { 0: tag, 1: section, index } of html.matchAll(TAGS)) {
    const script = section === "script" && index > body ? /^<script src="([^"]*)"/.exec(tag)?.[1] : undefined;
    if (!script) continue;
    const end = index + tag.length;
    parts.push({ html: html.slice(start, end), script });
    start = end;
  }
  parts.push({ html: html.slice(start) });
  return parts;
}
