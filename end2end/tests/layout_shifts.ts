/** Layout shifts: what moves on a page without its user having done anything. */
import type { Page } from "@playwright/test";

declare global {
  interface Window {
    /** The layout shifts since the last call. `isParsing` says that a part of the document has been parsed since. */
    layoutShifts: (isParsing: boolean) => string[];
  }
}

/** In a page: notes its layout shifts. */
export function observeLayoutShifts(): void {
  type Move = { node: Node | null; previousRect: DOMRect; currentRect: DOMRect };
  type Shift = PerformanceEntry & { value: number; sources: Move[] };
  const rect = ({ x, y, width, height }: DOMRect) => `${x},${y} ${width}×${height}`;
  const tellMove = ({ node, previousRect, currentRect }: Move) => {
    const name = node instanceof Element ? node.outerHTML.slice(0, 160) : `text "${node?.textContent}"`;
    return `${rect(previousRect)} → ${rect(currentRect)}: ${name}`;
  };
  const tell = ({ value, sources }: Shift) => [value, ...sources.map(tellMove)].join("\n    ");

  /** The nodes that were there when the shifts were last asked for. */
  let painted = new WeakSet<Node>();
  const notePainted = () => {
    painted = new WeakSet();
    const walker = document.createTreeWalker(document, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) painted.add(walker.currentNode);
  };
  /** Returns the moves of the painted nodes by all shifts together. */
  const moves = (shifts: Shift[]) => {
    const moved = new Map<Node, Move>();
    for (const move of shifts.flatMap(({ sources }) => sources)) {
      if (!move.node || !painted.has(move.node)) continue;
      const { previousRect } = moved.get(move.node) ?? move;
      moved.set(move.node, { node: move.node, previousRect, currentRect: move.currentRect });
    }
    return [...moved.values()].filter(({ previousRect, currentRect }) => rect(previousRect) !== rect(currentRect));
  };

  const seen: Shift[] = [];
  const observer = new PerformanceObserver((list) => seen.push(...(list.getEntries() as Shift[])));
  observer.observe({ type: "layout-shift", buffered: true });
  window.layoutShifts = (isParsing) => {
    seen.push(...(observer.takeRecords() as Shift[]));
    const shifts = seen.splice(0);
    // The parser may pause anywhere in what it has received, and a frame then shows half a paragraph. How that moves while the
    // rest is parsed is no shift of the page.
    const told = isParsing ? moves(shifts).map(tellMove) : shifts.map(tell);
    notePainted();
    return told;
  };
}

/** Waits until the page has been painted, and returns the layout shifts since the last call. */
export function rendered(page: Page, isParsing = false): Promise<string[]> {
  return page.evaluate(async (isParsing) => {
    const frame = () => new Promise(requestAnimationFrame);
    await frame();
    await frame();
    return window.layoutShifts(isParsing);
  }, isParsing);
}
