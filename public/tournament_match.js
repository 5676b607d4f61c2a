// @ts-check
/**
 * On the page of a match of a tournament, for who is signed in: leads to the reader's next match of the tournament once they are
 * paired. A match of this page that the reader plays is over by then, because nobody plays two at once.
 *
 * In an arena with berserk, the button halves the clock without another page, and who has done so is told at once.
 */
{
  /** The time for the sound before the page is left. */
  const CALL_MS = 400;
  const { match, tournament } = /** @type {HTMLElement} */ (document.getElementById("tournament-match")).dataset;
  /** The running match that the reader knows of. @type {string | undefined} */
  let known;
  /** @param {number} next */
  const go = (next) => {
    if (String(next) === match || String(next) === known) return;
    known = String(next);
    document.dispatchEvent(new Event("sound:call"));
    setTimeout(() => location.assign(`/match/${next}`), CALL_MS);
  };
  const berserk = /** @type {HTMLFormElement | null} */ (document.getElementById("berserk"));
  if (berserk) {
    berserk.addEventListener("submit", async (event) => {
      event.preventDefault();
      const { ok } = await send(berserk.action, new URLSearchParams(/** @type {any} */ (new FormData(berserk))));
      // The page that answers the form says why not.
      if (!ok) berserk.submit();
    });
  }
  document.addEventListener("berserked", (event) => {
    const { seat } = JSON.parse(/** @type {CustomEvent<string>} */ (event).detail);
    const line = /** @type {HTMLElement | null} */ (document.querySelector(`[data-berserk="${seat}"]`));
    if (line) line.hidden = false;
    if (berserk?.dataset.seat === String(seat)) berserk.remove();
  });
  if (typeof TopicStream !== "undefined") {
    const stream = new TopicStream("me");
    /** @type {(event: Event) => any} */
    const read = (event) => JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
    stream.addEventListener("paired", (event) => go(read(event).match));
    let isFirst = true;
    // Who was paired while the stream was not there. Whoever opens this page beside a running game knows of that one.
    stream.addEventListener("snapshot", async (event) => {
      const wasFirst = isFirst;
      isFirst = false;
      if (read(event).matches.length === 0) return;
      const response = await fetch(`/api/tournament_entry?id=${tournament}`).catch(() => null);
      const entry = response?.ok ? await response.json().catch(() => null) : null;
      if (!entry?.match) return;
      if (wasFirst) known = String(entry.match);
      else go(entry.match);
    });
  }
}
