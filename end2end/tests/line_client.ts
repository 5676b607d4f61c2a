/** A raw client of the line protocol (`docs/line.md`): lines out, lines in, and `PONG` to `PING`. */
import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { expect } from "@playwright/test";

/** A name of a player or a game that nobody else has. The protocol knows letters alone. */
export function uniqueName(prefix: string): string {
  const letter = () => String.fromCharCode("a".charCodeAt(0) + randomInt(26));
  return prefix + Array.from({ length: 8 }, letter).join("");
}

/** A connection that is logged in as a guest. */
export class LineClient {
  /** The boxes that it has heard it has closed. */
  boxes = 0;
  /** Lines that have come and were not asked for yet. */
  private readonly received: string[] = [];

  private constructor(
    readonly name: string,
    private readonly socket: Socket,
  ) {
    createInterface({ input: socket }).on("line", (line) => {
      if (line === "PING") this.send("PONG");
      else this.received.push(line);
    });
  }

  static async logIn(name: string): Promise<LineClient> {
    const [host, port] = process.env.TOCHKI_E2E_LINE!.split(":");
    const socket = createConnection(Number(port), host);
    await once(socket, "connect");
    const client = new LineClient(name, socket);
    await client.ask(`LOGIN|${name}`, "OK");
    return client;
  }

  /** Sends a request, and expects this answer. */
  async ask(request: string, answer: string): Promise<void> {
    this.send(request);
    await this.expect(answer);
  }

  /** The next line. */
  async next(): Promise<string> {
    const options = { message: `a line for ${this.name}`, intervals: [10] };
    await expect.poll(() => this.received.length, options).toBeGreaterThan(0);
    return this.received.shift()!;
  }

  /** The next lines are these. */
  async expect(...lines: string[]): Promise<void> {
    for (const line of lines) expect(await this.next(), `what ${this.name} hears`).toBe(line);
  }

  /** Reads on to who is on turn, or how the game ended, and counts the boxes that are its own. */
  async turn(): Promise<string> {
    for (;;) {
      const line = await this.next();
      const [word, ...fields] = line.split("|");
      if (["ON_TURN", "OP_TURN", "END"].includes(word)) return line;
      expect(word, `what ${this.name} hears`).toMatch(/^(OP_)?ACQ$/);
      if (word === "ACQ") this.boxes += fields.length / 2;
    }
  }

  close(): void {
    this.socket.destroy();
  }

  private send(request: string): void {
    this.socket.write(`${request}\n`);
  }
}
