// Leaves out of the client what no page calls, but wasm-bindgen keeps: 2 kB of a first visit. `wasm-streams`, on which leptos depends for
// bodies that are streams, exports three classes, which a linker has to keep with all that they call.
import { encoded, textEnd, unsigned, withSection } from "./import_names.mjs";

/** The names of the classes in the script, and of their functions in the module. */
const STREAMS = /^(?:__wbg_)?intounderlying(?:bytesource|sink|source)_/;

/**
 * Leaves out the classes. The optimizer then leaves out what only they call.
 *
 * @param {Uint8Array} module
 */
export function withoutStreams(module) {
  return withSection(module, EXPORT_SECTION, (section) => {
    let [count, at] = unsigned(section, 0);
    const kept = [];
    for (; count > 0; count--) {
      const [start, end] = [at, textEnd(section, at)];
      const name = section.toString("utf8", unsigned(section, start)[1], end);
      // A byte for the kind.
      at = unsigned(section, end + 1)[1];
      if (!STREAMS.test(name)) kept.push(section.subarray(start, at));
    }
    return Buffer.concat([encoded(kept.length), ...kept]);
  });
}

// https://webassembly.github.io/spec/core/binary/modules.html#export-section
const EXPORT_SECTION = 7;

/**
 * Leaves out of wasm-bindgen's script the classes, and the functions that no module imports any longer.
 *
 * @param {string} script
 * @param {Set<string>} imported The names of what the modules import.
 * @throws where the script still names a class, which something then calls
 */
export function withoutUnused(script, imported) {
  const rest = script
    .replace(/^export class IntoUnderlying\w+ \{\n[^]*?\n\}\n(?:if \(Symbol\.dispose\) IntoUnderlying.*\n)?/gm, "")
    .replace(/^const IntoUnderlying\w+Finalization = [^]*?;\n/gm, "")
    .replace(/^ {8}(__wb\w+): function\([^]*?^ {8}\}(?:, arguments\); \})?,\n/gm, (text, name) => (imported.has(name) ? text : ""));
  const left = rest.match(/.*IntoUnderlying.*/);
  if (left) throw new Error(`the script still has ${left[0]}`);
  return rest;
}
