// Weighs what a first visit to a table fetches from the built site, in brotli, and fails above the budget.
// Run after `cargo leptos build --release --precompress`, in any folder.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { extname, join, relative } from "node:path";
import { brotliCompressSync } from "node:zlib";

const budget = 250_000;
const site = join(import.meta.dirname, "..", "target", "site");

/** The client itself, and the icons a browser asks for by itself. Sounds come with the first move, if at all. */
const fetched = new Set([".js", ".wasm", ".css", ".svg", ".ico", ".png", ".webmanifest"]);

/** What goes over the wire: the file compressed beforehand, or as it is where that is no bigger. */
function weigh(file) {
  const compressed = existsSync(`${file}.br`)
    ? statSync(`${file}.br`).size
    : brotliCompressSync(readFileSync(file)).length;
  return Math.min(compressed, statSync(file).size);
}

if (!existsSync(join(site, "pkg"))) {
  console.error(`There is no ${join(site, "pkg")}: build the site first.`);
  process.exit(1);
}
const files = readdirSync(site, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && fetched.has(extname(entry.name)))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((file) => ({ name: relative(site, file), bytes: weigh(file) }))
  .sort((one, other) => other.bytes - one.bytes);
const total = files.reduce((sum, { bytes }) => sum + bytes, 0);

for (const { name, bytes } of [...files, { name: `of at most ${budget}`, bytes: total }]) {
  console.log(`${String(bytes).padStart(9)}  ${name}`);
}
for (const kind of [".js", ".wasm", ".css"]) {
  if (!files.some(({ name }) => extname(name) === kind)) {
    console.error(`The site has no ${kind} file; a weight without it says nothing.`);
    process.exit(1);
  }
}
if (total > budget) {
  console.error(`A first visit weighs ${total - budget} bytes too much.`);
  process.exit(1);
}
