/** Zooming, panning and placing dots on the board, with touch and with a mouse. */
import { countSounds, expect, Player, test as base, settled } from "./fixtures";
import { waitForAnimations, Fingers, move, pitch, startMatch, pointOnScreen, type Spot } from "./match_actions";

const test = base.extend<{ phone: Player }>({
  phone: async ({ browser }, use) => {
    const phone = await Player.open(browser, "phone", true, {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
    });
    await use(phone);
    await phone.page.context().close();
  },
});

test("on a phone the board is rotated; the first tap zooms in on a point, the second places a dot", async ({
  phone,
  bob,
}) => {
  await startMatch({}, phone, bob);
  const { page, board, moves } = phone;
  const fingers = await Fingers.on(page);
  const ghost = board.locator(".ghost");

  const [first, last] = [await pointOnScreen(page, 0, 0), await pointOnScreen(page, 38, 31)];
  expect(first.x, "the first column is at the right").toBeGreaterThan(last.x);
  expect(last.y - first.y, "and rows are columns").toBeGreaterThan(first.x - last.x);
  expect(await pitch(page)).toBeLessThan(24);

  // The point under the finger stays in place while the board is zoomed in.
  const spot = await pointOnScreen(page, 20, 15);
  await fingers.tap(spot);
  await expect(ghost).toHaveAttribute("cx", "200");
  await waitForAnimations(board);
  expect(await pitch(page)).toBeGreaterThanOrEqual(24);
  await expect(moves).toHaveCount(0);

  // A tap elsewhere moves the aim; only the second tap on the same point places a dot.
  const beside = await pointOnScreen(page, 21, 15);
  await fingers.tap(beside);
  await expect(ghost).toHaveAttribute("cx", "210");
  await expect(moves).toHaveCount(0);
  await fingers.tap(beside);
  await expect(moves).toHaveText([/21,15/]);
  await expect(ghost).toHaveCount(0);
});

test("two taps on the same point of the whole board place a dot", async ({ phone, bob }) => {
  await startMatch({}, phone, bob);
  const fingers = await Fingers.on(phone.page);
  const spot = await pointOnScreen(phone.page, 3, 30);
  await fingers.tap(spot);
  await expect(phone.board.locator(".ghost")).toHaveAttribute("cy", "300");
  await fingers.tap(spot);
  await expect(phone.moves).toHaveText([/3,30/]);
});

test("the aim says that another tap places, until that was done twice", async ({ phone, bob }) => {
  await startMatch({ width: 13, height: 13 }, phone, bob);
  const { page } = phone;
  const fingers = await Fingers.on(page);
  const again = page.getByText("Tap again to place");
  for (const [count, at] of [[1, 2], [3, 4], [5, 6]] as const) {
    const spot = await pointOnScreen(page, at, 1);
    await fingers.tap(spot);
    await expect(phone.board.locator(".ghost")).toHaveCount(1);
    await expect(again).toHaveCount(count < 5 ? 1 : 0);
    if (count === 1) {
      const [hint, frame] = [(await again.boundingBox())!, (await page.locator(".board-frame").boundingBox())!];
      expect(hint.x).toBeGreaterThanOrEqual(frame.x);
      expect(hint.x + hint.width).toBeLessThanOrEqual(frame.x + frame.width);
    }
    await fingers.tap(await pointOnScreen(page, at, 1));
    await expect(phone.moves).toHaveCount(count);
    await expect(again).toHaveCount(0);
    // The list has the move before the server has.
    await expect(() => move(bob, `${at},9`)).toPass();
    await expect(phone.moves).toHaveCount(count + 1);
  }
});

test("a double tap zooms, and places nothing", async ({ phone, bob }) => {
  await startMatch({ width: 13, height: 13 }, phone, bob);
  const { page, board, moves } = phone;
  const fingers = await Fingers.on(page);
  const before = await pitch(page);
  const spot = await pointOnScreen(page, 6, 6);
  await fingers.tap(spot);
  await fingers.tap(spot, 0.1);
  await waitForAnimations(board);
  expect(await pitch(page)).toBeGreaterThan(before * 1.8);
  await settled(page);
  await expect(moves).toHaveCount(0);
  // The aim of the first tap is still there, and a slow tap on it places.
  await fingers.tap(await pointOnScreen(page, 6, 6));
  await expect(moves).toHaveText([/6,6/]);
});

