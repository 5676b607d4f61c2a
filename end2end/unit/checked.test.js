// @ts-check
/** All scripts of ours are type-checked, and those of the pages have unit tests. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** The scripts of a folder. @param {URL} folder */
function scriptsOf(folder) {
  const scripts = readdirSync(folder).filter((name) => name.endsWith(".js"));
  assert(scripts.length > 0);
  return scripts;
}

const pages = new URL("../../public/", import.meta.url);
const tests = new URL("./", import.meta.url);

test("every script is type-checked", () => {
  for (const folder of [pages, tests]) {
    for (const name of scriptsOf(folder)) {
      assert.match(readFileSync(new URL(name, folder), "utf8"), /^\/\/ @ts-check\n/, name);
    }
  }
});

test("every script of the pages has a unit test that runs it", () => {
  const texts = scriptsOf(tests).filter((name) => name.endsWith(".test.js"));
  const run = texts.map((name) => readFileSync(new URL(name, tests), "utf8")).join("\n");
  for (const name of scriptsOf(pages)) {
    const calls = [`run("${name}")`, `runClassic("${name}")`, `preload("${name}")`, `public/${name}"`];
    assert(calls.some((call) => run.includes(call)), name);
  }
});
