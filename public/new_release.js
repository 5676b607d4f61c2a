// @ts-check
/**
 * The server is of another release than this page: says so, and loads the page again by itself where nothing is lost by that.
 *
 * A page loads this script when its event stream tells another release than its own (`chat.js`, `open_table.js`). So the
 * script is mostly of a later release than the page around it. Of that it reads `#new-release`, `.result`, `.in-past`, form fields
 * and the slider `ply`; where a release gives one of them another name, this script knows both names for one release.
 */
export {}; // A module, so that its names are its own.

const region = /** @type {HTMLElement} */ (document.getElementById("new-release"));

/** Within which time pages are loaded again, each at a moment of its own: a server that starts again meets
 * the pages of all readers. */
const SPREAD_MS = 30_000;
/** The interval of checks whether the page can be loaded again. */
const CHECK_INTERVAL_MS = 5_000;
/** The time for which the reader has left a visible page alone before it is loaded again. */
const IDLE_TIME_MS = 10_000;
/** The time within which a page is not loaded again by itself twice. Otherwise it would alternate between two
 * servers while one of them is not upgraded yet. */
const RELOAD_INTERVAL_MS = 600_000;
/** The key of the time of the last such reload, in the storage of this tab. */
const RELOADED_AT = "reloaded-at";

const earliest = Date.now() + Math.random() * SPREAD_MS;
let touchedAt = Date.now();

const isMatch = () => location.pathname.startsWith("/match/");
const hasEnded = () => document.querySelector(".result") !== null;

/** Returns whether the reader has typed or chosen something. @param {Element} field */
function isChanged(field) {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const initial = options.find(({ defaultSelected }) => defaultSelected) ?? options[0];
    return initial?.selected === false;
  }
  const input = /** @type {HTMLInputElement} */ (field);
  // The slider of the moves follows the match. Whether the reader has moved it back, `.in-past` says.
  if (input.name === "ply") return false;
  if (["checkbox", "radio"].includes(input.type)) return input.checked !== input.defaultChecked;
  return input.value !== input.defaultValue;
}

const isFormFilled = () => [...document.querySelectorAll("input, textarea, select")].some(isChanged);

const isDialogOpen = () =>
  document.querySelector("dialog[open]") !== null ||
  [...document.querySelectorAll("[popover]")].some((part) => "showPopover" in part && part.matches(":popover-open"));

/** Returns whether a challenge sounds on this page. A page that was loaded in the background is silent until it is touched. */
const isAudible = () =>
  document.documentElement.dataset.sound !== "off" && navigator.userActivation?.hasBeenActive !== false;

/** Returns whether the reader loses nothing by loading the page again. On pages that are not named here they might. */
function isSafe() {
  if (isFormFilled() || isDialogOpen()) return false;
  if (location.pathname === "/play") return document.hidden && !isAudible();
  if (!isMatch() || !hasEnded() || document.querySelector(".in-past")) return false;
  return document.hidden || Date.now() - touchedAt >= IDLE_TIME_MS;
}

/** Returns whether the server answers: otherwise the browser's own error page would take the place of this page. */
const isServerThere = async () => (await fetch("/healthz", { cache: "no-store" }).catch(() => null))?.ok === true;

/** Returns whether it is time for this tab to be loaded again by itself; from then on it is not for a while. */
function takeTurn() {
  try {
    if (Date.now() - Number(sessionStorage.getItem(RELOADED_AT)) < RELOAD_INTERVAL_MS) return false;
    sessionStorage.setItem(RELOADED_AT, String(Date.now()));
    return true;
  } catch {
    // Where nothing can be kept, nothing would end the alternation.
    return false;
  }
}

async function check() {
  // The notice follows the page, and is in sight at the lower edge; during a match it must not cover the board.
  region.style.position = isMatch() && !hasEnded() ? "static" : "sticky";
  if (Date.now() < earliest || !isSafe()) return;
  if ((await isServerThere()) && isSafe() && takeTurn()) location.reload();
}

Object.assign(region.style, { insetBlockEnd: "0.5rem", width: "fit-content", marginInline: "auto" });
region.append(/** @type {HTMLTemplateElement} */ (region.querySelector("template")).content.cloneNode(true));
region.querySelector("button")?.addEventListener("click", () => location.reload());

for (const name of ["pointerdown", "keydown", "wheel"]) {
  document.addEventListener(name, () => (touchedAt = Date.now()), { capture: true, passive: true });
}
document.addEventListener("visibilitychange", check);
setInterval(check, CHECK_INTERVAL_MS);
void check();
