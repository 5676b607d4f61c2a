// Minifies the scripts of `public/` in the built site, and compresses them again as cargo-leptos does.
// `node script/minify.mjs target/site`, after `cargo leptos build --precompress`.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { brotliCompressSync, constants, gzipSync } from "node:zlib";

const require = createRequire(new URL("../end2end/package.json", import.meta.url));
const { minify } = require("terser");

const site = process.argv[2];
for (const name of readdirSync("public")) {
  if (!name.endsWith(".js") || name.includes(".min.")) continue;
  const source = readFileSync(join("public", name), "utf8");
  const { code } = await minify(source, { ecma: 2020, compress: { passes: 2 }, mangle: { toplevel: false } });
  const file = join(site, name);
  writeFileSync(file, code);
  writeFileSync(`${file}.gz`, gzipSync(code, { level: 9 }));
  writeFileSync(`${file}.br`, brotliCompressSync(code, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }));
  console.log(`${name}: ${source.length} -> ${code.length} bytes`);
}
