/**
 * A proxy between a page and the server that delivers responses one at a time: the HTML in parts, and
 * each file (style sheets, scripts, WebAssembly) once the page has rendered what it has.
 *
 * This reproduces a slow network or machine, in a deterministic order.
 */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "@playwright/test";

/** Which of the pending files is delivered next: the one requested first or last. */
export type Order = "first" | "last";

/** The favicon, which does not affect the layout. */
const ICON = "/icon.svg";

/** The number of connections of a browser to one host over HTTP/1.1. */
const CONNECTIONS = 6;

/** A pending response, or a part of one. */
type Piece = {
  name: string;
  deliver: (page: Page) => Promise<void>;
};

export class DeliveryProxy {
  /** The requested files, in the order of their requests. */
  private readonly files: Piece[] = [];
  /** The remaining parts of the document. */
  private parts: Piece[] = [];
  /** Files that block rendering or the parser. They are delivered first. */
  private blocking: string[] = [];
  /** Called when something new may be deliverable. */
  private wake = () => {};

  private constructor(
    private readonly upstream: URL,
    private readonly server: Server,
  ) {}

  /**
   * The HTML is split behind scripts that block the parser, because there browsers render what they have so far.
   */
  static async start(upstream: string): Promise<DeliveryProxy> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const delivery = new DeliveryProxy(new URL(upstream), server);
    server.on("request", (asked, answer) => delivery.accept(asked, answer));
    return delivery;
  }

  /** The origin of the proxy. Cookies do not depend on the port, so those of the server are sent. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Delivers one piece at a time until all islands are hydrated and no request is pending. `settled` runs
   * after each piece.
   */
  async run(page: Page, order: Order, settled: (after: string) => Promise<void>): Promise<void> {
    let hydrated = false;
    const end = page.locator("html[data-hydrated]").waitFor({ state: "attached" });
    const ended = () => {
      hydrated = true;
      this.wake();
    };
    end.then(ended, ended);
    for (;;) {
      const woken = new Promise<void>((wake) => (this.wake = wake));
      const piece = this.next(order);
      if (piece) {
        await piece.deliver(page);
        // Without its style sheets a page is not rendered, so there is no frame to wait for.
        if (this.blocking.length === 0 || this.isParsing) await settled(piece.name);
      } else if (hydrated) {
        return end;
      } else {
        // A browser may hold a connection that it does not use, and then the blocking file is never requested. It does no
        // harm to deliver another one first: nothing is rendered before the blocking file arrives.
        const waiting = this.files.length > 0 && this.blocking.length > 0;
        const isStalled = await Promise.race([woken, stalled(waiting)]);
        if (isStalled) await this.files.shift()?.deliver(page);
      }
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  /** Whether only the parser is blocked, and no longer the rendering. */
  private isParsing = false;

  private next(order: Order): Piece | undefined {
    if (this.blocking.length > 0) {
      const at = this.files.findIndex(({ name }) => name === this.blocking[0]);
      if (at >= 0) {
        this.blocking.shift();
        return this.files.splice(at, 1)[0];
      }
      // The browser requests it once a connection is free: one is used by the document, the others by these files.
      if (this.files.length < CONNECTIONS - 1) return undefined;
    } else if (this.parts.length > 0) {
      return this.parts.shift();
    }
    return order === "first" ? this.files.shift() : this.files.pop();
  }

  private accept(asked: IncomingMessage, answer: ServerResponse): void {
    const path = asked.url!;
    // Events from other tests would change lists, so event streams are not delivered.
    if (path.startsWith("/events/")) return;
    const isDocument = asked.headers["sec-fetch-dest"] === "document";
    const headers = { ...asked.headers, host: this.upstream.host };
    if (isDocument) delete headers["accept-encoding"];
    const { hostname, port } = this.upstream;
    const forwarded = request({ hostname, port, path, method: asked.method, headers }, async (response) => {
      const body = Buffer.concat(await response.toArray());
      delete response.headers["transfer-encoding"];
      delete response.headers["content-length"];
      answer.writeHead(response.statusCode!, response.headers);
      if (isDocument && response.headers["content-type"]?.startsWith("text/html")) {
        this.begin(body.toString(), answer);
      } else if (path === ICON || isBeside(asked)) {
        answer.end(body);
      } else {
        const deliver = async (page: Page) => {
          const isThis = (request: Request) => request.url() === this.origin + path;
          // A browser may also cancel a request.
          const came = Promise.race([
            page.waitForEvent("requestfinished", isThis),
            page.waitForEvent("requestfailed", isThis),
          ]);
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
    const waited = [...this.blocking];
    answer.write(first.html);
    if (rest.length === 0) answer.end();
    this.parts = rest.map(({ html, mark, script }, at) => ({
      name: `part ${at + 2} of ${rest.length + 1} of the HTML`,
      deliver: async (page) => {
        this.isParsing = true;
        if (script) this.blocking.push(script);
        answer.write(html);
        if (at === rest.length - 1) answer.end();
        await page.waitForSelector(`[data-part="${mark}"]`, { state: "attached" });
      },
    }));
    if (first.script) this.blocking = [...waited, first.script];
  }
}

/** Whether a request is not one of the page: of a worker, or ahead of the next page. Playwright does not report its end. */
function isBeside({ headers }: IncomingMessage): boolean {
  const dest = String(headers["sec-fetch-dest"]);
  const worker = /\/(service|engine)_worker\.js/.test(headers.referer ?? "");
  return worker || dest.endsWith("worker") || headers["sec-purpose"] === "prefetch";
}

/** Resolves to `true` after a while, if something is waiting. */
function stalled(waiting: boolean): Promise<boolean> {
  return new Promise((resolve) => waiting && setTimeout(() => resolve(true), 2_000));
}

type Part = {
  html: string;
  /** The `data-part` of its last element, which shows that the part has been parsed. */
  mark: string;
  /** The script at its end that blocks the parser. */
  script?: string;
};

/** Comments, tags, and elements whose content contains no tags. */
const TAGS = /<!--[\s\S]*?-->|<(script|style|template|noscript|title|textarea)\b[\s\S]*?<\/\1>|<\/?[a-zA-Z][^>]*>/g;

/** Splits a document behind scripts that block the parser. */
function cut(html: string): Part[] {
  const parts: Part[] = [];
  const body = html.indexOf("<body");
  // Where the part begins, and where an attribute can be inserted into its last element.
  let start = 0;
  let last: number | undefined;
  const close = (end: number, script?: string) => {
    const mark = String(parts.length + 1);
    parts.push({ html: `${html.slice(start, last)} data-part="${mark}"${html.slice(last, end)}`, mark, script });
    start = end;
    last = undefined;
  };
  for (const { 0: tag, 1: section, index } of html.matchAll(TAGS)) {
    const end = index + tag.length;
    if (index < body || tag.startsWith("<!")) continue;
    const script = section === "script" ? /^<script src="([^"]*)"/.exec(tag)?.[1] : undefined;
    if (!section && !tag.startsWith("</")) last = index + /^<[a-zA-Z][\w-]*/.exec(tag)![0].length;
    else if (last !== undefined && script) close(end, script);
  }
  if (last === undefined) parts.at(-1)!.html += html.slice(start);
  else close(html.length);
  return parts;
}
