/** Adjournments: a live game stops by agreement, a move is sealed, and the game goes on when the other player comes back. */
import { expect, test } from "./fixtures";
import { begin, startMatch } from "./match_actions";
import { passResumption } from "./passing_time";

for (const scripts of [true, false]) {
  test.describe(scripts ? "with scripts" : "without scripts", () => {
    test.use({ scripts });

    test("a sealed adjournment", async ({ alice, bob }) => {
      const match = await startMatch({}, alice, bob, "300+5");
      await begin(alice, bob);
      await bob.page.goto(`/match/${match}`);
      await bob.waitForHydration();
      await bob.page.getByText("Adjourn", { exact: true }).click();
      await expect(bob.page.getByText("The game is unrated from the agreement on.")).toBeVisible();
      await bob.page.getByRole("button", { name: "Offer adjournment" }).click();
      await expect(bob.page.getByText("Adjourn. Waiting")).toBeVisible();
      if (!scripts) await alice.page.goto(`/match/${match}`);
      await expect(alice.page.getByText(`${bob.name} offers to adjourn. The game becomes unrated.`)).toBeVisible();
      await alice.page.getByRole("button", { name: "Accept" }).click();

      // Who is on turn comes to the board of the seal by themselves.
      await expect(alice.page).toHaveURL(`/match/${match}/seal`);
      await expect(alice.page.getByRole("heading", { name: "Seal your move" })).toBeVisible();
      const field = alice.page.getByRole("textbox", { name: "Your move" });
      if (scripts) {
        await alice.waitForHydration();
        await alice.click(6, 6);
        await expect(field).toHaveValue("6,6");
        await expect(alice.page.getByRole("timer")).toContainText("4:");
        await expect(bob.page.getByText(`${alice.name} is sealing a move.`)).toBeVisible();
      } else {
        await field.fill("0,4");
        await alice.page.getByRole("button", { name: "Seal move" }).click();
        await expect(alice.page.getByRole("alert")).toHaveText("This place is taken.");
        await field.fill("6,6");
      }
      await alice.page.getByRole("button", { name: "Seal move" }).click();
      await expect(alice.page).toHaveURL(`/match/${match}`);
      await expect(alice.page.getByRole("heading", { name: "Adjourned" })).toBeVisible();
      await expect(alice.page.getByRole("button", { name: "Resume" })).toBeHidden();

      // Bob comes back another day.
      await bob.page.goto("/games");
      await expect(bob.page.getByRole("heading", { name: "Your turn" })).toBeVisible();
      await expect(bob.page.getByText("Adjourned")).toBeVisible();
      await bob.page.goto(`/match/${match}`);
      await expect(bob.page.getByText(`${alice.name} has sealed a move.`)).toBeVisible();
      await expect(bob.page.getByText("6,6")).toBeHidden();
      if (scripts) await bob.waitForHydration();
      await bob.page.getByRole("button", { name: "Resume" }).click();
      await expect(bob.page.getByRole("heading", { name: "Adjourned" })).toBeHidden();
      await expect(bob.page.getByText("3 days per move")).toBeVisible();
      await expect(bob.page.getByRole("button", { name: "Place" })).toBeVisible();
      if (!scripts) await alice.page.goto(`/match/${match}`);
      await expect(alice.page.getByRole("heading", { name: "Adjourned" })).toBeHidden();
      const { moves, rated } = await (await bob.page.request.get(`/api/match?id=${match}`)).json();
      expect({ moves, rated }).toEqual({ moves: ["0,4", "4,0", "6,6"], rated: false });
    });
  });
}

for (const scripts of [true, false]) {
  test.describe(scripts ? "live, with scripts" : "live, without scripts", () => {
    test.use({ scripts });

    test("both are called at the time agreed on, and open pages go on", async ({ alice, bob }) => {
      const match = await startMatch({}, alice, bob, "300+5");
      await begin(alice, bob);
      const post = async ({ page }: typeof alice, path: string, form: Record<string, string>) =>
        expect(await page.request.post(path, { form: { match_id: String(match), ...form } })).toBeOK();
      await post(bob, "/api/adjourn", { resume_in: "1" });
      await post(alice, "/api/answer_adjourn", { accept: "true" });
      await post(alice, "/api/seal", { mv: "6,6" });
      const come = ({ page }: typeof alice) => page.getByRole("button", { name: "I am here" });
      for (const player of [alice, bob]) {
        if (scripts) await player.page.clock.install();
        await player.page.goto(`/match/${match}`);
        await expect(player.page.getByText("The game resumes live at")).toBeVisible();
        await expect(come(player)).toHaveCount(0);
        if (scripts) await player.waitForHydration();
      }
      passResumption(match, 55 * 60);
      for (const [player, other] of [
        [alice, bob],
        [bob, alice],
      ] as const) {
        const call = `It is time to resume your game with ${other.name}`;
        const { page } = player;
        await expect
          .poll(async () => {
            const { notifications } = await (await page.request.get("/api/notifications")).json();
            return notifications.filter(({ live }: { live?: boolean }) => live).length;
          })
          .toBe(1);
        // Without scripts it would load itself after an hour.
        if (scripts) await page.clock.fastForward("51:00");
        else await page.goto(`/match/${match}`);
        await expect(page.getByText(call)).toBeVisible();
        await expect(come(player)).toBeVisible();
      }
      // By the keyboard, and each finds the other one there.
      await come(alice).focus();
      await alice.page.keyboard.press("Enter");
      await expect(alice.page.getByText("Noted.")).toBeVisible();
      await come(bob).focus();
      await bob.page.keyboard.press("Enter");
      for (const { page } of [alice, bob]) {
        // Without scripts the page of who waits loads itself.
        await expect(page.getByRole("heading", { name: "Adjourned" })).toHaveCount(0, { timeout: 20_000 });
      }
      const { time_control, status, moves } = await (await bob.page.request.get(`/api/match?id=${match}`)).json();
      expect({ time_control, status, moves }).toEqual({ time_control: "300+5", status: "running", moves: ["0,4", "4,0", "6,6"] });
    });
  });
}
