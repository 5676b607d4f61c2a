/** A server of a story's own, with a database of its own, for settings that the server of all stories does not have. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { dirname, join } from "node:path";

/** The longest wait for the server and its database. */
const START_MS = 90_000;
const POLL_MS = 200;

export class OwnServer {
  private constructor(
    readonly origin: string,
    private readonly process: ChildProcess,
    private readonly data: string,
  ) {}

  /** Starts the program that the stories use, with the settings of their server and these. */
  static async start(settings: (origin: string) => Record<string, string>): Promise<OwnServer> {
    const [port, linePort] = [await freePort(), await freePort()];
    const origin = `http://127.0.0.1:${port}`;
    const data = mkdtempSync(join(dirname(process.env.TOCHKI_E2E_DATA!), "tochki-e2e-own-"));
    const env = {
      ...process.env,
      LISTEN: `127.0.0.1:${port}`,
      LINE_LISTEN: `127.0.0.1:${linePort}`,
      DATA_DIR: data,
      RUST_LOG: "warn",
      LEPTOS_OUTPUT_NAME: "tochki",
      LEPTOS_SITE_ROOT: "target/site",
      LEPTOS_HASH_FILES: "true",
      LEPTOS_HASH_FILE_NAME: "../release/hash.txt",
      LEPTOS_ENV: "PROD",
      ...settings(origin),
    };
    const program = `target/${process.env.E2E_PROFILE ?? "debug"}/tochki`;
    const child = spawn(program, ["serve"], { cwd: "..", env, stdio: ["ignore", "ignore", "inherit"] });
    const server = new OwnServer(origin, child, data);
    const isReady = () => fetch(`${origin}/readyz`).then(({ ok }) => ok, () => false);
    const until = Date.now() + START_MS;
    while (!(await isReady())) {
      if (Date.now() > until || child.exitCode !== null) {
        await server.stop();
        throw new Error("the server does not start");
      }
      await new Promise((done) => setTimeout(done, POLL_MS));
    }
    return server;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      const ended = new Promise((done) => this.process.once("exit", done));
      this.process.kill("SIGTERM");
      await ended;
    }
    rmSync(this.data, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}
