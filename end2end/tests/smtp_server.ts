/** An SMTP server on loopback: takes every mail, and reads it as a mail program does. */
import { createServer, type AddressInfo, type Server, type Socket } from "node:net";

export type Mail = { to: string[]; subject: string; text: string };

export class SmtpServer {
  private readonly mails: Mail[] = [];
  private waiting?: (mail: Mail) => void;
  private readonly sockets = new Set<Socket>();

  private constructor(private readonly server: Server) {
    server.on("connection", (socket) => {
      this.sockets.add(socket);
      socket.on("close", () => this.sockets.delete(socket));
      socket.on("error", () => socket.destroy());
      this.talk(socket);
    });
  }

  static async start(): Promise<SmtpServer> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new SmtpServer(server);
  }

  get url(): string {
    return `smtp://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  /** The next mail. */
  async next(): Promise<Mail> {
    return this.mails.shift() ?? new Promise((resolve) => (this.waiting = resolve));
  }

  private talk(socket: Socket): void {
    let received = "";
    let to: string[] = [];
    let isData = false;
    const answer = (text: string) => socket.write(`${text}\r\n`);
    answer("220 test");
    socket.on("data", (bytes) => {
      received += bytes.toString("latin1");
      for (;;) {
        const end = isData ? "\r\n.\r\n" : "\r\n";
        const at = received.indexOf(end);
        if (at < 0) return;
        const part = received.slice(0, at);
        received = received.slice(at + end.length);
        if (isData) {
          isData = false;
          this.take(readMail(to, part.replaceAll("\r\n..", "\r\n.")));
          to = [];
          answer("250 ok");
          continue;
        }
        const verb = part.slice(0, 4).toUpperCase();
        if (verb === "EHLO") answer("250-test\r\n250 8BITMIME");
        else if (verb === "QUIT") answer("221 bye");
        else if (verb === "DATA") {
          isData = true;
          answer("354 go on");
        } else {
          if (verb === "RCPT") to.push(/<(.*)>/.exec(part)![1]);
          answer("250 ok");
        }
      }
    });
  }

  private take(mail: Mail): void {
    if (this.waiting) this.waiting(mail);
    else this.mails.push(mail);
    this.waiting = undefined;
  }
}

/** Reads the subject, and the plain text of the first part that has one. */
function readMail(to: string[], mail: string): Mail {
  const [headers, body] = split(mail);
  const boundary = /boundary="?([^"\r\n;]+)/i.exec(headers)?.[1];
  const parts = boundary ? body.split(`--${boundary}`).map(split) : [[headers, body]];
  const [partHeaders, text] = parts.find(([own]) => /text\/plain/i.test(own))!;
  const subject = /^subject: (.*)$/im.exec(headers)?.[1].trim() ?? "";
  return { to, subject, text: decode(partHeaders, text) };
}

function split(text: string): [string, string] {
  const at = text.indexOf("\r\n\r\n");
  return [text.slice(0, at), text.slice(at + 4)];
}

function decode(headers: string, text: string): string {
  const encoding = /content-transfer-encoding: (\S+)/i.exec(headers)?.[1].toLowerCase();
  if (encoding === "base64") return Buffer.from(text, "base64").toString();
  if (encoding !== "quoted-printable") return Buffer.from(text, "latin1").toString();
  const joined = text.replaceAll("=\r\n", "");
  const bytes = joined.replace(/=([0-9A-F]{2})/gi, (_, hex) => String.fromCharCode(parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString();
}
