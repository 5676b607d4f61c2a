// Shortens the names of what WebAssembly imports from wasm-bindgen's script. Each ends with a hash of 16 digits, which no
// compression can shorten: 5 kB of a first visit.

/** The names that wasm-bindgen makes. */
const LONG_NAME = /__wb[a-z]*_\w+_[0-9a-f]{16}(?!\w)/g;

/**
 * A short name for each long one of a script, in the order in which they stand there. So the same script always gets the
 * same names, as its address, which has the hash of the long script, promises.
 *
 * @param {string} script
 * @returns {Map<string, string>}
 */
export function shortNames(script) {
  const long = new Set(script.match(LONG_NAME));
  return new Map([...long].map((name, index) => [name, `w${index.toString(36)}`]));
}

/** @param {string} script @param {Map<string, string>} names */
export function renameInScript(script, names) {
  return script.replace(LONG_NAME, (name) => names.get(name) ?? name);
}

/**
 * Renames the imports of a WebAssembly module.
 *
 * @param {Uint8Array} module
 * @param {Map<string, string>} names
 * @returns {Buffer}
 * @throws where the module imports a long name that is not among `names`
 */
export function renameImports(module, names) {
  return withSection(module, IMPORT_SECTION, (section) => renamed(section, names));
}

/**
 * Changes the section of a kind in a WebAssembly module.
 *
 * @param {Uint8Array} module
 * @param {number} wanted
 * @param {(section: Buffer) => Buffer} change
 */
export function withSection(module, wanted, change) {
  const bytes = Buffer.from(module);
  const parts = [bytes.subarray(0, 8)];
  for (let at = 8; at < bytes.length; ) {
    const kind = bytes[at];
    const [size, start] = unsigned(bytes, at + 1);
    let section = bytes.subarray(start, start + size);
    if (kind === wanted) section = change(section);
    parts.push(Buffer.of(kind), encoded(section.length), section);
    at = start + size;
  }
  return Buffer.concat(parts);
}

// https://webassembly.github.io/spec/core/binary/modules.html#import-section
const IMPORT_SECTION = 2;
const [FUNCTION, TABLE, MEMORY, GLOBAL] = [0, 1, 2, 3];

/** @param {Buffer} section @param {Map<string, string>} names */
function renamed(section, names) {
  let [count, at] = unsigned(section, 0);
  const parts = [section.subarray(0, at)];
  for (; count > 0; count--) {
    const start = at;
    at = textEnd(section, at);
    const [length, text] = unsigned(section, at);
    const name = section.toString("utf8", text, text + length);
    const description = text + length;
    at = descriptionEnd(section, description);
    const short = names.get(name) ?? name;
    if (short.match(LONG_NAME)) throw new Error(`the script has no ${name}`);
    const moduleName = section.subarray(start, textEnd(section, start));
    parts.push(moduleName, encoded(Buffer.byteLength(short)), Buffer.from(short), section.subarray(description, at));
  }
  return Buffer.concat(parts);
}

/** Returns the end of a text that begins at `at`. @param {Buffer} bytes @param {number} at */
export function textEnd(bytes, at) {
  const [length, start] = unsigned(bytes, at);
  return start + length;
}

/** Returns the end of the type of an import that begins at `at`. @param {Buffer} bytes @param {number} at */
function descriptionEnd(bytes, at) {
  const kind = bytes[at++];
  if (kind === FUNCTION) return unsigned(bytes, at)[1];
  if (kind === GLOBAL) return at + 2;
  if (kind !== TABLE && kind !== MEMORY) throw new Error(`an import of the unknown kind ${kind}`);
  if (kind === TABLE) at++;
  const hasMaximum = bytes[at++] & 1;
  at = unsigned(bytes, at)[1];
  return hasMaximum ? unsigned(bytes, at)[1] : at;
}

/** An unsigned number as LEB128, and where it ends. @param {Buffer} bytes @param {number} at @returns {[number, number]} */
export function unsigned(bytes, at) {
  let [value, shift] = [0, 0];
  for (; ; shift += 7) {
    const byte = bytes[at++];
    value += (byte & 0x7f) * 2 ** shift;
    if (byte < 0x80) return [value, at];
  }
}

/** @param {number} value */
export function encoded(value) {
  const bytes = [];
  do {
    const rest = Math.floor(value / 128);
    bytes.push((value % 128) | (rest > 0 ? 0x80 : 0));
    value = rest;
  } while (value > 0);
  return Buffer.from(bytes);
}
