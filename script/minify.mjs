// Minifies the scripts of `public/` and the WebAssembly in the built site, adds the engines of `target/engines` to it, and
// compresses all of them as cargo-leptos does. `node script/minify.mjs target/site`, after `cargo leptos build --precompress`.
import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { renameImports, renameInScript, shortNames } from "./import_names.mjs";

const require = createRequire(new URL("../end2end/package.json", import.meta.url));
const { minify } = require("terser");

const site = process.argv[2];

/** Writes a file and its compressed copies. */
function write(file, content) {
  writeFileSync(file, content);
  writeFileSync(`${file}.gz`, gzipSync(content, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(content, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
}

/** Minifies a script into the site. */
async function minified(source, file, module) {
  const text = readFileSync(source, "utf8");
  const { code } = await minify(text, { ecma: 2020, module, compress: { passes: 2 }, mangle: { toplevel: module } });
  write(file, code);
  console.log(`${source}: ${text.length} -> ${code.length} bytes`);
}

for (const name of readdirSync("public")) {
  if (name.endsWith(".js") && !name.includes(".min.")) await minified(join("public", name), join(site, name), false);
}

/** The paths of sources in messages of panics. Of those that are not ours, only line and column are kept: 1 kB of a first visit. */
const FOREIGN_PATH = /\/(?:[\x21-\x7e]{1,80}\/registry\/src\/|rustc\/)[\x21-\x7e]{1,200}?\.rs/g;

/** @param {Buffer} wasm */
function withoutForeignPaths(wasm) {
  // As long as before, because addresses follow them. wasm-opt leaves out what is zero.
  const text = wasm.toString("latin1").replace(FOREIGN_PATH, (path) => "\0".repeat(path.length));
  return Buffer.from(text, "latin1");
}

const engines = "target/engines";
mkdirSync(join(site, "engines"), { recursive: true });
for (const name of readdirSync(engines)) {
  if (name.endsWith(".js")) await minified(join(engines, name), join(site, "engines", name), true);
  if (name.endsWith(".wasm")) write(join(site, "engines", name), readFileSync(join(engines, name)));
}

const pkg = join(site, "pkg");
const client = readdirSync(pkg).find((name) => /^tochki\..*\.js$/.test(name));
if (!client) throw new Error(`no script of the client in ${pkg}`);
const script = readFileSync(join(pkg, client), "utf8");
const names = shortNames(script);
for (const name of readdirSync(pkg)) {
  if (!name.endsWith(".wasm")) continue;
  const file = join(pkg, name);
  const linked = readFileSync(file);
  const before = linked.length;
  writeFileSync(file, withoutForeignPaths(linked));
  // In this order it is 1 % smaller, compressed, than what cargo-leptos makes with one pass.
  const passes = ["-Os", "--flatten", "--rereloop", "-Os", "-Os"];
  const { status } = spawnSync("wasm-opt", [...passes, file, "-o", file], { stdio: "inherit" });
  if (status !== 0) throw new Error(`wasm-opt failed at ${file}`);
  write(file, renameImports(readFileSync(file), names));
  console.log(`${file}: ${before} -> ${readFileSync(file).length} bytes`);
}
write(join(pkg, client), renameInScript(script, names));
// The script that loads the parts of a split module is not minified by cargo-leptos.
for (const name of readdirSync(pkg)) {
  if (/^__wasm_split\..*\.js$/.test(name)) await minified(join(pkg, name), join(pkg, name), true);
}
