// @ts-check
/**
 * On the page of an adjourned match that goes on live at a time: its state follows that time, so that its player can come without loading
 * the page again. Once the match goes on, the page loads itself by the event.
 */

/** How long after a failure it is tried again. */
const AGAIN_MS = 10_000;

const adjournment = () => document.getElementById("adjournment");

let isAdjournmentStale = false;

async function renewAdjournment() {
  isAdjournmentStale = false;
  const response = await fetch(location.href).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  const shown = adjournment();
  if (!shown) return;
  if (!html) {
    renewAfter(AGAIN_MS);
    return;
  }
  const renewed = new DOMParser().parseFromString(html, "text/html").getElementById("adjournment");
  if (!renewed) {
    location.reload();
    return;
  }
  // Nothing is said again, and no button loses the focus, as long as nothing has changed.
  if (renewed.innerHTML !== shown.innerHTML) {
    const had = shown.contains(document.activeElement);
    shown.replaceChildren(...renewed.childNodes);
    if (had) /** @type {HTMLElement | null} */ (shown.querySelector("button, a"))?.focus();
  }
  renewAfter(Number(renewed.dataset.renewMs));
}

/** Renews it after a time, or when somebody looks at the page then. @param {number} ms None is no number. */
function renewAfter(ms) {
  if (!(ms > 0)) return;
  setTimeout(() => {
    isAdjournmentStale = true;
    if (!document.hidden) renewAdjournment();
  }, ms);
}

document.addEventListener("visibilitychange", () => {
  if (!document.hidden && isAdjournmentStale) renewAdjournment();
});
renewAfter(Number(adjournment()?.dataset.renewMs));
