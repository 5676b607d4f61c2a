// @ts-check
/**
 * On the page of a match of a tournament, for its players: leads to the next match once they are paired again. The match of this page
 * is over by then, because nobody plays two at once.
 */
{
  const { match } = /** @type {HTMLElement} */ (document.getElementById("tournament-match")).dataset;
  if (typeof TopicStream !== "undefined") {
    new TopicStream("me").addEventListener("paired", (event) => {
      const next = JSON.parse(/** @type {MessageEvent<string>} */ (event).data).match;
      if (String(next) === match) return;
      document.dispatchEvent(new Event("sound:call"));
      location.assign(`/match/${next}`);
    });
  }
}
