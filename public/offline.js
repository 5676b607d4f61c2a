// @ts-check
/**
 * Registers the service worker, and says whether this page is offline.
 *
 * `data-offline` of the document says that there is no connection. `data-offline-ready` and the event `offline:ready` say that
 * this site can be used without one.
 */
export {}; // A module, so that its names are its own.

const root = document.documentElement;

/** After how long a connection without an answer is none; as for pages in `service_worker.js`. */
const NETWORK_TIMEOUT_MS = 4_000;

/** The longest time that the registration waits for the page to be idle. */
const IDLE_TIMEOUT_MS = 5_000;

/** @param {boolean} isOffline */
function mark(isOffline) {
  if (isOffline) root.dataset.offline = "";
  else delete root.dataset.offline;
}

/** A browser that says it is online may only have a local network, or the server may be away. */
async function checkConnection() {
  if (!navigator.onLine) return mark(true);
  const options = { cache: /** @type {const} */ ("no-store"), signal: AbortSignal.timeout(NETWORK_TIMEOUT_MS) };
  const response = await fetch("/healthz", options).catch(() => null);
  if (!response?.ok) mark(true);
}

/**
 * Lets a new release take the place of the present one, which the worker of the new one does unless a game is open in any window.
 *
 * @param {ServiceWorkerRegistration} registration
 */
function update(registration) {
  registration.waiting?.postMessage("update");
}

/** @param {ServiceWorkerContainer} container */
async function register(container) {
  // The browser looks for a new release in `release.js`, which must not come from its cache.
  const registration = await container.register("/service_worker.js", { updateViaCache: "none" });
  update(registration);
  registration.addEventListener("updatefound", () => {
    registration.installing?.addEventListener("statechange", () => update(registration));
  });
}

function registerWhenIdle() {
  const { serviceWorker } = navigator;
  // Without a service worker, or where the browser forbids it, the page only needs the network.
  const start = () => register(serviceWorker).catch(() => {});
  if ("requestIdleCallback" in window) requestIdleCallback(start, { timeout: IDLE_TIMEOUT_MS });
  else setTimeout(start, 0);
}

window.addEventListener("offline", () => mark(true));
window.addEventListener("online", () => mark(false));
void checkConnection();

// There is none in an insecure context.
if ("serviceWorker" in navigator) {
  // The worker is ready when it is active, and so has filled its cache.
  void navigator.serviceWorker.ready.then(() => {
    root.dataset.offlineReady = "";
    document.dispatchEvent(new Event("offline:ready"));
  });
  if (document.readyState === "complete") registerWhenIdle();
  else window.addEventListener("load", registerWhenIdle, { once: true });
}
