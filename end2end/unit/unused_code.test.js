// @ts-check
import assert from "node:assert/strict";
import { test } from "node:test";
import { withoutStreams, withoutUnused } from "../../script/unused_code.mjs";

const SCRIPT = `export class IntoUnderlyingSink {
    close() {
        const ret = wasm.intounderlyingsink_close(this.__wbg_ptr);
        return ret;
    }
}
if (Symbol.dispose) IntoUnderlyingSink.prototype[Symbol.dispose] = IntoUnderlyingSink.prototype.free;

export function hydrate() {
    wasm.hydrate();
}
function imports() {
    return {
        __wbg_byob_0123456789abcdef: function() { return handleError(function (arg0) {
            return arg0.byobRequest;
        }, arguments); },
        __wbg_log_0123456789abcdef: function(text) {
            if (text) {
                console.log(text);
            }
        },
        __wbg_add_0123456789abcdef: function() { return handleError(function (arg0) {
            arg0.add();
        }, arguments); },
        __wbg_pull_0123456789abcdef: function(arg0) {
            return arg0.pull();
        },
    };
}
const IntoUnderlyingSinkFinalization = (typeof FinalizationRegistry === 'undefined')
    ? { register: () => {}, unregister: () => {} }
    : new FinalizationRegistry(ptr => wasm.__wbg_intounderlyingsink_free(ptr, 1));
const last = 1;
`;

test("classes of streams and functions that no module imports are left out of the script", () => {
  const rest = withoutUnused(SCRIPT, new Set(["__wbg_log_0123456789abcdef", "__wbg_add_0123456789abcdef"]));
  assert.doesNotMatch(rest, /Underlying|__wbg_pull|__wbg_byob/);
  assert.match(rest, /__wbg_log_0123456789abcdef: function\(text\) \{\n {12}if \(text\) \{\n.*\n {12}\}\n {8}\},\n {8}__wbg_add[^]*arguments\); \},\n {4}\};/);
  assert.match(rest, /hydrate[^]*const last = 1;\n$/);
});

test("a script that still uses a class is refused", () => {
  assert.throws(() => withoutUnused(`${SCRIPT}new IntoUnderlyingSink();\n`, new Set()), /new IntoUnderlyingSink/);
});

test("a module no longer exports the functions of the classes, and keeps its others", async () => {
  const text = (/** @type {string} */ name) => [name.length, ...Buffer.from(name)];
  const names = ["first", "__wbg_intounderlyingsource_free", "intounderlyingbytesource_autoAllocateChunkSize", "last"];
  const exported = [names.length, ...names.flatMap((name) => [...text(name), 0, 0])];
  const module = Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...[1, 4, 1, 0x60, 0, 0],
    ...[3, 2, 1, 0],
    ...[7, exported.length, ...exported],
    ...[10, 4, 1, 2, 0, 0x0b],
  ]);
  assert.equal(WebAssembly.Module.exports(await WebAssembly.compile(module)).length, 4);
  const rest = await WebAssembly.compile(new Uint8Array(withoutStreams(module)));
  assert.deepEqual(WebAssembly.Module.exports(rest).map(({ name }) => name), ["first", "last"]);
});
