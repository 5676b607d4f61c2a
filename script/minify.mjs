// Minifies the scripts of `public/` in the built site, adds the engines of `target/engines` to it, and compresses all of
// them as cargo-leptos does. `node script/minify.mjs target/site`, after `cargo leptos build --precompress`.
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

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

const engines = "target/engines";
mkdirSync(join(site, "engines"), { recursive: true });
for (const name of readdirSync(engines)) {
  if (name.endsWith(".js")) await minified(join(engines, name), join(site, "engines", name), true);
  if (name.endsWith(".wasm")) write(join(site, "engines", name), readFileSync(join(engines, name)));
}
