// @ts-check
/** The plural categories by which the server chooses texts, against those of browsers, which are of CLDR as well. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

/** @param {string} path */
const read = (path) => JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), "utf8"));

/** The categories of 0 to 120 in each language, a letter each. @type {Record<string, string>} */
const samples = read("crates/pages/src/translations/plural_samples.json");

const locales = readdirSync(new URL("../../locales", import.meta.url)).map((file) => file.replace(".json", ""));

/** @type {Record<string, string>} */
const LETTERS = { zero: "0", one: "1", two: "2", few: "f", many: "m", other: "." };

test("the list of plural categories is that of this engine, for every language", () => {
  for (const code of [...Object.keys(samples), ...locales]) {
    const rules = new Intl.PluralRules(code);
    const expected = Array.from({ length: 121 }, (_, number) => LETTERS[rules.select(number)]).join("");
    assert.equal(samples[code], expected, code);
  }
});

test("each language has the decimal mark and the direction of CLDR", () => {
  for (const code of locales) {
    const { decimal, direction } = read(`locales/${code}.json`).language;
    const mark = new Intl.NumberFormat(code).formatToParts(1.5).find(({ type }) => type === "decimal");
    assert.equal(decimal, mark?.value, code);
    const { textInfo } = /** @type {any} */ (new Intl.Locale(code));
    assert.equal(direction, textInfo.direction, code);
  }
});
