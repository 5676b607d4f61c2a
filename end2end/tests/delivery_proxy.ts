/**
 * A proxy between a page and the server that delivers what the page fetches one piece at a time: the HTML in parts, and
 * each file (style sheets, scripts, WebAssembly) by itself, once the page has come to rest with what it has.
 *
 * A slow or busy machine does the same by chance. Here it happens every time, and in a known order.
 */
import { once } from "node:events";
import { createServer, request, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page, Request } from "@playwright/test";

/** Which of the files that wait is delivered next: the one asked for first, or the one asked for last. */
export type Order = "first" | "last";

/** The icon of a tab, which is nowhere on the page. */
const ICON = "/icon.svg";

/** How many connections a browser has to a host over HTTP/1.1. */
const CONNECTIONS = 6;

/** Something that can be delivered now. */
type Piece = {
  name: string;
  deliver: (page: Page) => Promise<void>;
};

export class Delivery {
  /** Files that the page has asked for, by the order in which it did. */
  private readonly files: Piece[] = [];
  /** What is left of the document. */
  private parts: Piece[] = [];
  /** Files without which the page is not rendered, or its parser does not go on: they come before all else. */
  private blocking: string[] = [];
  /** Called whenever there may be something new to deliver. */
  private wake = () => {};

  private constructor(
    private readonly upstream: URL,
    private readonly server: Server,
  ) {}

  /**
   * The HTML is cut where the parser waits for a script, because there every browser shows what it has so far.
   */
  static async start(upstream: string): Promise<Delivery> {
    const server = createServer();
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const delivery = new Delivery(new URL(upstream), server);
    server.on("request", (asked, answer) => delivery.accept(asked, answer));
    return delivery;
  }

  /** Where the page is to be loaded from. Cookies know no ports, so they are the server's. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /**
   * Delivers everything, one piece at a time, until all islands are hydrated and nothing more is asked for. `settled` runs
   * after each piece.
   */
  async run(page: Page, order: Order, settled: (after: string) => Promise<void>): Promise<void> {
    let hydrated = false;
    const end = page.locator("html[data-awake]").waitFor({ state: "attached" });
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
        // Without its style sheets a page is not rendered, and has no frame to wait for.
        if (this.blocking.length === 0 || this.isParsing) await settled(piece.name);
      } else if (hydrated) {
        return end;
      } else {
        await woken;
      }
    }
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }

  /** Whether what is blocked is the parser, and no more the rendering. */
  private isParsing = false;

  private next(order: Order): Piece | undefined {
    if (this.blocking.length > 0) {
      const at = this.files.findIndex(({ name }) => name === this.blocking[0]);
      if (at >= 0) {
        this.blocking.shift();
        return this.files.splice(at, 1)[0];
      }
      // The browser asks for it when one of its connections is free: one has the document, the others have these files.
      if (this.files.length < CONNECTIONS - 1) return undefined;
    } else if (this.parts.length > 0) {
      return this.parts.shift();
    }
    return order === "first" ? this.files.shift() : this.files.pop();
  }

  private accept(asked: IncomingMessage, answer: ServerResponse): void {
    const path = asked.url!;
    // What others do in the meantime moves lists, too; so nobody is heard of.
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
      } else if (path === ICON) {
        answer.end(body);
      } else {
        const deliver = async (page: Page) => {
          const isThis = (request: Request) => request.url() === this.origin + path;
          // A browser may give up a request, too.
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

type Part = {
  html: string;
  /** What its last element has as `data-part`, by which it can be seen to have been parsed. */
  mark: string;
  /** The script at its end without which the parser does not go on. */
  script?: string;
};

/** Comments, tags, and sections whose tags are no elements of the document. */
const TAGS = /<!--[\s\S]*?-->|<(script|style|template|noscript|title|textarea)\b[\s\S]*?<\/\1>|<\/?[a-zA-Z][^>]*>/g;

/** Cuts a document behind scripts that the parser waits for. */
function cut(html: string): Part[] {
  const parts: Part[] = [];
  const body = html.indexOf("<body");
  // Where the part begins, and where its last element can take one more attribute.
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
