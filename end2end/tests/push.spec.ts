/**
 * A push with all pages closed. The server sends a real one to a push service of this story; what that has decrypted is handed to the
 * service worker by DevTools, as the browser's own connection would.
 */
import type { BrowserContext, CDPSession, Worker } from "@playwright/test";
import { installed } from "../installed";
import { expect, test } from "./fixtures";
import { move, startByCorrespondence } from "./correspondence_actions";
import { PushService, subscribeThere } from "./push_service";

/** Chromium as people have it: the headless shell shows no notifications. */
const chromium = installed("chromium", "chromium-browser", "google-chrome");

test.use({
  serviceWorkers: "allow",
  launchOptions: {
    executablePath: chromium,
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
  },
});

/** The longest wait for a step that Playwright does not bound. */
const STEP_MS = 30_000;

/** Waits for a step, so that one that never ends fails and is named. */
async function within<T>(step: string, promise: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`${step}: no end after ${STEP_MS} ms`)), STEP_MS);
  });
  return Promise.race([promise, late]).finally(() => clearTimeout(timer));
}

/** The id that DevTools has for the service worker of this context. */
async function registrationId(session: CDPSession): Promise<string> {
  const found = new Promise<string>((resolve) => {
    session.on("ServiceWorker.workerRegistrationUpdated", ({ registrations }) => {
      const registration = registrations.find(({ isDeleted }) => !isDeleted);
      if (registration) resolve(registration.registrationId);
    });
  });
  await within("the list of service workers", session.send("ServiceWorker.enable"));
  return within("the registration", found);
}

/** What a service worker shows. */
function notifications(worker: Worker): Promise<{ title: string; body: string }[]> {
  const shown = worker.evaluate(async () => {
    const { registration } = globalThis as unknown as { registration: ServiceWorkerRegistration };
    return (await registration.getNotifications()).map(({ title, body }) => ({ title, body }));
  });
  return within("the notifications", shown);
}

/**
 * Clicks the notification of a service worker. Chromium lets a worker open a window only after a click of the system, so this returns
 * what it asks to open.
 */
function click(worker: Worker): Promise<string> {
  const opened = worker.evaluate(async () => {
    const scope = globalThis as unknown as {
      registration: ServiceWorkerRegistration;
      clients: { openWindow: (address: string) => Promise<null> };
      NotificationEvent: new (name: string, init: { notification: Notification }) => Event;
      dispatchEvent: (event: Event) => void;
    };
    const asked = new Promise<string>((resolve) => {
      scope.clients.openWindow = async (address) => {
        resolve(address);
        return null;
      };
    });
    const [notification] = await scope.registration.getNotifications();
    scope.dispatchEvent(new scope.NotificationEvent("notificationclick", { notification }));
    return asked;
  });
  return within("the click", opened);
}

/** Closes all pages of a context but one that is of no site, so that the browser has a window. Returns its DevTools. */
async function closePages(context: BrowserContext): Promise<CDPSession> {
  const blank = await context.newPage();
  for (const page of context.pages()) if (page !== blank) await within("closing a page", page.close());
  return within("DevTools", context.newCDPSession(blank));
}

test("a push with all pages closed opens the board on the move", async ({ alice, bob, baseURL }) => {
  test.skip(!chromium, "no Chromium that shows notifications");
  test.skip(process.env.E2E_PROFILE === "release", "a release sends no push to loopback");
  const service = await PushService.start();
  try {
    const match = await startByCorrespondence(alice, bob);
    await move(alice, match, "5,5");
    const context = alice.page.context();
    await context.grantPermissions(["notifications"]);
    await context.addInitScript(subscribeThere, service.subscription);
    await alice.page.goto("/account");
    // Only the button that has something to do.
    const [on, off] = ["Turn on push", "Turn off push"].map((name) => alice.page.getByRole("button", { name }));
    await expect(on).toBeVisible();
    await expect(off).toBeHidden();
    // No page that works offline has been open, so this one registers the service worker.
    await on.click();
    await expect(alice.page.getByText("Push is on in this browser.")).toBeVisible();
    await expect(on).toBeHidden();
    await expect(off).toBeVisible();

    const session = await closePages(context);
    const registration = await registrationId(session);
    await move(bob, match, "20,20");
    const data = await within("a push", service.next());
    const content = { title: `Your turn against ${bob.name}`, body: "Dots", url: `/match/${match}`, on_turn: 1 };
    expect(JSON.parse(data)).toMatchObject(content);

    const push = { origin: new URL(baseURL!).origin, registrationId: registration, data };
    await within("handing over", session.send("ServiceWorker.deliverPushMessage", push));
    const [worker] = context.serviceWorkers();
    await expect.poll(() => notifications(worker)).toEqual([{ title: content.title, body: "Dots" }]);
    const address = await click(worker);
    expect(address).toBe(`/match/${match}`);
    await expect.poll(() => notifications(worker)).toEqual([]);

    const page = await context.newPage();
    await page.goto(address);
    await expect(page.getByRole("region", { name: "Moves" }).getByRole("listitem")).toHaveCount(2);
    await expect(page).toHaveTitle(/^\(1\) /);

    // Signing out leaves no notice behind.
    await within("handing over again", session.send("ServiceWorker.deliverPushMessage", push));
    await expect.poll(() => notifications(worker)).toHaveLength(1);
    await page.goto("/account");
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect.poll(() => notifications(worker)).toEqual([]);
  } finally {
    service.stop();
  }
});
