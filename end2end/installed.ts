/** Programs of this machine. */
import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** The first installed program of these names or paths. */
export function installed(...programs: string[]): string | undefined {
  const folders = (process.env.PATH ?? "").split(delimiter);
  return programs
    .flatMap((program) => (program.startsWith("/") ? [program] : folders.map((folder) => join(folder, program))))
    .find(existsSync);
}
