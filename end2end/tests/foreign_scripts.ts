/**
 * Scripts that change a page as extensions and translators do, until they are disposed of. They change no word, so that stories still
 * find it.
 */
import type { Disposable, Page } from "@playwright/test";

/** The time at which a page is changed: while it is parsed and until it is hydrated, or only after that. */
export type Begin = "parsing" | "hydrated";

/**
 * Puts `<font>` around every text as soon as it is there. Real translators leave alone what is marked as not to be translated;
 * before hydration this one does not.
 */
export function translate(page: Page, begin: Begin): Promise<Disposable> {
  return page.addInitScript((begin) => {
    const isHydrated = () => document.documentElement?.hasAttribute("data-hydrated");
    const isTranslated = (text: Text) => {
      const parent = text.parentElement;
      if (!parent || !text.data.trim() || parent.closest("font, script, style, noscript, textarea, select, title, svg, template")) return false;
      return isHydrated() ? !parent.closest("[translate=no]") : begin === "parsing";
    };
    const wrap = (node: Node) => {
      const texts: Text[] = [];
      const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
      if (node instanceof Text) texts.push(node);
      while (walker.nextNode()) texts.push(walker.currentNode as Text);
      for (const text of texts.filter(isTranslated)) {
        const [outer, inner] = [document.createElement("font"), document.createElement("font")];
        inner.textContent = text.data;
        outer.append(inner);
        text.replaceWith(outer);
      }
    };
    const observer = new MutationObserver((records) => {
      for (const { target, addedNodes } of records) {
        if (target === document.documentElement && isHydrated()) wrap(document.body);
        addedNodes.forEach(wrap);
        // A text that has changed is translated again.
        if (target instanceof Text) wrap(target);
      }
    });
    observer.observe(document, { childList: true, subtree: true, characterData: true, attributeFilter: ["data-hydrated"] });
  }, begin);
}

/**
 * Adds what password managers and others add when a page is there: an element after each field, before each form and in each
 * label, a comment in and an attribute, a class and a style on every third element, a style sheet.
 */
export function decorate(page: Page): Promise<Disposable> {
  return page.addInitScript(() => {
    const icon = () => document.createElement("div");
    document.addEventListener("DOMContentLoaded", () => {
      for (const field of document.querySelectorAll("input, textarea, select")) field.after(icon());
      for (const form of document.querySelectorAll("form")) form.before(icon());
      for (const label of document.querySelectorAll("label")) {
        label.prepend(icon());
        label.append(icon());
      }
      [...document.body.querySelectorAll<HTMLElement>(":not(script, style, noscript, noscript *)")].forEach((element, index) => {
        if (index % 3) return;
        element.prepend(document.createComment("of an extension"));
        element.setAttribute("data-foreign", "");
        element.classList.add("foreign");
        element.style?.setProperty("--foreign", "1");
      });
      document.body.prepend(document.createElement("style"));
    });
  });
}

/** Removes every so-manieth element of the islands, and all comments, when a page is there. */
export function remove(page: Page, every: number): Promise<Disposable> {
  return page.addInitScript((every) => {
    document.addEventListener("DOMContentLoaded", () => {
      const parts = [...document.querySelectorAll("leptos-island *")];
      parts.filter((_, index) => index % every === every - 1).forEach((part) => part.remove());
      const comments = document.createTreeWalker(document.body, NodeFilter.SHOW_COMMENT);
      const found: Node[] = [];
      while (comments.nextNode()) found.push(comments.currentNode);
      for (const comment of found) comment.parentNode?.removeChild(comment);
    });
  }, every);
}

/** The features that a browser lacks. */
export type Lacking = "WebAssembly" | "SharedWorker" | "storage";

/** Takes these from a page, as a browser in a strict mode does. */
export function lack(page: Page, ...lacking: Lacking[]): Promise<Disposable> {
  return page.addInitScript((lacking) => {
    const names = window as unknown as Record<string, unknown>;
    for (const name of ["WebAssembly", "SharedWorker"]) if (lacking.includes(name)) delete names[name];
    if (!lacking.includes("storage")) return;
    const refuse = () => {
      throw new DOMException("refused", "SecurityError");
    };
    for (const name of ["localStorage", "sessionStorage", "indexedDB", "caches"]) {
      Object.defineProperty(window, name, { get: refuse, configurable: true });
    }
    Object.defineProperty(Document.prototype, "cookie", { get: refuse, set: refuse, configurable: true });
  }, lacking as string[]);
}

/** Holds the code of a page back until the function that is returned is called. */
export async function holdCode(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((done) => (release = done));
  await page.route(/\/pkg\/.*\.wasm$/, async (route) => {
    await released;
    await route.continue();
  });
  return release;
}
