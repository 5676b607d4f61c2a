// @ts-check
/**
 * In the waiting room and at an open table: the sound of a challenge, notifications of the operating system, and the notice
 * of annulled games.
 */

const isSoundOn = () => document.documentElement.dataset.sound !== "off";
const loadSounds = () => import("./sound.js");

// Some browsers let audio start only in a user gesture, and a challenge arrives while the player is elsewhere. So the
// first gesture on the page starts the audio context.
for (const name of ["pointerdown", "keydown"]) {
  document.addEventListener(name, async () => isSoundOn() && (await loadSounds()).ready(), { once: true });
}

document.addEventListener("sound:call", async () => {
  if (isSoundOn() && navigator.userActivation?.hasBeenActive !== false) (await loadSounds()).call();
});

// The notice of annulled games is a part of the page of the reader's games.
let annulments = 0;
document.addEventListener("rating_corrected", async () => {
  annulments += 1;
  const asked = annulments;
  const response = await fetch("/history").catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  const notices = html && new DOMParser().parseFromString(html, "text/html").querySelector(".annulments");
  // Without it they are told by the next page. Of two that were asked for, only the later is known to have both games.
  if (notices && asked === annulments) document.getElementById("annulments-here")?.replaceChildren(notices);
});

/** The notifications that this page shows itself, by their tags. @type {Map<string, Notification>} */
const shown = new Map();

/** The service worker, which shows them where it can: browsers on phones let no page do so. */
const findWorker = async () => {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  return registration?.active ? registration : undefined;
};

/** The notifications to be shown or closed, one after the other. */
let last = Promise.resolve();
/** @param {string} name @param {(detail: string) => Promise<void>} handle What the browser refuses is not shown. */
const inTurn = (name, handle) =>
  document.addEventListener(name, (event) => {
    const { detail } = /** @type {CustomEvent<string>} */ (event);
    last = last.then(() => handle(detail)).catch(() => {});
  });

inTurn("notification", async (detail) => {
  const [tag, title, body] = detail.split("\n");
  const options = { tag, body, icon: "/icon.svg" };
  const worker = await findWorker();
  if (worker) await worker.showNotification(title, options);
  else shown.set(tag, new Notification(title, options));
});

inTurn("notification:end", async (tag) => {
  shown.get(tag)?.close();
  shown.delete(tag);
  const worker = await findWorker();
  for (const notification of (await worker?.getNotifications({ tag })) ?? []) notification.close();
});
