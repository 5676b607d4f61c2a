/** Statements in the database of the stories, for what happens only after a long time. */
import { execFileSync } from "node:child_process";
import { join } from "node:path";

/** Executes a statement, and returns how many rows it has changed. */
export function execute(statement: string): number {
  const socket = join(process.env.TOCHKI_E2E_DATA!, "postgres", "socket");
  const options = ["--no-psqlrc", "--host", socket, "--username", "tochki", "--dbname", "tochki", "--command", statement];
  const answer = execFileSync("psql", options, { encoding: "utf8" });
  return Number(/^(?:UPDATE|INSERT 0) (\d+)$/m.exec(answer)![1]);
}
