// @ts-check
/**
 * Pushes on the account page (`#push`): subscribes this browser when the button is pressed, and unsubscribes it; or says why the browser
 * cannot. Nothing is asked before.
 */
export {}; // A module, so that its names are its own.

const card = /** @type {HTMLElement} */ (document.getElementById("push"));
const status = /** @type {HTMLElement} */ (card.querySelector("[role=status]"));
/** @type {HTMLButtonElement[]} */
const [onButton, offButton] = ["on", "off"].map((act) => /** @type {any} */ (card.querySelector(`[data-act=${act}]`)));

/** @param {"on" | "off" | "denied" | "none" | "install" | "failed"} state */
const show = (state) => {
  status.textContent = card.dataset[state] ?? "";
  onButton.hidden = state !== "off" && state !== "failed";
  offButton.hidden = state !== "on";
};

/** @param {string} address @param {Record<string, string>} fields */
const post = async (address, fields) => {
  const body = new URLSearchParams(fields);
  const response = await fetch(address, { method: "POST", body, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${address}: ${response.status}`);
};

/** @param {ArrayBuffer | null} key */
const encode = (key) => {
  const bytes = String.fromCharCode(...new Uint8Array(key ?? new ArrayBuffer(0)));
  return btoa(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
};

/** Whether both have the same key of the server. @param {PushSubscription} subscription */
const isOfServer = (subscription) => encode(subscription.options.applicationServerKey) === card.dataset.key;

/**
 * Returns the push manager of the service worker, which is registered here if no page that works offline has done so.
 *
 * @returns {Promise<PushManager>}
 */
const managerOfWorker = async () => {
  const { serviceWorker } = navigator;
  // As in `offline.js`.
  const { installing } = await serviceWorker.register("/service_worker.js", { updateViaCache: "none" });
  return new Promise((resolve, reject) => {
    void serviceWorker.ready.then(({ pushManager }) => resolve(pushManager));
    // It is never ready if the installation fails and there was none before. What is resolved stays so.
    installing?.addEventListener("statechange", () => {
      if (installing.state === "redundant") reject(new Error("the service worker could not be installed"));
    });
  });
};

const subscribe = async () => {
  // Before anything that is waited for: a browser asks only at once after the press.
  if ((await Notification.requestPermission()) !== "granted") return show("denied");
  const pushManager = await managerOfWorker();
  const known = await pushManager.getSubscription();
  if (known && !isOfServer(known)) await known.unsubscribe();
  const options = { userVisibleOnly: true, applicationServerKey: card.dataset.key };
  const subscription = await pushManager.subscribe(options);
  const { endpoint } = subscription;
  const [p256dh, auth] = [subscription.getKey("p256dh"), subscription.getKey("auth")].map(encode);
  await post("/api/subscribe_push", { endpoint, p256dh, auth, language: document.documentElement.lang });
  show("on");
};

const unsubscribe = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (subscription) {
    await post("/api/unsubscribe_push", { endpoint: subscription.endpoint });
    await subscription.unsubscribe();
  }
  show("off");
};

/** Whether the subscription of this browser, if it has one, is of this session: it may be of one that has ended. */
const isOn = async () => {
  const registration = await navigator.serviceWorker.getRegistration();
  const subscription = await registration?.pushManager.getSubscription();
  if (!subscription || !isOfServer(subscription)) return false;
  const response = await fetch(`/api/push_key?${new URLSearchParams({ endpoint: subscription.endpoint })}`);
  return response.ok && (await response.json()).subscribed === true;
};

/** Apple's browsers have pushes only for a site that is on the Home Screen. */
const isForInstalled = () => /** @type {any} */ (navigator).standalone === false;

const begin = async () => {
  if (!("serviceWorker" in navigator && "PushManager" in window && "Notification" in window)) {
    return show(isForInstalled() ? "install" : "none");
  }
  if (Notification.permission === "denied") return show("denied");
  show((await isOn().catch(() => false)) ? "on" : "off");
};

for (const [button, act] of /** @type {const} */ ([[onButton, subscribe], [offButton, unsubscribe]])) {
  button.addEventListener("click", async () => {
    button.disabled = true;
    await act().catch(() => show("failed"));
    button.disabled = false;
  });
}
void begin();