for (const [name, path] of [
  ["the computer", "/computer/game?game=dots&board=39x32&level=1"],
  ["an analysis", "/analysis?game=dots&board=39x32"],
]) {
  for (const late of [/board\.js/, /\/pkg\/tochki\.[^/]*\.wasm/, /\/pkg\/(?!tochki\.)[^/]*\.wasm/, /texts/]) {
    test(`the board of ${name} can be zoomed, also where ${late.source} comes last`, async ({ page }) => {
      let release = () => {};
      const rest = new Promise<void>((done) => (release = done));
      const others = new Set<string>();
      page.on("request", (request) => !late.test(request.url()) && others.add(request.url()));
      page.on("requestfinished", (request) => others.delete(request.url()));
      page.on("requestfailed", (request) => others.delete(request.url()));
      await page.route(late, async (route) => {
        await rest;
        await route.continue();
      });
      await page.goto(path, { waitUntil: "commit" });
      const start = page.locator("#start");
      await expect(start).toHaveCount(1);
      await expect.poll(() => others.size).toBe(0);
      release();
      await expect(page.getByRole("application")).toBeVisible({ timeout: 30_000 });
      const before = await pitch(page);
      await page.getByRole("button", { name: "Zoom in" }).click();
      await expect.poll(() => pitch(page)).toBeGreaterThan(before * 1.4);
    });
  }
}

test("a board that would hardly gain lies straight on a phone, and no letter lies on its side", async ({ phone, bob }) => {
  await startMatch({ cols: 4, rows: 3 }, phone, bob, "none", "boxes");
  const { page } = phone;
  const [first, next] = [await pointOnScreen(page, 0, 0), await pointOnScreen(page, 1, 0)];
  expect(next.x).toBeGreaterThan(first.x);
  expect(next.y).toBeCloseTo(first.y, 0);
  // No coordinate is larger than 14 pixels.
  const tallest = () =>
    page.locator(".tick").evaluateAll((ticks) =>
      Math.max(
        ...ticks.map((tick) => {
          const { a, b } = (tick as SVGTextElement).getScreenCTM()!;
          return parseFloat(getComputedStyle(tick).fontSize) * Math.hypot(a, b);
        }),
      ),
    );
  await expect.poll(tallest).toBeLessThanOrEqual(14.1);
  await page.setViewportSize({ width: 1280, height: 800 });
  await expect.poll(tallest).toBeLessThanOrEqual(14.1);
});

test("pinching and panning move the view and place no dot", async ({ phone, bob }) => {
  await startMatch({}, phone, bob);
  const { page, board, moves } = phone;
  const fingers = await Fingers.on(page);
  const before = await pitch(page);
  const middle = await pointOnScreen(page, 19, 15);
  const [left, right] = [
    { x: middle.x - 30, y: middle.y },
    { x: middle.x + 30, y: middle.y },
  ];
  await fingers.drag([
    [left, { x: left.x - 60, y: left.y }],
    [right, { x: right.x + 60, y: right.y }],
  ]);
  await waitForAnimations(board);
  const after = await pitch(page);
  expect(after / before, "as much larger as the fingers have parted").toBeCloseTo(3, 0);
  await expect(page.locator(".overview")).toBeVisible();
  const middled = await pointOnScreen(page, 19, 15);
  expect(Math.hypot(middled.x - middle.x, middled.y - middle.y), "what is between them stays there").toBeLessThan(12);

  const from = await pointOnScreen(page, 19, 15);
  await fingers.drag([[from, { x: from.x + 50, y: from.y - 40 }]]);
  await waitForAnimations(board);
  const to = await pointOnScreen(page, 19, 15);
  expect(to.x - from.x).toBeCloseTo(50, -1);
  expect(to.y - from.y).toBeCloseTo(-40, -1);

  // Pinch to zoom out.
  await fingers.drag([
    [{ x: middle.x - 120, y: middle.y }, left],
    [{ x: middle.x + 120, y: middle.y }, right],
  ]);
  await waitForAnimations(board);
  expect(await pitch(page)).toBeLessThan(after / 2);
  await expect(board.locator(".ghost")).toHaveCount(0);
  await expect(moves).toHaveCount(0);
  expect(await page.evaluate(() => visualViewport!.scale), "the page itself is not zoomed").toBe(1);
});

