//! Islands: the way in which they get their data, load their code and call the server.
//!
//! A page is complete as HTML, and an island (`#[island]`) is rendered by the server like any component; only its code is
//! shipped to the browser. Rules for islands:
//!
//! - They have no properties, which would be read by `serde_json`: a page passes data as [`data::IslandData`], and
//!   `tochki_protocol::json` reads it. Content that never changes in a browser is passed as `children`, which the server renders.
//! - The release is built with `site-builder split`: the code of *lazy* islands (lobby, forms, replay) is in WebAssembly
//!   files of its own, which other pages do not load. A page with a lazy island preloads them
//!   ([`preload::PreloadIsland`]). Without that, as in development, all code is in one file.
//! - The match page needs the main file only, with all games in it. The code of three games is 12 kB before compression.
//!   With a file for each game, a first visit to a table of Dots loaded 235.0 kB instead of 229.0 kB, because each file
//!   has a cost of its own: trampolines, imports, no common compression.
//! - The last island of a page ([`hydrated::HydrationMarker`]) sets `data-hydrated` on `<html>` when all are hydrated.
//! - Extensions and translators change pages before, during and after hydration. So the page has its islands once more as text
//!   (`src/http/islands.rs`), and `public/start.js` has the structure of each restored (`repair.js`) before it is hydrated.
//!   Content that changes while the page is open is in an element with `{..live()}` (`translate="no"`); a text elsewhere that a
//!   translator has replaced takes its place again when it changes.
//! - When the code does not start within ten seconds, or panics, the page becomes one without scripts (`public/fallback.js`): the
//!   content of `<noscript>` is shown, handlers are not called, a line says so, and the server gets a report.
//! - Logging in, or going to another page, loads a new document.
//!
//! Behaviour that needs no rules of a game is plain JavaScript in `public/`, and works before the WebAssembly is loaded:
//! `start_check.js` (in the head of every page), `start.js` (which loads and starts the WebAssembly), `late_start.js` (which does it
//! on the front page, after the first paint), `forms.js` (on every page: sending forms, for the other scripts too, and the settings),
//! `event_stream.js` (the one stream of all tabs), `open_table.js`, `board.js` (zoom, pan, overview), `tap_hint.js`,
//! `board_keys.js`, `early_press.js` and `replayed_game.js` (the front page), `progress.js` (how much of the computer's page is
//! loaded), `sound.js`, `chat.js`, `waiting.js` (alerts for a player who waits), `session.js`, `new_release.js` (the
//! notice on a page of another release than the server's). Settings are kept in a cookie and with the account, and are
//! attributes of `<html>`, where style sheet and scripts read them.

pub(crate) mod data;
pub(crate) mod effect;
pub(crate) mod form_action;
pub(crate) mod hydrated;
pub(crate) mod preload;
