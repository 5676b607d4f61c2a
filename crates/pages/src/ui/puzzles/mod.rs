//! Puzzles: the list, and the page of a puzzle.
//!
//! 1. `/puzzles` (`overview`) has the puzzle of the day and a row for each game. It is plain HTML.
//! 2. `/puzzle/7` (`page`) works without scripts: a form posts a move, and the server sends it back to the position with the
//!    answer.
//! 3. The island (`island`) does the same on the board ([`Solving`]). It does not know the solution: the server judges each
//!    move.
//! 4. The texts come with the page ([`PuzzleTexts`]), as those of the games against the computer.

mod island;
mod overview;
mod page;
mod position;
mod solving;
mod texts;

pub(crate) use overview::{DailyPuzzle, PuzzlesPage};
pub(crate) use page::PuzzlePage;

use solving::{Feedback, Solving};
use texts::{PuzzleTexts, task};
