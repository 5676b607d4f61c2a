/**
 * A push service on loopback, which a debug server sends to, and the keys of a browser that has subscribed there. A browser can be
 * pointed to no other push service than its own, so the page is given this subscription in place of one that it would make.
 */
import { createDecipheriv, createECDH, hkdfSync, randomBytes } from "node:crypto";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";

/** What the page of a subscription needs. Keys are in base64url. */
export type Subscription = { endpoint: string; p256dh: string; auth: string };

export class PushService {
  private readonly keys = createECDH("prime256v1");
  private readonly auth = randomBytes(16);
  private readonly pushes: string[] = [];
  private waiting?: (push: string) => void;

  private constructor(private readonly server: Server) {
    this.keys.generateKeys();
    server.on("request", (request, response) => {
      const parts: Buffer[] = [];
      request.on("data", (part) => parts.push(part));
      request.on("end", () => {
        response.writeHead(201).end();
        this.take(this.decrypt(Buffer.concat(parts)));
      });
    });
  }

  static async start(): Promise<PushService> {
    const server = createServer();
    await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
    return new PushService(server);
  }

  stop(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  get subscription(): Subscription {
    const { port } = this.server.address() as AddressInfo;
    const [p256dh, auth] = [this.keys.getPublicKey(), this.auth].map((bytes) => bytes.toString("base64url"));
    return { endpoint: `http://127.0.0.1:${port}/push`, p256dh, auth };
  }

  /** The next push, decrypted. */
  async next(): Promise<string> {
    return this.pushes.shift() ?? new Promise((resolve) => (this.waiting = resolve));
  }

  private take(push: string): void {
    if (this.waiting) this.waiting(push);
    else this.pushes.push(push);
    this.waiting = undefined;
  }

  /** Decrypts a push as a browser does (RFC 8291, `aes128gcm` of RFC 8188): one record. */
  private decrypt(body: Buffer): string {
    const salt = body.subarray(0, 16);
    const keyEnd = 21 + body[20];
    const sender = body.subarray(21, keyEnd);
    const derive = (secret: Buffer, from: Buffer, info: Buffer | string, length: number) =>
      Buffer.from(hkdfSync("sha256", secret, from, info, length));
    const info = Buffer.concat([Buffer.from("WebPush: info\0"), this.keys.getPublicKey(), sender]);
    const secret = derive(this.keys.computeSecret(sender), this.auth, info, 32);
    const key = derive(secret, salt, "Content-Encoding: aes128gcm\0", 16);
    const nonce = derive(secret, salt, "Content-Encoding: nonce\0", 12);
    const decipher = createDecipheriv("aes-128-gcm", key, nonce);
    decipher.setAuthTag(body.subarray(-16));
    const padded = Buffer.concat([decipher.update(body.subarray(keyEnd, -16)), decipher.final()]);
    // The last record ends with a 2, and zeros.
    return padded.subarray(0, padded.lastIndexOf(2)).toString();
  }
}

/** In a page: gives it this subscription in place of one of the browser's own push service. */
export function subscribeThere({ endpoint, p256dh, auth }: Subscription): void {
  const bytes = (text: string) =>
    Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0)).buffer;
  PushManager.prototype.subscribe = async (options) => {
    const applicationServerKey = bytes(options?.applicationServerKey as string);
    const keys: Record<string, ArrayBuffer> = { p256dh: bytes(p256dh), auth: bytes(auth) };
    const subscription = { endpoint, options: { applicationServerKey }, getKey: (name: string) => keys[name] };
    return subscription as unknown as PushSubscription;
  };
}
