/**
 * Time that passes at once, for the rows of one match or player in the database of the stories: all that is due later is timed by
 * them, so nothing in the server, and no release, has to know of tests. Stories beside this one keep their time.
 */
import { execute } from "./database";
import { expect, type Player } from "./fixtures";

/**
 * Lets so many seconds pass for the clock of a match, the time for its next move, and its offers, by an outage of negative length:
 * the server stores the time that a match gets back, and when the number of outages has changed, its instances read their matches
 * again and tell the pages.
 */
export function passClock(match: number, seconds: number): void {
  const passed = execute(`
    with earlier as (
      update matches set deadline_at = deadline_at - interval '${seconds} s'
      where id = ${match} and finished_at is null and deadline_at is not null
      returning id, version
    ), epoch as (
      update heartbeat set outages = outages + 1
    )
    insert into outages (match_id, version, lost_ms) select id, version, -1000 * ${seconds} from earlier
    on conflict (match_id, version) do update set lost_ms = outages.lost_ms + excluded.lost_ms`);
  expect(passed, "a match with a deadline").toBe(1);
}

/** Lets so many seconds pass for an adjourned match that goes on live at a time, and for the calls to it, as {@link passClock} does. */
export function passResumption(match: number, seconds: number): void {
  const earlier = (column: string) => `${column} = ${column} - interval '${seconds} s'`;
  const passed = execute(`
    with sealed as (
      update sealed_moves set ${earlier("live_from")}, ${earlier("live_until")} where match_id = ${match}
    ), epoch as (
      update heartbeat set outages = outages + 1
    )
    update match_events set body = jsonb_set(body::jsonb, '{resume_at}',
      to_jsonb((body::jsonb ->> 'resume_at')::bigint - 1000 * ${seconds}))::text
    where match_id = ${match} and body::jsonb ->> 'resume_at' is not null`);
  expect(passed, "the offer and the agreement").toBe(2);
}

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

/** Lets the time pass after which a move of a match is answered by conditional moves. */
export async function passAnswerDelay(match: number): Promise<void> {
  const make = () => execute(`update conditional_moves set due_at = now() where match_id = ${match} and due_at is not null`);
  await expect.poll(make, "an answer").toBe(1);
}

/** Lets so many seconds pass for all messages that a player has sent, of which a few are allowed in ten seconds. */
export async function passMessages(from: Player, seconds: number): Promise<void> {
  execute(`update messages set at = at - interval '${seconds} s' where player_id = ${await from.account()}`);
}

/** Lets so many seconds pass for a tournament: for its start, its next round, or for its end and those who wait for an opponent. */
export function passTournament(id: number, seconds: number): void {
  const earlier = (column: string) => `${column} = ${column} - interval '${seconds} s'`;
  execute(`update tournaments set ${earlier("starts_at")}, ${earlier("round_at")}, ${earlier("ends_at")} where id = ${id}`);
  execute(`update tournament_entrants set ${earlier("waits_from")} where tournament_id = ${id}`);
}

/** Lets the pause between two games of each pair of a knockout pass. */
export function passDuelPause(id: number): void {
  execute(`update tournament_pairings set finished_at = finished_at - interval '1 minute' where tournament_id = ${id} and finished_at is not null`);
}

/** Lets the time come on which two players of a tournament have agreed. */
export function passUntilAppointment(id: number): void {
  const passed = execute(`update tournament_appointments set at = now() where tournament_id = ${id} and at is not null`);
  expect(passed, "an appointment").toBe(1);
}
