// @ts-check
/** Shows how many of the files that a page loads have come, until its code runs. */
export {}; // A module, so that its names are its own.

const bar = document.querySelector("progress");
/** @type {NodeListOf<HTMLLinkElement>} */
const links = document.querySelectorAll("link[rel=preload], link[rel=modulepreload]");

function count() {
  if (!bar) return;
  bar.max = links.length;
  bar.value = [...links].filter(({ href }) => performance.getEntriesByName(href).length).length;
}

new PerformanceObserver(count).observe({ type: "resource", buffered: true });
