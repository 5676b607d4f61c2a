/** A whole game as a screen reader user plays it: with keyboard and live region. */
import { expect, test, type Player } from "./fixtures";
import { startMatch } from "./match_actions";

/** A player who uses the keyboard and reads the live region, and the position of their cursor. */
class Listener {
  private at: [number, number] | null = null;

  constructor(private readonly player: Player) {}

  /** The live region. */
  private get region() {
    return this.player.page.locator(".hidden[aria-live=polite]");
  }

  async hears(words: string | RegExp): Promise<void> {
    await expect(this.region).toHaveText(words);
  }

  /** The result is in a status element of its own, which stays on the page. */
  async hearsOfTheEnd(words: string): Promise<void> {
    await expect(this.player.page.getByRole("status").filter({ hasText: words })).toHaveCount(1);
  }

  async presses(key: string): Promise<void> {
    await this.player.page.keyboard.press(key);
  }

  /** Focuses the board with the Tab key, from where else on the page the focus is. */
  async comesToTheBoard(): Promise<void> {
    await this.player.page.getByRole("link", { name: "Skip to content" }).focus();
    for (let stops = 0; stops < 40; stops += 1) {
      await this.presses("Tab");
      if (await this.player.board.evaluate((board) => board === document.activeElement)) return;
    }
    throw new Error("the Tab key does not lead to the board");
  }

  /** Moves the cursor with the arrow keys, and checks the announcement of each step. */
  async goesTo(x: number, y: number, there: string): Promise<void> {
    if (!this.at) {
      await this.presses("ArrowUp");
      const [column, row] = (await this.region.innerText()).match(/\d+/g)!.map(Number);
      this.at = [column, row];
    }
    while (this.at[0] !== x || this.at[1] !== y) {
      const [dx, dy]: [number, number] = [Math.sign(x - this.at[0]), Math.sign(y - this.at[1])];
      await this.presses(dx > 0 ? "ArrowRight" : dx < 0 ? "ArrowLeft" : dy > 0 ? "ArrowDown" : "ArrowUp");
      this.at = dx === 0 ? [x, this.at[1] + dy] : [this.at[0] + dx, this.at[1]];
      await this.hears(new RegExp(`^${this.at[0]}, ${this.at[1]}: `));
    }
    await this.hears(there);
  }
}

test("a whole game with keyboard and live region alone", async ({ alice, bob }) => {
  await startMatch({ width: 5, height: 5 }, alice, bob);
  const [red, blue] = [new Listener(alice), new Listener(bob)];
  await red.comesToTheBoard();
  await blue.comesToTheBoard();
  await red.presses("s");
  await red.hears("Red 0, Blue 0. Your move.");
  await blue.presses("s");
  await blue.hears("Red 0, Blue 0. Opponent’s move.");
  await blue.presses("l");
  await blue.hears("No moves yet.");
  await blue.presses("c");
  await blue.hears("No clock.");
  await blue.presses("?");
  await expect(bob.page.getByRole("dialog", { name: "Keyboard" })).toBeVisible();
  await blue.presses("Escape");

  // Red encloses 1,1, with an announced preview.
  const opening: [number, number][] = [
    [1, 0],
    [1, 1],
    [0, 1],
    [4, 4],
    [2, 1],
    [4, 3],
  ];
  const taken = new Set<string>();
  const play = async (ply: number, [x, y]: [number, number], there: string, after: string) => {
    const [mover, other] = ply % 2 === 0 ? [red, blue] : [blue, red];
    await mover.goesTo(x, y, there);
    await mover.presses("Enter");
    const side = ply % 2 === 0 ? "Red" : "Blue";
    for (const listener of [mover, other]) await listener.hears(`${side} at ${x}, ${y}.${after}`);
    taken.add(`${x},${y}`);
  };
  for (const [ply, point] of opening.entries()) {
    await play(ply, point, `${point[0]}, ${point[1]}: free.`, "");
  }
  await play(6, [1, 2], "1, 2: free. Captures 1 dot.", " Captures 1.");
  await blue.goesTo(1, 1, "1, 1: Blue, captured.");
  await blue.presses("s");
  await blue.hears("Red 1, Blue 0. Your move.");
  await blue.presses("l");
  await blue.hears("Last move: Red at 1, 2.");

  // The remaining points, row by row.
  let ply = 7;
  for (let y = 0; y < 5; y += 1) {
    for (let x = 0; x < 5; x += 1) {
      if (taken.has(`${x},${y}`)) continue;
      await play(ply, [x, y], `${x}, ${y}: free.`, "");
      ply += 1;
    }
  }
  await red.hearsOfTheEnd("You win");
  await blue.hearsOfTheEnd("You lose");
  await blue.presses("s");
  await blue.hears("Red 1, Blue 0. Game over.");
});