test("dragging with one finger scrolls the page, or pans a zoomed board", async ({ phone, bob }) => {
  await startMatch({}, phone, bob);
  const { page, board, moves } = phone;
  const fingers = await Fingers.on(page);
  const scrolled = () => page.evaluate(() => window.scrollY);
  const spot = await pointOnScreen(page, 30, 15);
  await fingers.drag([[spot, { x: spot.x, y: spot.y - 150 }]]);
  await expect.poll(scrolled).toBeGreaterThan(50);

  await page.evaluate(() => window.scrollTo(0, 0));
  await page.getByRole("button", { name: "Zoom in" }).tap();
  await page.getByRole("button", { name: "Zoom in" }).tap();
  // The buttons are below the board.
  await page.evaluate(() => window.scrollTo(0, 0));
  await waitForAnimations(board);
  const rested = await scrolled();
  const on = await pointOnScreen(page, 19, 15);
  await fingers.drag([[on, { x: on.x, y: on.y - 100 }]]);
  await waitForAnimations(board);
  expect((await pointOnScreen(page, 19, 15)).y).toBeLessThan(on.y - 50);
  expect(await scrolled()).toBe(rested);
  await expect(moves).toHaveCount(0);
});

test("the overview shows the visible part; buttons show the last move and the whole board", async ({
  phone,
  bob,
}) => {
  await startMatch({}, bob, phone);
  const { page, board } = phone;
  await move(bob, "2,29");
  await expect(phone.moves).toHaveCount(1);
  const overview = page.locator(".overview");
  const whole = page.getByRole("button", { name: "Whole board" });
  await expect(whole).toBeDisabled();
  await expect(overview).toHaveCount(0);

  await page.getByRole("button", { name: "Last move" }).tap();
  await expect(overview).toBeVisible();
  await waitForAnimations(board);
  const frame = (await page.locator(".board-frame").boundingBox())!;
  const last = await pointOnScreen(page, 2, 29);
  expect(last.x).toBeGreaterThan(frame.x);
  expect(last.x).toBeLessThan(frame.x + frame.width);
  expect(last.y).toBeGreaterThan(frame.y);
  expect(last.y).toBeLessThan(frame.y + frame.height);
  // The frame in the overview contains the last move, and the overview does not cover it on the board.
  const [window, cover] = [(await overview.locator(".window").boundingBox())!, (await overview.boundingBox())!];
  const within = ({ x, y }: Spot, box: typeof cover) =>
    x > box.x && x < box.x + box.width && y > box.y && y < box.y + box.height;
  const [left, top] = [(last.x - frame.x) / frame.width, (last.y - frame.y) / frame.height];
  expect(within({ x: window.x + window.width * left, y: window.y + window.height * top }, cover)).toBe(true);
  expect(within(last, cover)).toBe(false);
  // The overview shows the last move in its colour.
  const drawn = await overview.locator("canvas").evaluate(
    (canvas: HTMLCanvasElement, [x, y]) => {
      const spot = [x * canvas.width, y * canvas.height] as const;
      return [...canvas.getContext("2d")!.getImageData(spot[0], spot[1], 1, 1).data];
    },
    [
      (window.x + window.width * left - cover.x) / cover.width,
      (window.y + window.height * top - cover.y) / cover.height,
    ],
  );
  expect(drawn).toEqual([191, 42, 32, 255]);

  await whole.tap();
  await waitForAnimations(board);
  await expect(overview).toHaveCount(0);
  await expect(whole).toBeDisabled();
});

