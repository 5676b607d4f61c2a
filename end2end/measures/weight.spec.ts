/** What a first visit to a page fetches, in bytes as they come over the wire: compressed, from the real server. */
import type { Browser } from "@playwright/test";
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "../tests/fixtures";
import { open, scenes } from "../tests/scenes";
import type { Stage } from "../tests/stage";

/** For a table, whoever looks at it. */
const budget = 230_000;

/** The files of the client. */
const client = "../target/site/pkg";

type Fetched = { path: string; bytes: number };

test("a first visit to a table fetches at most 230 kB", async ({ browser, stage }) => {
  const weighed = new Map<string, number>();
  for (const name of ["table-own-turn", "table-watched", "front", "login", "register", "waiting-room"]) {
    const fetched = await visit(name, browser, stage);
    const total = fetched.reduce((sum, { bytes }) => sum + bytes, 0);
    weighed.set(name, total);
    for (const { path, bytes } of [...fetched, { path: `= ${name}`, bytes: total }]) {
      console.log(`${String(bytes).padStart(9)}  ${path}`);
    }
  }
  expect.soft(weighed.get("table-own-turn")).toBeLessThanOrEqual(budget);
  expect.soft(weighed.get("table-watched")).toBeLessThanOrEqual(budget);
});

test("islands say only what is in the list of their texts", () => {
  const unlisted = new Set<string>();
  for (const file of readdirSync(client).filter((file) => file.endsWith(".wasm"))) {
    // `build.rs` puts the key where there is no text for the client.
    for (const [, key] of readFileSync(`${client}/${file}`, "latin1").matchAll(/\[text:(\w+\.\w+)\]/g)) {
      unlisted.add(key);
    }
  }
  expect([...unlisted].sort(), "add these keys to src/ui/text/islands.json").toEqual([]);
});

/** Opens a scene in a browser that has never been here, and notes everything that comes. */
async function visit(name: string, browser: Browser, stage: Stage): Promise<Fetched[]> {
  const scene = scenes.find((scene) => scene.name === name)!;
  const coming = new Map<string, string>();
  const bodies = new Map<string, number>();
  const fetched: Fetched[] = [];
  const page = await open(scene, {}, browser, stage, async (page) => {
    const line = await page.context().newCDPSession(page);
    await line.send("Network.enable");
    line.on("Network.responseReceived", ({ requestId, response, type }) => {
      const { pathname } = new URL(response.url);
      // What is not compressed would weigh too much and tell nothing about what visitors get.
      if (/\.(js|wasm|css)$/.test(pathname)) expect(response.headers["content-encoding"], pathname).toBe("br");
      // The stream of events never ends.
      if (type !== "EventSource") coming.set(requestId, pathname);
    });
    // Files as their bodies come over the line. Of a document, which has no length beforehand, the browser tells only the
    // whole with its head.
    line.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
      bodies.set(requestId, (bodies.get(requestId) ?? 0) + encodedDataLength);
    });
    line.on("Network.loadingFinished", ({ requestId, encodedDataLength }) => {
      const path = coming.get(requestId);
      if (path) fetched.push({ path, bytes: bodies.get(requestId) || encodedDataLength });
      coming.delete(requestId);
    });
  });
  await expect.poll(() => coming.size, "everything has come").toBe(0);
  // What a browser with a window asks for by itself.
  for (const path of ["/icon.svg", "/manifest.webmanifest"]) {
    if (fetched.some((file) => file.path === path)) continue;
    const answer = await page.request.get(path);
    fetched.push({ path, bytes: Number(answer.headers()["content-length"]) });
  }
  await page.context().close();
  return fetched.sort((one, other) => other.bytes - one.bytes);
}
