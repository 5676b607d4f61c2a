//! Puzzles: the puzzle without its solution, the result of a try, and the list of puzzles.

use super::PuzzleId;
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat, Setup};

/// A puzzle as its page shows it: the position, and not the solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleView {
    /// The puzzle.
    pub id: PuzzleId,
    /// The game with its board.
    #[serde(flatten)]
    pub setup: Setup,
    /// The moves that led to the position.
    pub moves: Vec<String>,
    /// The moves of both sides from there, as far as the solver's are right.
    pub line: Vec<String>,
    /// Whether the puzzle is solved: nothing is left to find.
    pub solved: bool,
    /// The solver's seat.
    pub seat: Seat,
    /// The theme: `capture`, `combination`, `ladder`, `rescue`, `fours`, `ending` or `hand_back`.
    pub theme: String,
    /// The rating, which begins with an estimate.
    pub rating: f64,
    /// The number of first tries of players with an account.
    pub tries: u32,
    /// Whether the caller's first try solved the puzzle; nothing before that, and for visitors.
    pub first_try: Option<bool>,
    /// The next puzzle.
    pub next: PuzzleId,
}

/// State of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleState {
    /// The move is right; the other side has answered.
    Right,
    /// The move is not the one sought.
    Wrong,
    /// The puzzle is solved: nothing is left to find.
    Solved,
}

/// The answer to a try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleAnswer {
    /// The state after this move.
    pub state: PuzzleState,
    /// The moves of both sides from the position of the puzzle: with the answer if the move is right, with a continuation of the
    /// game if the puzzle is solved, without the last move if that is wrong.
    pub line: Vec<String>,
    /// Change of the caller's rating by this first try.
    pub rating: Option<PuzzleRatingChange>,
}

/// A rating in puzzles before and after a first try.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRatingChange {
    /// The rating before the try.
    pub before: f64,
    /// The rating after the try.
    pub after: f64,
}

/// Help with a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleHelp {
    /// The next move of the solver, or the moves of both sides to the end.
    pub line: Vec<String>,
}

/// Difficulty of a puzzle, in three steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleStep {
    /// Rated below 1200.
    Easy,
    /// Rated from 1200 to below 1600.
    Medium,
    /// Rated 1600 or higher.
    Hard,
}

impl PuzzleStep {
    /// All steps, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// Returns the ratings of the step: from the first to below the second.
    pub const fn bounds(self) -> [f64; 2] {
        match self {
            Self::Easy => [-1e9, 1200.0],
            Self::Medium => [1200.0, 1600.0],
            Self::Hard => [1600.0, 1e9],
        }
    }
}

/// The puzzles that can be solved.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleOverview {
    /// The puzzle of the day (UTC); none while there are no puzzles.
    pub daily: Option<PuzzleView>,
    /// Each game and step that has puzzles.
    pub rows: Vec<PuzzleRow>,
    /// The caller's rating; none for visitors, guests and bots.
    pub mine: Option<PuzzleRating>,
}

/// The puzzles of one game and step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRow {
    /// The game.
    pub game: GameKind,
    /// The step.
    pub step: PuzzleStep,
    /// The number of puzzles.
    pub count: u32,
    /// A puzzle that the caller has not tried, if there is one.
    pub next: PuzzleId,
}

/// A rating in puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRating {
    /// The rating; 1500 at first.
    pub rating: f64,
    /// The number of first tries.
    pub tries: u32,
    /// The number of first tries that solved the puzzle.
    pub solved: u32,
}
