/** Users, matches, tables and messages that the tests use, created through the API. */
import { execute } from "./database";
import { appointOperator } from "./operator_account";
import { randomInt } from "node:crypto";
import { request, type APIRequestContext } from "@playwright/test";

/** Ninety moves of a game on 39 × 32, in which both sides capture; the first player is to move after them. */
const game = `
  19,15 19,17 21,15 20,14 19,16 20,16 18,17 21,16 20,15 21,17 22,16 19,14 19,18 20,17 18,14 19,13 20,13 21,13 20,12
  18,16 17,15 17,16 16,16 22,13 21,12 17,17 17,13 20,11 17,18 18,18 21,11 19,19 22,14 18,12 20,18 20,19 18,11 23,14
  20,10 22,15 23,15 21,18 22,10 19,11 19,12 19,10 21,14 21,10 17,12 20,9 22,12 17,10 23,13 18,9 24,14 16,18 22,9 16,13
  19,9 19,8 20,8 17,19 16,15 21,8 18,10 20,7 21,9 22,8 23,10 17,8 17,11 22,7 23,7 23,8 16,10 17,9 21,6 19,6 22,11 18,7
  16,8 24,8 25,13 17,7 25,9 23,6 24,7 25,7 18,6 18,5`;

/** The matches of the other games; red is to move. */
const others = {
  boxes: {
    setup: { cols: 5, rows: 5 },
    moves: "h:0,0 v:2,2 v:0,0 h:3,3 h:0,1 v:1,0 h:2,2 h:1,0 h:1,1 v:2,0 h:4,5 v:4,4 h:3,5 h:3,4",
  },
  gomoku: { setup: { size: 15 }, moves: "7,7 7,8 8,8 6,6 9,9 10,10 8,6 8,7 9,7 6,7 6,4 10,8" },
  reversi: { setup: {}, moves: "d3 c3 c4 e3 f4 c5" },
};

export type OtherGame = keyof typeof others;

/** A user of the API without a browser. A browser context becomes signed in with `ApiUser.cookies`. */
export class ApiUser {
  private readonly disposed = new AbortController();

  private constructor(
    readonly id: number,
    readonly name: string,
    private readonly origin: string,
    private readonly calls: APIRequestContext,
  ) {}

  static async create(origin: string, name: string, guest = false): Promise<ApiUser> {
    const calls = await request.newContext({ baseURL: origin });
    const form: Record<string, string> = guest ? { name } : { name, password: "a long enough password" };
    const { id } = await post(calls, guest ? "be_guest" : "register", form);
    return new ApiUser(id, name, origin, calls);
  }

  /** The account that the server knows as its operator. All workers share it. */
  static async operator(origin: string): Promise<ApiUser> {
    const calls = await request.newContext({ baseURL: origin });
    const form = { name: "Overseer", password: "a long enough password" };
    const { id } = await post(calls, "register", form).catch(() => post(calls, "login", form));
    appointOperator(form.name);
    return new ApiUser(id, form.name, origin, calls);
  }

  /** Calls a server function, and fails if it returns an error. */
  call(name: string, form: Record<string, string | number | boolean>): Promise<Record<string, number>> {
    return post(this.calls, name, form);
  }

  /** Sends a GET request for JSON. */
  async get(path: string): Promise<Record<string, number>> {
    return (await this.calls.get(path)).json();
  }

  async cookies() {
    return (await this.calls.storageState()).cookies;
  }

