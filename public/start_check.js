// @ts-check
/**
 * In the head of every page: loads `fallback.js`, which makes it one without scripts, when its code has not started within 10 seconds,
 * cannot start, or breaks. Its syntax is that of 2009, so that it runs in browsers that are too old for the code.
 */
var fallback = /** @type {{ failures: [string, unknown][], isStarted: boolean, script: string, started: () => void, handle?: (kind: string,
  message: unknown) => void, fail: (kind: string, message: unknown) => void }} */ ({
  failures: [],
  isStarted: false,
  script: /** @type {HTMLScriptElement} */ (document.currentScript).getAttribute("data-fallback") || "",
  started: function () {
    fallback.isStarted = true;
  },
  fail: function (kind, message) {
    console.error(message);
    // The callers: the functions of the code by their numbers, and the places in them. A panic may have no other text.
    Error.stackTraceLimit = 20;
    if (kind === "panic") message = message + " " + new Error().stack;
    if (fallback.handle) fallback.handle(kind, message);
    else if (fallback.failures.push([kind, message]) === 1) {
      var script = document.createElement("script");
      script.src = fallback.script;
      document.head.appendChild(script);
    }
  },
});
(function () {
  var START_TIMEOUT_MS = 10000;
  // Failures that the hook for panics does not see, such as an exhausted memory.
  addEventListener("error", function (event) {
    if (window.WebAssembly && event.error instanceof WebAssembly.RuntimeError) fallback.fail("panic", event.error.stack);
  });
  if (!window.WebAssembly) fallback.fail("not_started", "no WebAssembly");
  else
    setTimeout(function () {
      if (!fallback.isStarted) fallback.fail("not_started", "no start in time");
    }, START_TIMEOUT_MS);
})();