test("with a mouse the wheel zooms at the pointer, dragging pans, and one click places a dot", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  const { page, board, moves } = alice;
  const before = await pitch(page);
  const spot = await pointOnScreen(page, 30, 10);
  await page.mouse.move(spot.x - 3, spot.y);
  await page.mouse.move(spot.x, spot.y);
  for (let turn = 0; turn < 4; turn += 1) await page.mouse.wheel(0, -120);
  await expect.poll(() => pitch(page)).toBeGreaterThan(before * 1.8);
  const zoomed = await pointOnScreen(page, 30, 10);
  expect(Math.hypot(zoomed.x - spot.x, zoomed.y - spot.y)).toBeLessThan(2);

  await page.mouse.down();
  await page.mouse.move(spot.x - 60, spot.y + 40, { steps: 6 });
  await page.mouse.up();
  await waitForAnimations(board);
  const panned = await pointOnScreen(page, 30, 10);
  expect(panned.x - spot.x).toBeCloseTo(-60, -1);
  expect(panned.y - spot.y).toBeCloseTo(40, -1);
  await expect(moves).toHaveCount(0);

  await page.mouse.click(panned.x, panned.y);
  await expect(moves).toHaveText([/30,10/]);
});

test("the wheel scrolls the page when the board cannot be zoomed out further", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  const { page } = alice;
  await page.setViewportSize({ width: 1280, height: 500 });
  const spot = await pointOnScreen(page, 20, 10);
  await page.mouse.move(spot.x, spot.y);
  await page.mouse.wheel(0, 200);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeGreaterThan(50);
  // Still scrolling, because the pointer has not moved since it was over the page.
  const before = await pitch(page);
  await page.mouse.wheel(0, -100);
  await expect.poll(() => page.evaluate(() => window.scrollY)).toBeLessThan(150);
  expect(await pitch(page)).toBeCloseTo(before, 3);
});

test("with confirmation of moves the first click previews a dot and the second places it", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  await alice.page.evaluate(() => document.documentElement.setAttribute("data-confirm", "on"));
  const ghost = alice.board.locator(".ghost");
  const [here, there] = [await pointOnScreen(alice.page, 4, 4), await pointOnScreen(alice.page, 9, 9)];
  await alice.page.mouse.click(here.x, here.y);
  await alice.page.mouse.move(there.x, there.y);
  await expect(ghost, "the aim stays while the mouse moves on").toHaveAttribute("cx", "40");
  await alice.page.mouse.click(there.x, there.y);
  await expect(ghost).toHaveAttribute("cx", "90");
  await expect(alice.moves).toHaveCount(0);
  await alice.page.mouse.click(there.x, there.y);
  await expect(alice.moves).toHaveText([/9,9/]);
});

test("zooming does not wait for WebAssembly", async ({ alice, bob }) => {
  await startMatch({}, alice, bob);
  const { page } = alice;
  // The code never arrives. The page would soon become one without scripts, which has nothing to zoom with.
  await page.route("**/*.wasm", () => undefined);
  await page.reload();
  const before = await pitch(page);
  await page.getByRole("button", { name: "Zoom in" }).click();
  await expect.poll(() => pitch(page)).toBeGreaterThan(before * 1.4);
});

test("no animations with reduced motion", async ({ alice, bob }) => {
  await alice.page.emulateMedia({ reducedMotion: "reduce" });
  await startMatch({}, bob, alice);
  const moving = () => alice.page.evaluate(() => document.getAnimations().length);
  await alice.page.getByRole("button", { name: "Zoom in" }).click();
  await expect(alice.page.locator(".overview")).toBeVisible();
  expect(await moving()).toBe(0);
  await move(bob, "3,3");
  await expect(alice.moves).toHaveCount(1);
  expect(await moving()).toBe(0);
});

test("the opponent's move plays a sound, unless sound is off", async ({ alice, bob }) => {
  const fetched: string[] = [];
  alice.page.on("request", (request) => fetched.push(new URL(request.url()).pathname));
  await alice.page.addInitScript(countSounds);
  await startMatch({}, alice, bob);
  const html = alice.page.locator("html");
  const spot = await pointOnScreen(alice.page, 4, 4);
  await alice.page.mouse.click(spot.x, spot.y);
  await expect(bob.moves).toHaveCount(1);
  expect(fetched).not.toContain("/sound.js");
  await move(bob, "5,5");
  await expect(html).toHaveAttribute("data-heard", "1");
  await alice.page.evaluate(() => document.documentElement.setAttribute("data-sound", "off"));
  await move(alice, "6,6");
  await move(bob, "7,7");
  await expect(alice.moves).toHaveCount(4);
  await settled(alice.page);
  await expect(html).toHaveAttribute("data-heard", "1");
});
