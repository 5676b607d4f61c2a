// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { renameImports, renameInScript, shortNames } from "../../script/import_names.mjs";

const SCRIPT = `const imports = {
  __wbg_log_0123456789abcdef: (text) => heard.push(text),
  __wbindgen_cast_0000000000000001: () => 7,
  __wbg_log_0123456789abcdef_too: 1,
};`;

/** A module that imports the function of each name, a memory and a table, and exports the first function. @param {string[]} names */
function moduleOf(names) {
  /** @param {string} text */
  const text = (text) => [text.length, ...Buffer.from(text)];
  const imports = [
    [...text("env"), ...text("memory"), 2, 1, 1, 200, 1],
    ...names.map((name) => [...text("env"), ...text(name), 0, 0]),
    [...text("env"), ...text("table"), 1, 0x70, 0, 1],
    [...text("env"), ...text("base"), 3, 0x7f, 0],
  ];
  const section = [imports.length, ...imports.flat()];
  assert.ok(section.length >= 128 && section.length < 16384, "the size takes two bytes");
  const exported = [1, ...text("first"), 0, 0];
  return Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[2, (section.length & 0x7f) | 0x80, section.length >> 7, ...section],
    ...[7, exported.length, ...exported],
  ]);
}

test("names of imports are shortened alike in script and module", () => {
  const names = shortNames(SCRIPT);
  assert.deepEqual([...names], [["__wbg_log_0123456789abcdef", "w0"], ["__wbindgen_cast_0000000000000001", "w1"]]);
  const script = renameInScript(SCRIPT, names);
  assert.match(script, /\bw0: .*\n {2}w1: .*\n {2}__wbg_log_0123456789abcdef_too: 1/);

  const long = moduleOf([...names.keys(), "plain", ...Array.from({ length: 10 }, (_, index) => `other_function_${index}`)]);
  const short = renameImports(long, names);
  assert.ok(short.length < long.length);
  const imports = WebAssembly.Module.imports(new WebAssembly.Module(new Uint8Array(short)));
  const found = imports.filter(({ kind }) => kind === "function").map(({ name }) => name);
  assert.deepEqual(found.slice(0, 3), ["w0", "w1", "plain"]);
  assert.deepEqual(imports.map(({ kind }) => kind).filter((kind) => kind !== "function"), ["memory", "table", "global"]);

  let calls = 0;
  const functions = Object.fromEntries(found.map((name) => [name, () => (calls += name === "w0" ? 1 : 100)]));
  const base = new WebAssembly.Global({ value: "i32" }, 0);
  const env = {
    ...functions,
    memory: new WebAssembly.Memory({ initial: 1, maximum: 100 }),
    table: new WebAssembly.Table({ element: "anyfunc", initial: 1 }),
    base,
  };
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(new Uint8Array(short)), { env });
  /** @type {Function} */ (exports.first)();
  assert.equal(calls, 1);
});

test("shortening twice changes nothing", () => {
  const names = shortNames(SCRIPT);
  const [script, module] = [renameInScript(SCRIPT, names), renameImports(moduleOf([...names.keys(), ...Array(12).fill("other_name")]), names)];
  assert.equal(shortNames(script).size, 0);
  assert.deepEqual(renameImports(module, shortNames(script)), module);
});

test("an import that the script does not have is an error", () => {
  const module = moduleOf(["__wbg_other_0123456789abcdef", ...Array(12).fill("other_name")]);
  assert.throws(() => renameImports(module, shortNames(SCRIPT)), /__wbg_other_0123456789abcdef/);
});
