/** A stage: people in the arena who do what a page has to be looked at for, through the same doors as programs. */
import { randomBytes } from "node:crypto";
import { request, type APIRequestContext } from "@playwright/test";

/** Ninety moves of a game on 39 × 32, in which both sides capture; the first player is to move after them. */
const game = `
  19,15 19,17 21,15 20,14 19,16 20,16 18,17 21,16 20,15 21,17 22,16 19,14 19,18 20,17 18,14 19,13 20,13 21,13 20,12
  18,16 17,15 17,16 16,16 22,13 21,12 17,17 17,13 20,11 17,18 18,18 21,11 19,19 22,14 18,12 20,18 20,19 18,11 23,14
  20,10 22,15 23,15 21,18 22,10 19,11 19,12 19,10 21,14 21,10 17,12 20,9 22,12 17,10 23,13 18,9 24,14 16,18 22,9 16,13
  19,9 19,8 20,8 17,19 16,15 21,8 18,10 20,7 21,9 22,8 23,10 17,8 17,11 22,7 23,7 23,8 16,10 17,9 21,6 19,6 22,11 18,7
  16,8 24,8 25,13 17,7 25,9 23,6 24,7 25,7 18,6 18,5`;

/** What is played at the tables of the other games, and who is red there makes the next move. */
const others = {
  boxes: {
    setup: { cols: 5, rows: 5 },
    moves: "h:0,0 v:2,2 v:0,0 h:3,3 h:0,1 v:1,0 h:2,2 h:1,0 h:1,1 v:2,0 h:4,5 v:4,4 h:3,5 h:3,4",
  },
  gomoku: { setup: { size: 15 }, moves: "7,7 7,8 8,8 6,6 9,9 10,10 8,6 8,7 9,7 6,7 6,4 10,8" },
  reversi: { setup: {}, moves: "d3 c3 c4 e3 f4 c5" },
};

export type OtherGame = keyof typeof others;

/** Somebody with an account and no browser, until `Actor.cookies` are put into one. */
export class Actor {
  private readonly streams = new AbortController();

  private constructor(
    readonly id: number,
    readonly name: string,
    private readonly origin: string,
    private readonly calls: APIRequestContext,
  ) {}

  static async enter(origin: string, name: string, guest = false): Promise<Actor> {
    const calls = await request.newContext({ baseURL: origin });
    const form: Record<string, string> = guest ? { name } : { name, password: "a long enough password" };
    const { id } = await post(calls, guest ? "be_guest" : "register", form);
    return new Actor(id, name, origin, calls);
  }

  /** Whoever is told to the server as its operator. All stages of one arena share them. */
  static async operator(origin: string): Promise<Actor> {
    const calls = await request.newContext({ baseURL: origin });
    const form = { name: "Operator", password: "a long enough password" };
    const { id } = await post(calls, "register", form).catch(() => post(calls, "login", form));
    return new Actor(id, form.name, origin, calls);
  }

  /** Calls a server function, which must not refuse. */
  call(name: string, form: Record<string, string | number | boolean>): Promise<Record<string, number>> {
    return post(this.calls, name, form);
  }

  /** Asks for what everybody may know. */
  async ask(path: string): Promise<Record<string, number>> {
    return (await this.calls.get(path)).json();
  }

  async cookies() {
    return (await this.calls.storageState()).cookies;
  }

  /** Keeps a stream open, which is what being somewhere means here. Comes back when the server knows. */
  async listen(path: string): Promise<void> {
    const cookie = (await this.cookies()).map(({ name, value }) => `${name}=${value}`).join("; ");
    const { body } = await fetch(this.origin + path, { headers: { cookie }, signal: this.streams.signal });
    const reader = body!.getReader();
    await reader.read();
    const rest = async () => {
      while (!(await reader.read()).done);
    };
    // It ends with the actor.
    void rest().catch(() => {});
  }

