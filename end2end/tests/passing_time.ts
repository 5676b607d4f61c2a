/**
 * Time that passes at once, for the rows of one match or player in the database of the stories: absences and challenges are timed
 * by it, so nothing in the server has to know of tests.
 */
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { expect, type Player } from "./fixtures";

/** Lets so many seconds pass for the only absence from a match. A negative number gives the absent player more time. */
export async function passAbsence(match: number, seconds: number): Promise<void> {
  const shifted = () => execute(`update absences set since = since - interval '${seconds} s' where match_id = ${match}`);
  // The absence begins with the end of the player's stream.
  await expect.poll(shifted, "an absence").toBe(1);
}

/** Lets so many seconds pass for all challenges that a player has sent. */
export async function passChallenges(from: Player, seconds: number): Promise<void> {
  const shift = (column: string) => `${column} = ${column} - interval '${seconds} s'`;
  const id = await from.account();
  execute(`update challenges set ${shift("expires_at")}, ${shift("closed_at")} where from_id = ${id}`);
}

/** Executes a statement, and returns how many rows it has changed. */
function execute(statement: string): number {
  const socket = join(process.env.TOCHKI_E2E_DATA!, "postgres", "socket");
  const options = ["--no-psqlrc", "--host", socket, "--username", "tochki", "--dbname", "tochki", "--command", statement];
  const answer = execFileSync("psql", options, { encoding: "utf8" });
  return Number(/^UPDATE (\d+)$/m.exec(answer)![1]);
}