  /**
   * Opens an event stream until `dispose`, so that the user is present there. Resolves after the first event, with what
   * closes the stream before.
   */
  async openStream(path: string): Promise<() => void> {
    const cookie = (await this.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const closed = new AbortController();
    const signal = AbortSignal.any([this.disposed.signal, closed.signal]);
    const { body } = await fetch(this.origin + path, { headers: { cookie }, signal });
    const reader = body!.getReader();
    await reader.read();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    // Aborted by `dispose` or before.
    void rest().catch(() => {});
    return () => closed.abort();
  }

  async dispose(): Promise<void> {
    this.disposed.abort();
    await this.calls.dispose();
  }
}

async function post(
  calls: APIRequestContext,
  name: string,
  form: Record<string, string | number | boolean>,
): Promise<Record<string, number>> {
  const answer = await calls.post(`/api/${name}`, { form });
  if (!answer.ok()) throw new Error(`${name}: ${await answer.text()}`);
  return answer.json();
}

/** The data of one worker. */
export class TestData {
  /** A player in the lobby. */
  host!: ApiUser;
  /** The players of the running match; the first one is to move. */
  players!: [ApiUser, ApiUser];
  /** The running match, and a finished one. */
  running!: number;
  finished!: number;
  /** The operator. */
  operator!: ApiUser;
  /** An annulled match and an aborted one, and a player of both. */
  uncounted!: { annulled: number; aborted: number; player: ApiUser };
  /** An adjourned match in which a player is to seal a move, and one whose sealed move waits for a player. */
  adjourned!: { sealing: number; sealer: ApiUser; sealed: number; awaited: ApiUser };
  /** A match by correspondence, and its player who waits, whom the opponent asks for another game and for a rematch. */
  slow!: { match: number; waiting: ApiUser };
  /** A match by correspondence whose flag would fall at night, one whose player is on vacation, and both players. */
  resting!: { night: number; vacation: number; waking: ApiUser; away: ApiUser };
  /** A running match of each of the other games, and its first player. */
  others!: Record<OtherGame, { match: number; first: ApiUser }>;
  /** An arena and a Swiss that begin in an hour, the Swiss every weekend, and one of their players. */
  tournament!: { open: number; swiss: number; player: ApiUser };
  /** A knockout before its final, with a finalist who may choose a side. */
  knockout!: { id: number; finalist: ApiUser };
  /** Tables by their URLs: an open one with a free seat, another with a guest who is ready, and a closed one. */
  open!: { own: string; full: string; closed: string; creator: ApiUser; host: ApiUser; guest: ApiUser };
  /** A round robin over days, and a player whose opponent proposes times. */
  appointment!: { id: number; player: ApiUser };
  /** A league before its first season. */
  league!: number;
  private readonly users: ApiUser[] = [];

  private constructor(private readonly origin: string) {}

  static async create(origin: string): Promise<TestData> {
    const data = new TestData(origin);
    const [host, guest, first, second] = await Promise.all(["Anna", "Юрий", "Rosa", "Boris"].map((name) => data.createUser(name)));
    data.host = host;
    data.players = [first, second];
    data.finished = await data.playDots(guest, host, 61);
    await host.call("resign", { match_id: data.finished });
    data.running = await data.playDots(first, second, 90, false);
    for (const player of data.players) await player.openStream(`/events/match/${data.running}`);
    const watcher = await data.createUser("Вера");
    await watcher.openStream(`/events/match/${data.running}`);
    await guest.openStream("/events/lobby?game=dots");
    await data.writeMessages(guest);
    const played = [data.playKnockout(), data.proposeTimes()] as const;
    // A failure is told where it is awaited.
    for (const one of played) one.catch(() => {});
    data.uncounted = await data.playUncounted();
    data.adjourned = await data.playAdjourned();
    data.slow = { match: await data.playDots(data.adjourned.sealer, data.adjourned.awaited, 5, false, "3d"), waiting: data.adjourned.sealer };
    await data.askForMore();
    data.resting = await data.playResting();
    const tables = Object.keys(others).map(async (name) => [name, await data.playOther(name as OtherGame)]);
    data.others = Object.fromEntries(await Promise.all(tables));
    data.open = await data.createTables();
    data.tournament = await data.createTournament();
    data.knockout = await played[0];
    data.appointment = await played[1];
    data.league = (await data.operator.call("open_league", { name: "Вечерняя лига", game: "dots", clock: "600+5" })).id;
    await data.tournament.player.call("join_league", { id: data.league });
    return data;
  }

