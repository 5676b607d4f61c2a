// @ts-check
/**
 * Undoes what other scripts did to a page: password managers put elements beside fields, translators put `<font>` around texts.
 * `start.js` loads it where that has happened, or where an island waits for its code.
 */

/**
 * Returns whether a node of the page may be that of the copy, changed by scripts. Scripts of ours and of others add classes. A
 * node that the server sent without a class may have any but those of its siblings.
 *
 * @param {Node} node @param {Node} copy @param {(string | undefined)[]} classes The first class of each sibling of the copy.
 */
function isLike(node, copy, classes) {
  if (node.nodeName !== copy.nodeName) return false;
  if (!(node instanceof Element && copy instanceof Element)) return true;
  const [first] = copy.classList;
  return (
    ["id", "name"].every((attribute) => node.getAttribute(attribute) === copy.getAttribute(attribute)) &&
    (first ? node.classList.contains(first) : ![...node.classList].some((name) => classes.includes(name)))
  );
}

/**
 * Gives an element the child nodes of its copy. Those that are there stay, with what has been typed into them; foreign elements
 * follow them, or go if they have taken the place of something. Returns whether anything was changed.
 *
 * @param {Node} live @param {Node} copy @returns {boolean}
 */
function restore(live, copy) {
  /** The live nodes in their order. @type {Node[]} */
  const nodes = [...live.childNodes];
  // The copies of children of islands are empty, and so are elements that scripts of ours fill.
  if (!copy.hasChildNodes()) return false;
  let [isChanged, isMissing, at] = [false, false, 0];
  /** @type {Node[]} */
  const foreign = [];
  /** @type {Node[]} */
  const restored = [];
  const classes = [.../** @type {Element} */ (copy).children].map(({ classList }) => classList[0]);
  for (const part of copy.childNodes) {
    let found = at;
    while (found < nodes.length && !isLike(nodes[found], part, classes)) found += 1;
    if (found === nodes.length) {
      isChanged = isMissing = true;
      restored.push(part.cloneNode(true));
      continue;
    }
    foreign.push(...nodes.slice(at, found));
    at = found + 1;
    const node = nodes[found];
    restored.push(node);
    if (node.nodeValue !== part.nodeValue) {
      node.nodeValue = part.nodeValue;
      isChanged = true;
    }
    isChanged = restore(node, part) || isChanged;
  }
  const rest = nodes.slice(at);
  if (isMissing || foreign.length || rest.some((node) => !(node instanceof Element))) {
    isChanged = true;
    // A node that stays is not moved, because a field that is moved loses the focus.
    for (const node of [...foreign, ...rest]) {
      if (isMissing || !(node instanceof Element) || node.nodeName === "FONT") live.removeChild(node);
      else if (foreign.includes(node)) live.appendChild(node);
    }
    let next = live.firstChild;
    for (const node of restored) {
      if (node === next) next = next.nextSibling;
      else live.insertBefore(node, next);
    }
  }
  return isChanged;
}

/** @typedef {HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement} Field */

/** @param {Element} island @returns {Field[]} */
const fieldsOf = (island) => [...island.querySelectorAll(/** @type {"input"} */ ("input, textarea, select"))];

/** Gives an island the structure that the server has sent, and its fields what has been typed. @param {Element} island @param {Element} copy */
export function repair(island, copy) {
  const focused = document.activeElement;
  const fields = fieldsOf(island);
  if (!restore(island, copy)) return;
  // For tests.
  document.documentElement.dataset.repaired = "";
  for (const field of fieldsOf(island)) {
    const before = fields.find(
      ({ name, type, value }) => name === field.name && type === field.type && (type !== "radio" || value === field.value),
    );
    if (!before || before === field) continue;
    field.value = before.value;
    if (before instanceof HTMLInputElement) /** @type {HTMLInputElement} */ (field).checked = before.checked;
    if (before === focused) field.focus();
  }
}

/** The `<font>` in the place of a text. @type {WeakMap<Node, ChildNode>} */
const places = new WeakMap();
const changes = new MutationObserver((records) => {
  for (const { target } of records) if (!target.isConnected) places.get(target)?.replaceWith(target);
});

/**
 * A translator may put a `<font>` in the place of a text after hydration, too. What is live is marked so that it does not; and a text
 * that changes nevertheless takes its place again, as one that goes takes the `<font>` with it.
 *
 * @param {MutationRecord[]} records
 */
export function follow(records) {
  for (const { addedNodes, removedNodes, previousSibling, nextSibling } of records) {
    for (const text of removedNodes) {
      if (!(text instanceof Text) || text.isConnected) continue;
      const font = [...addedNodes, nextSibling, previousSibling].find((node) => node?.nodeName === "FONT");
      if (!font) continue;
      places.set(text, /** @type {ChildNode} */ (font));
      changes.observe(text, { characterData: true });
      // Called by the code of the page when the text goes.
      text.remove = () => {
        CharacterData.prototype.remove.call(text);
        /** @type {ChildNode} */ (font).remove();
      };
    }
  }
}
