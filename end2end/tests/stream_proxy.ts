/** A proxy before the server that knows which event streams are open: those of a shared worker are requests of no page. */
import { once } from "node:events";
import { createServer, request, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { expect } from "@playwright/test";

export type OpenStream = { topics: string[]; session: string };

export class StreamProxy {
  private readonly streams = new Set<OpenStream>();

  private constructor(private readonly server: Server) {}

  static async start(upstream: string): Promise<StreamProxy> {
    const { hostname, port, host, origin } = new URL(upstream);
    const server = createServer();
    const proxy = new StreamProxy(server);
    server.on("request", (asked, answer) => {
      const headers = { ...asked.headers, host };
      if (headers.origin) headers.origin = origin;
      const { pathname, searchParams } = new URL(asked.url!, upstream);
      const forwarded = request({ hostname, port, path: asked.url, method: asked.method, headers }, (response) => {
        answer.writeHead(response.statusCode!, response.headers);
        response.pipe(answer);
        if (pathname !== "/events" || response.statusCode !== 200) return;
        const stream = { topics: searchParams.get("topics")!.split(","), session: searchParams.get("session")! };
        proxy.streams.add(stream);
        answer.on("close", () => proxy.streams.delete(stream));
      });
      forwarded.on("error", () => answer.destroy());
      answer.on("close", () => forwarded.destroy());
      asked.pipe(forwarded);
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    return proxy;
  }

  /** Cookies do not depend on the port, so those of the server are sent. */
  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** The streams that are open now. */
  get open(): OpenStream[] {
    return [...this.streams];
  }

  /** Waits until these many streams are open with these topics, whatever their versions. */
  async expectOpen(count: number, topics: string[]): Promise<void> {
    await expect
      .poll(() => ({ count: this.open.length, topics: [...new Set(this.open.flatMap(namesOf))].sort() }))
      .toEqual({ count, topics: [...topics].sort() });
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    this.server.close();
    await once(this.server, "close");
  }
}

const namesOf = ({ topics }: OpenStream) => topics.map((topic) => topic.split("@")[0]);