  /** Messages in all chats, with difficult texts, a removed one, a report and its audit entries. */
  private async writeMessages(guest: ApiUser): Promise<void> {
    const [first, second] = this.players;
    const say = (who: ApiUser, place: number | string, text: string) => who.call("say", { place, text });
    await say(first, this.running, "Hello! A good game to you.");
    await say(second, this.running, "И вам удачи, хотя доска сегодня огромная");
    await say(second, this.running, "https://example.org/" + "long".repeat(30));
    await say(this.host, this.running, "<b>Red</b> will be surrounded soon");
    await say(guest, this.running, `z${"\u0316\u0301\u0489".repeat(9)}algo, مرحبا, 🧑‍🚀, ${"W".repeat(120)}`);
    await say(this.host, this.finished, "That was close");
    await say(guest, this.finished, "Ещё одну?");
    await say(guest, "lobby", "Who plays on the large board?");
    const removed = await say(first, "lobby", "Buy this");
    const { id } = await say(guest, "lobby", "Nobody here can play anyway");
    await say(this.host, "lobby", "I do, in ten minutes");
    await this.host.call("report", { message: id, reason: "Unfriendly to newcomers" });
    this.operator = await ApiUser.operator(this.origin);
    this.users.push(this.operator);
    await this.operator.call("operator_remove_message", { message: removed.id, why: "Advertising" });
    await this.operator.call("operator_mute", { player: guest.id, length: "hour", why: "As a warning" });
    await this.operator.call("operator_mute", { player: guest.id, length: "none" });
  }

  /** A new user, whose name begins with `prefix`. Digits belong to every script, and a name has letters of one alone. */
  async createUser(prefix: string, guest = false): Promise<ApiUser> {
    const user = await ApiUser.create(this.origin, `${prefix}-${randomInt(1e7, 1e8)}`, guest);
    this.users.push(user);
    return user;
  }

  /** Starts a match and makes its first moves. An unrated one may go on for as long as the tests take. */
  async playDots(first: ApiUser, second: ApiUser, moves: number, rated = true, clock = "none"): Promise<number> {
    await second.openStream("/events/lobby?game=dots");
    await this.challenge(first, second, rated, clock);
    // Crossing challenges start a match.
    const { match: match_id } = await second.call("challenge", { opponent: first.id, game: "dots", rated, clock });
    for (const [ply, mv] of game.trim().split(/\s+/).slice(0, moves).entries()) {
      await [first, second][ply % 2].call("move", { match_id, mv });
    }
    return match_id;
  }

  /** Plays a match that the operator annuls, and one that is aborted. */
  private async playUncounted(): Promise<TestData["uncounted"]> {
    const [player, opponent] = await Promise.all(["Nora", "Игорь"].map((name) => this.createUser(name)));
    const annulled = await this.playDots(player, opponent, 6);
    await opponent.call("resign", { match_id: annulled });
    await this.operator.call("operator_annul", { match_id: annulled, why: "Arranged" });
    const aborted = await this.playDots(player, opponent, 1);
    await opponent.call("abort", { match_id: aborted });
    return { annulled, aborted, player };
  }

  /** Plays two matches that are adjourned; in one of them the move is sealed. */
  private async playAdjourned(): Promise<TestData["adjourned"]> {
    const [sealer, awaited] = await Promise.all(["Emma", "Павел"].map((name) => this.createUser(name)));
    const adjourn = async () => {
      // The clock runs until the seal.
      const match_id = await this.playDots(sealer, awaited, 60, true, "10800+60");
      await awaited.call("adjourn", { match_id, resume_in: 0 });
      await sealer.call("answer_adjourn", { match_id, accept: true });
      return match_id;
    };
    const sealed = await adjourn();
    await sealer.call("seal", { match_id: sealed, mv: "0,0" });
    return { sealing: await adjourn(), sealer, sealed, awaited };
  }

  /** Challenges the player who waits by correspondence, and asks for the rematch of another match that has ended. */
  private async askForMore(): Promise<void> {
    const { sealer, awaited } = this.adjourned;
    const match_id = await this.playDots(awaited, sealer, 4, false, "5d");
    await awaited.call("resign", { match_id });
    await awaited.call("rematch", { match_id });
    await awaited.call("challenge", { opponent: sealer.id, game: "dots", rated: false, clock: "3d+1d..7d" });
  }

