/** WebKitGTK, driven by its WebDriver, on a virtual display if there is no other. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { installed } from "../installed";
import { WINDOW, type Driver } from "./driver";

const driver = installed("WebKitWebDriver");
const browser = installed(
  ...["4.1", "4.0", "6.0"].flatMap((version) => [
    `/usr/lib/x86_64-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
    `/usr/lib/aarch64-linux-gnu/webkit2gtk-${version}/MiniBrowser`,
  ]),
);
const display = installed("Xvfb");

/** Undefined if a program is missing. */
export const program = driver && browser && (display ?? process.env.DISPLAY) ? browser : undefined;

/** The Enter key in WebDriver. */
const ENTER = "\uE007";

/** The key of an element in the JSON of WebDriver. */
type Value = Record<string, unknown> | null;

export async function open(): Promise<Driver> {
  const processes: ChildProcess[] = [];
  const env: NodeJS.ProcessEnv = { ...process.env, LANGUAGE: "en", WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1" };
  if (!env.DISPLAY) {
    // The display server chooses a free display number, and prints it when it is ready.
    const server = spawn(display!, ["-displayfd", "1", "-screen", "0", "1400x1100x24", "-nolisten", "tcp"], {
      stdio: ["ignore", "pipe", "ignore"],
    });
    processes.push(server);
    const [number] = await once(server.stdout!, "data");
    env.DISPLAY = `:${String(number).trim()}`;
  }
  const port = await freePort();
  processes.push(spawn(driver!, [`--port=${port}`], { env, stdio: "ignore" }));
  const origin = `http://127.0.0.1:${port}`;
  await ready(origin);

  const call = async (method: string, path: string, body?: object): Promise<Value> => {
    const response = await fetch(origin + path, { method, body: body && JSON.stringify(body) });
    const { value } = await response.json();
    if (!response.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`);
    return value;
  };
  const options = { binary: browser, args: ["--automation"] };
  const capabilities = { alwaysMatch: { "webkitgtk:browserOptions": options } };
  const { sessionId } = (await call("POST", "/session", { capabilities }))!;
  const post = (path: string, body: object) => call("POST", `/session/${sessionId}/${path}`, body);
  const mouse = (...actions: object[]) =>
    post("actions", { actions: [{ type: "pointer", id: "mouse", parameters: { pointerType: "mouse" }, actions }] });
  const move = (x: number, y: number) => ({ type: "pointerMove", duration: 0, x: Math.round(x), y: Math.round(y) });
  await post("window/rect", WINDOW);

  return {
    goto: async (url) => void (await post("url", { url })),
    evaluate: async (call, ...args) =>
      (await post("execute/sync", { script: `return (${call}).apply(null, arguments)`, args })) as never,
    moveTo: async (x, y) => void (await mouse(move(x, y))),
    click: async (x, y) =>
      void (await mouse(move(x, y), { type: "pointerDown", button: 0 }, { type: "pointerUp", button: 0 })),
    type: async (text) => {
      const characters = [...text].map((character) => (character === "\n" ? ENTER : character));
      const keys = characters.flatMap((value) => [
        { type: "keyDown", value },
        { type: "keyUp", value },
      ]);
      await post("actions", { actions: [{ type: "key", id: "keyboard", actions: keys }] });
    },
    close: async () => {
      await call("DELETE", `/session/${sessionId}`);
      for (const process of processes.reverse()) {
        process.kill();
        if (process.exitCode === null && process.signalCode === null) await once(process, "exit");
      }
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Waits until the driver answers. */
async function ready(origin: string): Promise<void> {
  const deadline = Date.now() + 30_000;
  for (;;) {
    const response = await fetch(`${origin}/status`).catch(() => null);
    if (response?.ok) return;
    if (Date.now() > deadline) throw new Error("WebKitWebDriver does not answer");
    await new Promise((retry) => setTimeout(retry, 100));
  }
}
