// @ts-check
/** All scripts of ours are type-checked. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

test("every script is type-checked", () => {
  for (const folder of ["../../public/", "./"]) {
    const url = new URL(folder, import.meta.url);
    // Vendored files have their versions in their names.
    const scripts = readdirSync(url).filter((name) => name.endsWith(".js") && !/-\d/.test(name));
    assert(scripts.length > 0);
    for (const name of scripts) {
      assert.match(readFileSync(new URL(name, url), "utf8"), /^\/\/ @ts-check\n/, name);
    }
  }
});