  /** Plays a match whose flag would fall at night, and one whose player is on vacation. */
  private async playResting(): Promise<TestData["resting"]> {
    const [waking, away] = await Promise.all(["Ада", "Olga"].map((name) => this.createUser(name)));
    for (const player of [waking, away]) await player.call("time_zone", { zone: zoneAtNight() });
    const night = await this.playDots(waking, away, 6, true, "1d");
    const vacation = await this.playDots(away, waking, 6, true, "3d");
    // The clock of the other match goes on: it is not this player's turn there.
    await away.call("vacation", { on: true });
    return { night, vacation, waking, away };
  }

  private async createTables(): Promise<TestData["open"]> {
    const [creator, host, gone] = await Promise.all(["Елена", "Otto", "Zoe"].map((name) => this.createUser(name)));
    const guest = await this.createUser("Quiet-Heron", true);
    const names = ["Вечерний стол: приходите все, кто любит", "W".repeat(40), "Gone"];
    const form = { game: "dots", clock: "300+5" };
    const tables = [];
    for (const [index, user] of [creator, host, gone].entries()) {
      tables.push(await user.call("open_table", { ...form, name: names[index] }));
    }
    await guest.call("sit", { table: tables[1].id });
    await guest.call("ready", { table: tables[1].id, ready: true });
    await gone.call("stand_up", { table: tables[2].id });
    const [own, full, closed] = tables.map(({ link }) => `/t/${link}`);
    await creator.openStream(`/events${own.replace("/t/", "/table/")}`);
    for (const user of [host, guest]) await user.openStream(`/events${full.replace("/t/", "/table/")}`);
    return { own, full, closed, creator, host, guest };
  }

  /** A tournament that waits for its start, with a name as long as one may be, and players of two scripts. */
  private async createTournament(): Promise<TestData["tournament"]> {
    const { id } = await this.operator.call("create_tournament", {
      name: "Вечерняя арена для всех, кто любит точки",
      description: "Everybody is welcome.\nمرحبا <b>",
      game: "dots",
      setup: JSON.stringify({ width: 20, height: 20, start: "empty" }),
      clock: "180+2",
      minutes: 45,
      starts_at: Date.now() + 3_600_000,
    });
    const players = await Promise.all(["Tessa", "Ульяна", "W".repeat(11)].map((name) => this.createUser(name)));
    for (const player of players) await player.call("join_tournament", { id });
    const swiss = await this.operator.call("create_tournament", {
      name: "Gomoku Swiss",
      game: "gomoku",
      clock: "300+3",
      format: "swiss",
      rounds: 7,
      starts_at: Date.now() + 3_600_000,
    });
    for (const player of players) await player.call("join_tournament", { id: swiss.id });
    await this.operator.call("repeat_tournament", { id: swiss.id, rule: "FREQ=WEEKLY;BYDAY=SA,SU", zone: "Europe/Prague" });
    return { open: id, swiss: swiss.id, player: players[0] };
  }

  /** Plays the semifinals of a knockout, whose final begins an hour later. */
  private async playKnockout(): Promise<TestData["knockout"]> {
    const { id } = await this.operator.call("create_tournament", {
      name: "Кубок вечера",
      game: "gomoku",
      clock: "300+3",
      format: "knockout",
      break_seconds: 3_600,
      starts_at: Date.now() + 90_000,
    });
    const players = await Promise.all(["Irma", "Зоя", "W".repeat(11), "Max"].map((name) => this.createUser(name)));
    for (const player of players) await player.call("join_tournament", { id });
    execute(`update tournaments set starts_at = now() where id = ${id}`);
    const of = (user: number) => players.find((player) => player.id === user)!;
    const { pairings } = await this.waitFor<Semifinals>(`/api/tournament_pairings?id=${id}&round=1`, ({ total }) => total === 2);
    for (const { match: match_id, players: pair } of pairings) {
      const [first, second] = pair.map((player) => of(player.id));
      await first.call("move", { match_id, mv: "7,7" });
      await second.call("move", { match_id, mv: "8,8" });
      await second.call("resign", { match_id });
    }
    await this.waitFor<{ round_at?: number }>(`/api/tournament?id=${id}`, ({ round_at }) => Boolean(round_at));
    const finalist = of(pairings[0].players[0].id);
    // The form is that of a pair which has tied; these have not.
    execute(`insert into tournament_choices (tournament_id, round, number, choose_by)
      select tournament_id, 1, number, now() + interval '1 day' from tournament_entrants
      where tournament_id = ${id} and player_id = ${finalist.id}`);
    return { id, finalist };
  }

