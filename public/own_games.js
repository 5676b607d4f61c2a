// @ts-check
/**
 * On the page of a player's games: loads it again when one of them has changed, at once or when the reader comes back to it; and
 * the key N, which leads to the next game on turn.
 */
const script = /** @type {HTMLElement} */ (document.getElementById("own-games"));

/** The games that the page shows as those on turn. A stream that opens names them once more. */
const onTurn = new Set(script.dataset.onTurn?.split(" "));

let isStale = false;

const refresh = () => {
  if (isStale && !document.hidden) location.reload();
};
const change = () => {
  isStale = true;
  refresh();
};

if (typeof TopicStream !== "undefined") {
  const stream = new TopicStream("me");
  stream.addEventListener("your_move", (event) => {
    const { match } = JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
    if (!onTurn.has(String(match))) change();
  });
  for (const name of ["match_started", "match_finished"]) stream.addEventListener(name, change);
}
document.addEventListener("visibilitychange", refresh);

document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest("input, textarea, select, dialog");
  if (isTyping || ctrlKey || metaKey || altKey) return;
  if (key.toLowerCase() === "n") document.getElementById("next-game")?.click();
});
