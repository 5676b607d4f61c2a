/** A rated game between Chromium and another browser: registration, challenge, capture with preview, resignation, ratings. */
import { expect, test } from "../tests/fixtures";
import * as firefox from "./firefox";
import { Person } from "./person";
import * as webkit from "./webkit";

const browsers = [
  { name: "Firefox", packages: "firefox-esr", ...firefox },
  { name: "WebKit", packages: "webkit2gtk-driver and xvfb", ...webkit },
];

for (const { name, packages, program, open } of browsers) {
  test(`a rated game between ${name} and Chromium`, async ({ bob, baseURL }) => {
    test.skip(!program, `${name} is not installed (Debian: ${packages})`);
    const driver = await open();
    try {
      const carol = new Person(baseURL!, driver);
      await carol.register();
      await bob.register();
      await bob.waitForHydration();

      await carol.press("button", `Challenge ${bob.name}`);
      await bob.page.getByRole("button", { name: "Accept" }).click();
      await carol.isAt(/\/match\/\d+/);
      await expect(bob.page).toHaveURL(/\/match\/\d+/);
      await bob.waitForHydration();

      // The challenger is red and encloses the blue dot.
      const moves: [number, number][] = [
        [18, 15],
        [19, 15],
        [20, 15],
        [5, 5],
        [19, 14],
        [5, 6],
      ];
      for (const [ply, [x, y]] of moves.entries()) {
        if (ply % 2 === 0) await carol.place(x, y);
        else await bob.click(x, y);
        await carol.seesMoves(ply + 1);
        await expect(bob.moves).toHaveCount(ply + 1);
      }

      await carol.hover(19, 16);
      await carol.sees("Captures 1 dot.");
      await carol.seesOnBoard("+1");
      await carol.place(19, 16);
      await carol.seesMoves(7);
      await carol.seesRedPoints("1");
      await expect(bob.moves).toHaveCount(7);
      await expect(bob.page.locator("section.seat", { hasText: carol.name }).locator(".points")).toContainText("1");

      await bob.click(6, 6);
      await carol.seesMoves(8);
      await carol.press("summary", "Resign");
      await carol.press("button", "Yes, resign");
      await carol.sees("You lose");
      await expect(bob.page.getByRole("heading", { name: "You win" })).toBeVisible();
      for (const change of [`${carol.name}: 1600? → 1588?`, `${bob.name}: 1600? → 1612?`]) {
        await carol.sees(change);
        await expect(bob.page.getByText(change)).toBeVisible();
      }
    } finally {
      await driver.close();
    }
  });
}
