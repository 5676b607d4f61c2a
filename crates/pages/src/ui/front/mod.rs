//! The front page: a board on which a visitor plays the computer at once, a match or a finished game to watch, the games, the top
//! players.
//!
//! 1. `page` is complete without scripts: there a position stands in the place of the board (`own_game`).
//! 2. The board is an island in a file of its own, which no other page loads. Its game is one against the computer, as
//!    `ui::computer` has them; the browser keeps it from the first move on, so that the computer's page goes on with it.
//! 3. A press that comes before the code of the page runs is repeated then (`public/early_press.js`).
//! 4. Where no match is worth watching, a finished game is shown move by move (`finished_game`): the last one of the arena, else a
//!    built-in one (`built_in_games`).

mod built_in_games;
mod featured_match;
mod finished_game;
mod own_game;
mod page;

pub(crate) use page::FrontPage;
