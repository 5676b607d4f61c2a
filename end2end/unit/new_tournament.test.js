// @ts-check
/** `public/new_tournament.js`, on the form as `crates/pages/src/ui/tournaments/form.rs` renders it. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { load, run } from "./page.js";

test("the start is typed in the time of the place, and chosen by typing it", async () => {
  load(`<html><body><article class="new-tournament"><form>
    <input type="hidden" name="offset" value="0">
    <input type="radio" name="begin" value="15" checked><input type="radio" name="begin" value="at">
    <input name="starts_at" value=""><span id="zone" data-own="your time">UTC</span>
  </form></article></body></html>`);
  await run("new_tournament.js");
  assert.equal(document.getElementById("zone")?.textContent, "your time");
  const form = /** @type {HTMLFormElement} */ (document.querySelector("form"));
  const field = (/** @type {string} */ name) => /** @type {HTMLInputElement} */ (form.elements.namedItem(name));
  field("starts_at").value = "2026-07-01T20:00";
  field("starts_at").dispatchEvent(new Event("input"));
  assert.equal(field("offset").value, String(-new Date("2026-07-01T20:00").getTimezoneOffset()));
  assert.equal(/** @type {HTMLInputElement} */ (form.querySelector('[value="at"]')).checked, true);
});
