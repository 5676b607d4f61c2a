// Makes the site of the release: `node script/site.mjs SITE HASHES`. Into the folder SITE come `public`, its scripts minified, the
// styles as one file, the engines of `target/engines`, and the client that `site-builder` has made in `target/front/pkg`; all of
// them also compressed. The file HASHES tells the server the names of the client's files.
import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { availableParallelism, tmpdir } from "node:os";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { renameImports, renameInScript, shortNames } from "./import_names.mjs";
import { withFailuresTold } from "./missing_parts.mjs";
import { withoutStreams, withoutUnused } from "./unused_code.mjs";

const require = createRequire(new URL("../end2end/package.json", import.meta.url));
const { minify } = require("terser");

const [site, hashes] = process.argv.slice(2);
const client = "target/front/pkg";
const engines = "target/engines";

/** The oldest browsers for which newer syntax of styles is rewritten: those that know `:has` and ranges of widths. */
const STYLED_BROWSERS = { chrome: 109, edge: 109, firefox: 121, safari: 16.4, ios_saf: 16.4, samsung: 21, opera: 95 };

/** The place of a hash in the names of the client's files, which are in its scripts and modules: it has to be as long as one. */
const HASH = "_".repeat(22);

/** Calls a function with each item, with as many at once as there are processors. */
async function each(items, call) {
  const rest = [...items];
  const worker = async () => {
    for (let item = rest.shift(); item !== undefined; item = rest.shift()) await call(item);
  };
  await Promise.all(Array.from({ length: availableParallelism() }, worker));
}

async function minified(file, module, text = readFileSync(file, "utf8")) {
  const { code } = await minify(text, { ecma: 2020, module, compress: { passes: 2 }, mangle: { toplevel: module } });
  return code;
}

/** Makes one style sheet of a file and of those that it imports. @param {string} file */
async function styles(file) {
  const { default: init, bundleAsync } = require("lightningcss-wasm");
  await init();
  const versions = Object.entries(STYLED_BROWSERS).map(([name, version]) => {
    const [major, minor = 0] = String(version).split(".").map(Number);
    return [name, (major << 16) | (minor << 8)];
  });
  const { code } = await bundleAsync({
    filename: resolve(file),
    minify: true,
    targets: Object.fromEntries(versions),
    resolver: { read: (file) => readFileSync(file, "utf8"), resolve: (name, from) => join(dirname(from), name) },
  });
  return Buffer.from(code);
}

/** The paths of sources in messages of panics. Of those that are not ours, only line and column are kept: 1 kB of a first visit. */
const FOREIGN_PATH = /\/(?:[\x21-\x7e]{1,80}\/registry\/src\/|rustc\/)[\x21-\x7e]{1,200}?\.rs/g;

/** @param {Buffer} wasm */
function withoutForeignPaths(wasm) {
  // As long as before, because addresses follow them. wasm-opt leaves out zeros.
  const text = wasm.toString("latin1").replace(FOREIGN_PATH, (path) => "\0".repeat(path.length));
  return Buffer.from(text, "latin1");
}

/** Optimizes a module of the client for size. */
async function optimized(file) {
  const input = join(work, basename(file));
  const output = `${input}.out`;
  writeFileSync(input, withoutStreams(withoutForeignPaths(readFileSync(file))));
  // Measured: other orders and fewer passes are 1 % larger, compressed.
  const passes = ["-Oz", "-Os", "--flatten", "--rereloop", "-Os", "-Os", "-Os"];
  const program = spawn("wasm-opt", ["--enable-bulk-memory", "--enable-nontrapping-float-to-int", ...passes, input, "-o", output], {
    stdio: "inherit",
  });
  const status = await new Promise((ended, failed) => program.on("exit", ended).on("error", failed));
  if (status !== 0) throw new Error(`wasm-opt failed at ${file}`);
  return readFileSync(output);
}

/** The files of the site by their paths. @type {Map<string, Buffer>} */
const files = new Map();

for (const name of readdirSync("public")) {
  const isScript = name.endsWith(".js");
  files.set(name, isScript ? Buffer.from(await minified(join("public", name), false)) : readFileSync(join("public", name)));
}
for (const name of readdirSync(engines)) {
  if (name.endsWith(".js")) files.set(`engines/${name}`, Buffer.from(await minified(join(engines, name), true)));
  if (name.endsWith(".wasm")) files.set(`engines/${name}`, readFileSync(join(engines, name)));
}

