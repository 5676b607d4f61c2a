/** Games by correspondence through the API. */
import { expect, type Player } from "./fixtures";

/** Starts a game of Dots with three days a move; `first` has the first move. Returns its id. */
export async function startByCorrespondence(first: Player, second: Player): Promise<number> {
  await first.account();
  const form = { opponent: await second.account(), game: "dots", clock: "3d" };
  const asked = await first.page.request.post("/api/challenge", { form });
  expect(asked.status(), await asked.text()).toBe(200);
  const { id } = await asked.json();
  const answer = await second.page.request.post("/api/answer_challenge", { form: { id, accept: true } });
  expect(answer.status(), await answer.text()).toBe(200);
  return (await answer.json()).match;
}

export async function move(player: Player, match: number, mv: string): Promise<void> {
  const answer = await player.page.request.post("/api/move", { form: { match_id: match, mv } });
  expect(answer.status(), await answer.text()).toBe(200);
}
