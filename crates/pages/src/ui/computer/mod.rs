//! Playing against the computer: the page where a game is chosen, and the table. The server knows nothing of these games,
//! unless a player keeps one (`keep_button`, `kept_pages`).
//!
//! 1. `/computer/dots` (`setup_page`) is a plain form. It leads to `/computer/game`, whose HTML is the same for every game,
//!    so that one copy of it works offline.
//! 2. There the island (`table_page`) reads the address: the terms of a new game, or the `id` of a game that this browser keeps
//!    ([`SavedGame`], in `localStorage`).
//! 3. [`ComputerGame`] is the authority over a `MatchController`: the same `Match::decide` and `apply` as on the server,
//!    and the same components around the board. It saves the game after each event.
//! 4. The moves of the computer come from `public/engine_worker.js` ([`Opponent`]), a Web Worker that searches with one of
//!    the modules of `crates/engine-wasm`.
//! 5. The texts come with the page ([`ComputerTexts`]): those of `islands.json` are loaded by every page with an island.

mod downloads;
mod game;
mod keep_button;
mod kept_pages;
mod level;
mod opponent;
pub(crate) mod overlay;
mod saved_game;
mod saved_games;
mod setup_page;
mod table;
mod table_page;
mod texts;

pub(crate) use kept_pages::{KeptGamePage, KeptGamesPage};
pub(crate) use level::DEFAULT as DEFAULT_LEVEL;
pub(crate) use setup_page::{ComputerPage, ComputerSetupPage};
pub(crate) use table_page::{ComputerGamePage, LoadingBoard, progress_script, worker_path};

pub(crate) use downloads::address as data_address;
pub(crate) use game::ComputerGame;
pub(crate) use opponent::{Answer, Candidate, Opponent, Report, SHOWN_MOVES, SearchLimits};
pub(crate) use saved_game::SavedGame;
pub(crate) use texts::ComputerTexts;