  /** Begins a round robin over days, in which each of a pair proposes times. */
  private async proposeTimes(): Promise<TestData["appointment"]> {
    const { id } = await this.operator.call("create_tournament", {
      name: "Вечера за игрой в точки",
      game: "reversi",
      clock: "600+5",
      format: "round_robin",
      round_days: 4,
      missed: "lot",
      starts_at: Date.now() + 90_000,
    });
    const players = await Promise.all(["Lena", "Кира", "Ben"].map((name) => this.createUser(name)));
    for (const player of players) await player.call("join_tournament", { id });
    execute(`update tournaments set starts_at = now() where id = ${id}`);
    await this.waitFor<{ round: number }>(`/api/tournament?id=${id}`, ({ round }) => round === 1);
    const entries = await Promise.all(players.map((player) => player.get(`/api/tournament_entry?id=${id}`)));
    const pair = players.filter((_, at) => entries[at].appointment);
    const days = [1, 2, 3].map((day) => Date.now() + day * 86_400_000);
    for (const at of days.slice(0, 2)) await pair[0].call("propose_time", { id, at });
    await pair[1].call("propose_time", { id, at: days[2] });
    return { id, player: pair[1] };
  }

  /** Reads JSON until it is as wanted. */
  private async waitFor<T>(path: string, fits: (read: T) => boolean): Promise<T> {
    for (let attempt = 0; attempt < 120; attempt += 1) {
      const read = (await this.operator.get(path)) as T;
      if (fits(read)) return read;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`${path} did not become as wanted`);
  }

  /** Starts a match of another game with both players present. */
  private async playOther(game: OtherGame): Promise<{ match: number; first: ApiUser }> {
    const players = await Promise.all(["Clara", "Дмитрий"].map((name) => this.createUser(name)));
    const [first, second] = players;
    const setup = JSON.stringify(others[game].setup);
    const leave = await Promise.all(players.map((player) => player.openStream(`/events/lobby?game=${game}`)));
    // Rated, each move would have to come within ten minutes.
    await first.call("challenge", { opponent: second.id, game, setup, rated: false });
    const { match } = await second.call("challenge", { opponent: first.id, game, setup, rated: false });
    // As browsers do when a match begins. A story of `lobby.spec.ts` needs an empty waiting room.
    for (const close of leave) close();
    for (const mv of others[game].moves.split(" ")) {
      const { to_move } = await first.get(`/api/match?id=${match}`);
      await players[to_move - 1].call("move", { match_id: match, mv });
    }
    for (const player of players) await player.openStream(`/events/match/${match}`);
    return { match, first };
  }

  /** Sends a challenge to a player in the lobby. */
  async challenge(from: ApiUser, to: ApiUser, rated = true, clock = "none"): Promise<void> {
    await from.openStream("/events/lobby?game=dots");
    await from.call("challenge", { opponent: to.id, game: "dots", rated, clock });
  }

  async dispose(): Promise<void> {
    await Promise.all(this.users.map((user) => user.dispose()));
  }
}

/** The pairings of the semifinals of a knockout. */
type Semifinals = { total: number; pairings: { match: number; players: { id: number }[] }[] };

/** A zone without summer time in which it is night now, and so it will be in a day. */
function zoneAtNight(): string {
  const hour = new Date().getUTCHours();
  const zones = { "Africa/Abidjan": 0, "Africa/Nairobi": 3, "Asia/Karachi": 5, "Asia/Bangkok": 7, "Asia/Tokyo": 9, "Pacific/Tarawa": 12, "Pacific/Honolulu": -10, "America/Phoenix": -7, "America/Puerto_Rico": -4 };
  return Object.entries(zones).find(([, offset]) => (hour + offset + 24) % 24 < 5)![0];
}
