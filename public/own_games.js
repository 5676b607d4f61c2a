// @ts-check
/**
 * On the page of a player's games: loads it again when one of them has changed, at once or when the reader comes back to it; and
 * the key N, which leads to the next game on turn.
 */
const ownGames = /** @type {HTMLElement} */ (document.getElementById("own-games"));

/** The games that the page shows as those on turn. A stream that opens names them once more. */
const onTurn = new Set(ownGames.dataset.onTurn?.split(" "));

/** The time in which the answer to a form is waited for. */
const FORM_TIMEOUT_MS = 10_000;

let isStale = false;
let isSending = false;

const refreshGames = () => {
  if (isStale && !isSending && !document.hidden) location.reload();
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
  // So is a turn that has ended without one, as by a conditional move. Only numbers that change are news.
  let turns = Number(ownGames.dataset.turns);
  stream.addEventListener("notified", (event) => {
    const before = { unread, turns };
    const counts = JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
    unread = counts.unread;
    turns = counts.on_turn ?? turns;
    if (unread > before.unread || turns !== before.turns) noteChange();
  });
  for (const name of ["match_started", "match_finished"]) stream.addEventListener(name, noteChange);
}
document.addEventListener("visibilitychange", refreshGames);

// The event of a game that a form begins comes before the answer, which leads to the game: a reload would take its place.
document.addEventListener("submit", () => {
  isSending = true;
  setTimeout(() => {
    isSending = false;
    refreshGames();
  }, FORM_TIMEOUT_MS);
});

document.addEventListener("keydown", ({ key, code, target, ctrlKey, metaKey, altKey }) => {
  const isTyping = /** @type {Element} */ (target).closest("input, textarea, select, dialog");
  if (isTyping || ctrlKey || metaKey || altKey) return;
  // In a layout without Latin letters it is the place of the key.
  if (/^n$/i.test(/[^ -~]/.test(key) ? code.slice(3) : key)) document.getElementById("next-game")?.click();
});