  async leave(): Promise<void> {
    this.streams.abort();
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

/** Everybody and everything that the pages show. */
export class Stage {
  /** Somebody who waits for a game. */
  host!: Actor;
  /** Both at the running table: the first player is to move. */
  players!: [Actor, Actor];
  /** The running match, and a finished one. */
  running!: number;
  finished!: number;
  /** Who sees what was reported. */
  operator!: Actor;
  /** A running match of each of the other games, and its first player. */
  others!: Record<OtherGame, { match: number; first: Actor }>;
  /** Open tables by their addresses: one with a free chair, one with a guest who is ready, and a closed one. */
  open!: { own: string; full: string; closed: string; creator: Actor; host: Actor; guest: Actor };
  private readonly cast: Actor[] = [];

  private constructor(private readonly origin: string) {}

  static async set(origin: string): Promise<Stage> {
    const stage = new Stage(origin);
    const [host, guest, first, second] = await Promise.all(["Anna", "Юрий", "Rosa", "Boris"].map((name) => stage.actor(name)));
    stage.host = host;
    stage.players = [first, second];
    stage.finished = await stage.play(guest, host, 61);
    await host.call("resign", { match_id: stage.finished });
    stage.running = await stage.play(first, second, 90);
    for (const player of stage.players) await player.listen(`/events/match/${stage.running}`);
    await guest.listen("/events/lobby?game=dots");
    await stage.talk(guest);
    const tables = Object.keys(others).map(async (name) => [name, await stage.other(name as OtherGame)]);
    stage.others = Object.fromEntries(await Promise.all(tables));
    stage.open = await stage.lay();
    return stage;
  }

  /** What is said everywhere, with what nobody likes to see in it. */
  private async talk(guest: Actor): Promise<void> {
    const [first, second] = this.players;
    const say = (who: Actor, place: number | string, text: string) => who.call("say", { place, text });
    await say(first, this.running, "Hello! A good game to you.");
    await say(second, this.running, "И вам удачи, хотя доска сегодня огромная");
    await say(second, this.running, "https://example.org/" + "long".repeat(30));
    await say(this.host, this.running, "<b>Red</b> will be surrounded soon");
    await say(guest, this.running, `z${"\u0316\u0301\u0489".repeat(9)}algo, مرحبا, 🧑‍🚀, ${"W".repeat(120)}`);
    await say(this.host, this.finished, "That was close");
    await say(guest, this.finished, "Ещё одну?");
    await say(guest, "lobby", "Who plays on the large board?");
    const { id } = await say(guest, "lobby", "Nobody here can play anyway");
    await say(this.host, "lobby", "I do, in ten minutes");
    await this.host.call("report", { message: id, reason: "Unfriendly to newcomers" });
    this.operator = await Actor.operator(this.origin);
    this.cast.push(this.operator);
    await this.operator.call("operator_mute", { player: guest.id, length: "hour", why: "As a warning" });
    await this.operator.call("operator_mute", { player: guest.id, length: "none" });
  }

  /** Somebody new. All stages of one arena have their own people. */
  async actor(called: string, guest = false): Promise<Actor> {
    const actor = await Actor.enter(this.origin, `${called}-${randomBytes(3).toString("hex")}`, guest);
    this.cast.push(actor);
    return actor;
  }

  /** A match with its first moves made, in which `first` has challenged `second`. */
  async play(first: Actor, second: Actor, moves: number): Promise<number> {
    await second.listen("/events/lobby?game=dots");
    await this.challenge(first, second);
    // Two challenges that cross are a game.
    const { match: match_id } = await second.call("challenge", { opponent: first.id, game: "dots" });
    for (const [ply, mv] of game.trim().split(/\s+/).slice(0, moves).entries()) {
      await [first, second][ply % 2].call("move", { match_id, mv });
    }
    return match_id;
  }

  private async lay(): Promise<Stage["open"]> {
    const [creator, host, gone] = await Promise.all(["Елена", "Otto", "Zoe"].map((name) => this.actor(name)));
    const guest = await this.actor("Quiet-Heron", true);
    const names = ["Вечерний стол: приходите все, кто любит", "W".repeat(40), "Gone"];
    const form = { game: "dots", clock: "300+5" };
    const laid = [];
    for (const [at, actor] of [creator, host, gone].entries()) {
      laid.push(await actor.call("open_table", { ...form, name: names[at] }));
    }
    await guest.call("sit", { table: laid[1].id });
    await guest.call("ready", { table: laid[1].id, ready: true });
    await gone.call("stand_up", { table: laid[2].id });
    const [own, full, closed] = laid.map(({ link }) => `/t/${link}`);
    await creator.listen(`/events${own.replace("/t/", "/table/")}`);
    for (const actor of [host, guest]) await actor.listen(`/events${full.replace("/t/", "/table/")}`);
    return { own, full, closed, creator, host, guest };
  }

  /** A running match of another game, both players at the table. */
  private async other(game: OtherGame): Promise<{ match: number; first: Actor }> {
    const players = await Promise.all(["Clara", "Дмитрий"].map((name) => this.actor(name)));
    const [first, second] = players;
    const setup = JSON.stringify(others[game].setup);
    for (const player of players) await player.listen(`/events/lobby?game=${game}`);
    await first.call("challenge", { opponent: second.id, game, setup });
    const { match } = await second.call("challenge", { opponent: first.id, game, setup });
    for (const mv of others[game].moves.split(" ")) {
      const { to_move } = await first.ask(`/api/match?id=${match}`);
      await players[to_move - 1].call("move", { match_id: match, mv });
    }
    for (const player of players) await player.listen(`/events/match/${match}`);
    return { match, first };
  }

  /** Asks a waiting player for a game. Whoever asks waits, too. */
  async challenge(from: Actor, to: Actor): Promise<void> {
    await from.listen("/events/lobby?game=dots");
    await from.call("challenge", { opponent: to.id, game: "dots" });
  }

  async strike(): Promise<void> {
    await Promise.all(this.cast.map((actor) => actor.leave()));
  }
}
