// Lets the loader of the client's parts tell the page when a part does not come, as behind a broken proxy. Of itself it would call back
// without success, which the code that waits for the part can only answer by a panic: a bug, as an operator reads it.

/** What the loader does with a failure, and then in any case. */
const FAILURE = /console\.error\((\w+)\);\s*success = false;\s*\} finally \{/;

/**
 * Makes the page one without scripts (`public/fallback.js`) where a part does not come, in place of calling back: the code goes on
 * waiting, for the reader has the page without scripts, and a link to reload it.
 *
 * @param {string} loader
 * @throws where the loader handles failures in another way
 */
export function withFailuresTold(loader) {
  if (!FAILURE.test(loader)) throw new Error("the loader of the parts handles failures in another way");
  return loader.replace(FAILURE, 'return fallback.fail("not_started", $1?.stack ?? $1);\n        }\n        {');
}