const work = join(tmpdir(), `tochki-site-${process.pid}`);
mkdirSync(work);
process.on("exit", () => rmSync(work, { recursive: true, force: true }));

const linked = readFileSync(join(client, "tochki.js"), "utf8");
const names = shortNames(linked);
const loader = `__wasm_split.${HASH}.js`;
const loading = withFailuresTold(readFileSync(join(client, loader), "utf8"));
/** The files of the client, their names still without a hash. @type {Map<string, Buffer>} */
const code = new Map();
/** The names of what the modules import. @type {Set<string>} */
const imported = new Set();
const parts = readdirSync(client).sort();
await each(parts.filter((name) => name.endsWith(".wasm")), async (name) => {
  const file = join(client, name);
  const module = await optimized(file);
  for (const { name } of WebAssembly.Module.imports(await WebAssembly.compile(module))) imported.add(name);
  const renamed = renameImports(module, names);
  console.log(`${name}: ${statSync(file).size} -> ${renamed.length} bytes`);
  // As the server asks for it.
  code.set(name === "tochki_bg.wasm" ? "tochki.wasm" : name, renamed);
});
for (const name of parts.filter((name) => !name.endsWith(".wasm"))) {
  const file = join(client, name);
  if (name.endsWith(".js")) {
    const text = name === "tochki.js" ? withoutUnused(linked, imported) : name === loader ? loading : undefined;
    code.set(name, Buffer.from(renameInScript(await minified(file, true, text), names)));
  } else {
    code.set(name, readFileSync(file));
  }
}

// Browsers keep these files for good, by their addresses. The files name one another, so that a change of one changes others: all
// have one hash, of all of them.
const contents = [...code].sort(([one], [other]) => (one < other ? -1 : 1));
// The splitter writes the lists of its loader in another order in each run; by its words in alphabetical order, the same client
// has the same hash.
const words = loading.split(/\W+/).sort();
const hashed = contents.map(([name, content]) => [name, name.includes(HASH) ? words.join(" ") : content]);
const digest = (parts) => parts.reduce((hash, part) => hash.update(part), createHash("sha256")).digest("base64url").slice(0, HASH.length);
const hash = digest(hashed.flat());
const withHash = (name) => (name.includes(HASH) ? name.replace(HASH, hash) : name.replace(/\.(?=\w+$)/, `.${hash}.`));
for (const [name, content] of contents) {
  // In modules it is the name of the loader alone, which is as long as before.
  let text = content.toString("latin1").replaceAll(HASH, hash);
  if (name.endsWith(".js")) {
    for (const other of code.keys()) text = text.replaceAll(`"./${other}"`, `"./${withHash(other)}"`);
  }
  if (name.endsWith(".json")) {
    const lists = Object.entries(JSON.parse(text)).map(([island, parts]) => [island, parts.map((part) => `${part}.${hash}`)]);
    text = JSON.stringify(Object.fromEntries(lists));
  }
  files.set(`pkg/${withHash(name)}`, Buffer.from(text, "latin1"));
}
const css = await styles("style/main.css");
const cssHash = digest([css]);
files.set(`pkg/tochki.${cssHash}.css`, css);
// For the server, which puts it into pages.
files.set("first_visit.css", await styles("style/first_visit.css"));

rmSync(site, { recursive: true, force: true });
for (const folder of ["engines", "pkg"]) mkdirSync(join(site, folder), { recursive: true });
await each(files, async ([name, content]) => {
  const file = join(site, name);
  const parameters = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
    // Measured: with blocks of 64 KiB the code of the client is 0.1 % smaller than with those that the library chooses.
    ...(file.endsWith(".wasm") && { [constants.BROTLI_PARAM_LGBLOCK]: 16 }),
  };
  writeFileSync(file, content);
  writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }));
  writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params: parameters }));
});
mkdirSync(dirname(hashes), { recursive: true });
writeFileSync(hashes, `js: ${hash}\nwasm: ${hash}\ncss: ${cssHash}\nmanifest: ${hash}\nsplit: ${hash}\n`);
