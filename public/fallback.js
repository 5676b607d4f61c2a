// @ts-check
/**
 * Makes a page one without scripts when its code has not started within 10 seconds, cannot start, or breaks: what `<noscript>` has is
 * shown, forms are sent by the browser, and a sentence says so. The match of a player is kept as on pages without scripts, by the
 * frame or the reload that `<noscript>` has.
 *
 * `start_check.js` loads it when that has happened. Its syntax is that of 2009, so that it runs in browsers that are too old for the
 * code.
 */
(function () {
  /** The most characters of a message that is reported. */
  var MAX_MESSAGE = 500;
  var root = document.documentElement;
  /** The reason why the page is without scripts: `not_started`, `panic`, or empty while there is none. */
  var failed = "";
  /** The functions to call when the code starts late. @type {(() => void)[]} */
  var undo = [];

  /** Stops an event before all handlers, until the code starts late: the browser does what it does without. @param {Event} event */
  function stop(event) {
    if (failed) event.stopImmediatePropagation();
  }

  /** Makes the rules of the style sheets for pages without scripts apply. @param {any} rules */
  function restyle(rules) {
    for (var i = 0; rules && i < rules.length; i++) {
      var media = rules[i].media;
      var before = media && media.mediaText;
      if (before && before.indexOf("scripting") > 0) {
        media.mediaText = before.replace("(scripting: none)", "(min-width: 0px)").replace("(scripting: enabled)", "(max-width: 0px)");
        undo.push(reset(media, before));
      }
      restyle(rules[i].cssRules);
    }
  }

  /** @param {any} media @param {string} before */
  function reset(media, before) {
    return function () {
      media.mediaText = before;
    };
  }

  /** Loads the page again every so many seconds, but while a field is in use only asks for it, which counts as presence.
   * @param {string} content As in `<meta http-equiv="refresh">`. */
  function reload(content) {
    var parts = content.split(";url=");
    var address = parts[1] || location.href;
    var timer = setInterval(function () {
      var field = /** @type {HTMLInputElement | null} */ (document.activeElement);
      if (!field || !field.value) location.assign(address);
      else if ("fetch" in window) fetch(address).catch(Boolean);
    }, 1000 * Number(parts[0]));
    undo.push(function () {
      clearInterval(timer);
    });
  }

  /** Shows what is there for browsers without scripts. @param {Element} part A `<noscript>`, in which a browser with scripts has text. */
  function unwrap(part) {
    var holder = document.createElement("div");
    holder.innerHTML = part.textContent || "";
    var refresh = holder.querySelector("meta");
    if (refresh) {
      reload(refresh.content);
      holder.removeChild(refresh);
    }
    /** @type {Node[]} */
    var nodes = [].slice.call(holder.childNodes);
    for (var i = nodes.length; i > 0; i--) insertAfter(part, nodes[i - 1]);
  }

  /** @param {Element} part @param {any} node */
  function insertAfter(part, node) {
    if (part.parentNode) part.parentNode.insertBefore(node, part.nextSibling);
    undo.push(function () {
      if (node.parentNode) node.parentNode.removeChild(node);
    });
  }

  function show() {
    for (var name in root) if (name.indexOf("on") === 0) addEventListener(name.slice(2), stop, true);
    for (var i = 0; i < document.styleSheets.length; i++) {
      try {
        restyle(document.styleSheets[i].cssRules);
      } catch (refused) {} // Of an extension.
    }
    /** @type {Element[]} */
    var parts = [].slice.call(document.querySelectorAll("noscript"));
    for (i = 0; i < parts.length; i++) unwrap(parts[i]);
    var line = document.getElementById("fallback");
    if (!line) return;
    line.hidden = false;
    /** @type {HTMLElement} */ (line.firstChild).textContent = line.getAttribute("data-" + failed);
    undo.push(function () {
      /** @type {HTMLElement} */ (line).hidden = true;
    });
  }

  /** Reports why the page is one without scripts. Of the address only the kind of the page, because it may be a secret.
   * @param {string} kind @param {unknown} message */
  function report(kind, message) {
    if (!navigator.sendBeacon) return;
    var page = location.pathname.split("/")[1].replace(/@.*/, "@");
    // Zeros stand in a panic for constants that are in a file which is not loaded yet. The names of the files tell the release.
    var said = String(message)
      .replace(/[\s\0-\x1f\x7f]+/g, " ")
      .replace(/https?:\/\/[^ )]*\/(?=[^\/ )]*\.(?:js|wasm)\b)/g, "")
      .replace(/https?:\/\/[^ )]*/g, "page")
      .replace(/wasm-function/g, "");
    var fields = { kind: kind, page: page, message: said.slice(0, MAX_MESSAGE) };
    navigator.sendBeacon("/api/report_failure", new URLSearchParams(fields));
  }

  /** @param {string} kind `not_started` or `panic` @param {unknown} message For the operator. */
  function handle(kind, message) {
    if (failed === kind || failed === "panic" || (fallback.isStarted && kind !== "panic")) return;
    var wasShown = failed !== "";
    failed = kind;
    report(kind, message);
    // The timers of the code call what is broken. Of those of this script there are none yet.
    if (kind === "panic" && !wasShown) for (var id = +setTimeout(Boolean), end = id - 9999; id > 0 && id > end; id--) clearTimeout(id);
    if (wasShown) return;
    if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", show);
    else show();
  }

  /** The code has started late. */
  function started() {
    fallback.isStarted = true;
    if (failed !== "not_started") return;
    failed = "";
    while (undo.length) /** @type {() => void} */ (undo.pop())();
  }

  fallback.started = started;
  fallback.handle = handle;
  for (var at = 0; at < fallback.failures.length; at++) handle(fallback.failures[at][0], fallback.failures[at][1]);
})();
