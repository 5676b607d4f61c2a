/** Appoints operators as it is done on the server's machine: on the command line. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Makes the owner of this account an operator, if they are none. */
export function appointOperator(name: string): void {
  const profile = process.env.E2E_PROFILE ?? "debug";
  const env = { ...process.env, DATA_DIR: process.env.TOCHKI_E2E_DATA!, RUST_LOG: "warn" };
  const directory = fileURLToPath(new URL("..", import.meta.url));
  execFileSync(`../target/${profile}/tochki`, ["operator", "add", name], { env, cwd: directory });
}
