// @ts-check
/**
 * Tells a player who is in another tab of the opponent's request, an offer or a rematch: by the title of the document, and by a
 * notification of the operating system where the browser lets this origin show some. Loaded when something is asked.
 */

/** The title of the page, while another one is shown. @type {string | undefined} */
let title;
/** The notification that this page shows itself. @type {Notification | undefined} */
let shown;

/** The tag of the notification: there is one request at a time. */
const tag = "asked";

/** The service worker, which shows notifications where it can: browsers on phones let no page do so. */
const findWorker = async () => {
  const registration = await navigator.serviceWorker?.getRegistration().catch(() => undefined);
  return registration?.active ? registration : undefined;
};

/** The notifications to be shown or closed, one after the other. A notification that the browser refuses is not shown. */
let last = Promise.resolve();
/** @param {() => Promise<void>} work */
const inTurn = (work) => {
  last = last.then(work).catch(() => {});
  return last;
};

/** @param {string} text */
async function open(text) {
  if (!document.hidden || globalThis.Notification?.permission !== "granted") return;
  const options = { tag, icon: "/icon.svg" };
  const worker = await findWorker();
  if (worker) await worker.showNotification(text, options);
  else shown = new Notification(text, options);
}

async function close() {
  shown?.close();
  shown = undefined;
  const worker = await findWorker();
  for (const notification of (await worker?.getNotifications({ tag })) ?? []) notification.close();
}

/**
 * @param {string} request The title of the document meanwhile, and on a second line the request in words; empty when nothing is asked
 *   any more.
 */
export function show(request) {
  const [heading, text] = request.split("\n");
  if (heading) {
    title ??= document.title;
    document.title = `(1) ${heading}`;
    return inTurn(() => open(text));
  }
  if (title !== undefined) document.title = title;
  title = undefined;
  return inTurn(close);
}
