// @ts-check
/**
 * At a finished match: the challenges to its player, who is still found in the lobby of the game. The server renders their cards with the
 * page, so this reads the page again when one came or ended. `chat.js` loads it when the match is over.
 */

const here = /** @type {HTMLElement} */ (document.getElementById("challenges-here"));

/** How many times the cards were asked for. Only the last answer counts. */
let asked = 0;
/** The cards that have been told. @type {Set<string>} */
const told = new Set();

/** @param {ParentNode} root */
const ids = (root) => [...root.querySelectorAll("[name=id]")].map((field) => /** @type {HTMLInputElement} */ (field).value);

const renew = async () => {
  const mine = ++asked;
  const response = await fetch(location.pathname).catch(() => null);
  const html = response?.ok ? await response.text().catch(() => null) : null;
  const cards = html && new DOMParser().parseFromString(html, "text/html").getElementById("challenges-here");
  if (!cards || mine !== asked) return;
  const before = new Map(ids(here).map((id, place) => [id, here.children[place]]));
  // A card that is there stays, so that its buttons keep the focus and its time goes on.
  here.replaceChildren(...ids(cards).map((id, place) => before.get(id) ?? cards.children[place].cloneNode(true)));
  tell();
};

/** Whether the title or a notification says that there is a card. */
let isTold = false;

/** Tells of new cards as of a request of the opponent: by a sound, and in another tab by the title and a notification. */
const tell = () => {
  const fresh = [...here.children].find((card) => ids(card).some((id) => !told.has(id)));
  for (const id of ids(here)) told.add(id);
  const text = fresh?.querySelector(".prompt")?.textContent;
  if (text) document.dispatchEvent(new CustomEvent("sound:call"));
  const detail = text ? `${here.dataset.heading}\n${text}` : "";
  // What the opponent asks for is told in the same place, and stays.
  if (text || (isTold && !here.childElementCount)) document.dispatchEvent(new CustomEvent("asked", { detail }));
  isTold = text ? true : isTold && here.childElementCount > 0;
};

setInterval(() => {
  for (const card of [...here.children]) {
    const left = /** @type {HTMLElement} */ (card.querySelector(".countdown"));
    const seconds = Math.max(0, Number(left.textContent) - 1);
    left.textContent = String(seconds);
    // The server closes it, too; a page whose line is lost is not told.
    if (seconds === 0) card.remove();
  }
}, 1000);

tell();
if (typeof TopicStream !== "undefined") {
  const stream = new TopicStream("me");
  for (const name of ["challenged", "challenge_closed"]) stream.addEventListener(name, renew);
  stream.addEventListener("snapshot", (event) => {
    const { challenges } = JSON.parse(/** @type {MessageEvent<string>} */ (event).data);
    if (challenges.length || here.childElementCount) renew();
  });
}
