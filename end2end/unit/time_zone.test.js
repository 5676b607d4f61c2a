// @ts-check
/** `public/time_zone.js`: the time zone that the account page proposes. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** Returns the zone that the page shows as chosen. @param {string[]} zones @param {string} chosen */
async function proposed(zones, chosen = "") {
  const options = ["", ...zones].map((zone) => `<option value="${zone}"${zone === chosen ? " selected" : ""}>${zone}</option>`);
  const { document } = load(`<select id="zone">${options.join("")}</select>`);
  await run("time_zone.js");
  return /** @type {HTMLSelectElement} */ (document.getElementById("zone")).value;
}

test("the zone of the browser is proposed", async () => {
  assert.equal(await proposed(["Asia/Tokyo", own]), own);
});

test("a zone that was chosen stays, and one that the server does not know is not proposed", async () => {
  assert.equal(await proposed(["Pacific/Apia", own], "Pacific/Apia"), "Pacific/Apia");
  assert.equal(await proposed(["Pacific/Apia"]), "");
});

test("the server is told the zone on any page, also where there is nothing to choose", async () => {
  const { document } = load("<main></main>");
  await run("time_zone.js");
  assert.equal(document.cookie, `zone=${own}`);
});

test("where cookies are refused, the zone is proposed all the same", async () => {
  const { document } = load(`<select id="zone"><option value=""></option><option value="${own}"></option></select>`);
  Object.defineProperty(document, "cookie", {
    set() {
      throw new DOMException("refused", "SecurityError");
    },
  });
  await run("time_zone.js");
  assert.equal(/** @type {HTMLSelectElement} */ (document.getElementById("zone")).value, own);
});
