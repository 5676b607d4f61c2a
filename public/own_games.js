// @ts-check
/**
 * On the page of a player's games: loads it again when one of them has changed, at once or when the reader comes back to it; and
 * the key N, which leads to the next game on turn.
 */
const ownGames = /** @type {HTMLElement} */ (document.getElementById("own-games"));

/** The games that the page shows as those on turn. A stream that opens names them once more. */
const onTurn = new Set(ownGames.dataset.onTurn?.split(" "));

let isStale = false;

const refreshGames = () => {
  if (isStale && !document.hidden) location.reload();
};
const noteChange = () => {
  isStale = true;
  refreshGames();
};

if (typeof TopicStream !== "undefined") {
  const stream = new TopicStream("me");
  stream.addEventListener("your_move", (event) => {
    const { match } = JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
    if (!onTurn.has(String(match))) noteChange();
  });
  // The turn in a game by correspondence is a notification, and the bell has the number that the page was loaded with.
  let unread = parseInt(document.querySelector(".bell")?.getAttribute("data-unread") || "0", 10);
  stream.addEventListener("notified", (event) => {
    const before = unread;
    unread = JSON.parse(/** @type {MessageEvent<string>} */ (event).data).unread;
    if (unread > before) noteChange();
  });
  for (const name of ["match_started", "match_finished"]) stream.addEventListener(name, noteChange);
}
document.addEventListener("visibilitychange", refreshGames);

document.addEventListener("keydown", ({ key, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest("input, textarea, select, dialog");
  if (isTyping || ctrlKey || metaKey || altKey) return;
  if (key.toLowerCase() === "n") document.getElementById("next-game")?.click();
});
