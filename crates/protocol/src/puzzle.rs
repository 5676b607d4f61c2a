//! Puzzles: the puzzle without its solution, the result of a try, and the list of puzzles.

use super::PuzzleId;
use serde::{Deserialize, Serialize};
use tochki_rules::{GameKind, Seat, Setup};

/// A puzzle as its page shows it: the position, and not the solution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleView {
    /// Its id.
    pub id: PuzzleId,
    /// The game with its board.
    #[serde(flatten)]
    pub setup: Setup,
    /// The moves that led to it.
    pub moves: Vec<String>,
    /// The moves of both sides since, as far as the solver's are right.
    pub line: Vec<String>,
    /// Nothing is left to find.
    pub solved: bool,
    /// Who solves it.
    pub seat: Seat,
    /// What it is about: `capture`, `combination`, `ladder`, `rescue`, `fours`, `ending` or `hand_back`.
    pub theme: String,
    /// Its rating, which begins with an estimate.
    pub rating: f64,
    /// First tries of players with an account.
    pub tries: u32,
    /// Whether the caller's first try solved it; nothing before that, and for visitors.
    pub first_try: Option<bool>,
    /// The next puzzle.
    pub next: PuzzleId,
}

/// State of a try.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PuzzleState {
    /// Right so far; the other side has answered.
    Right,
    /// Not the move that was sought.
    Wrong,
    /// Nothing is left to find.
    Solved,
}

/// The answer to a try.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleAnswer {
    /// The state after this move.
    pub state: PuzzleState,
    /// The moves of both sides from the position of the puzzle: with the answer if the move is right, with how the game may go
    /// on if it is solved, without the last move if that is wrong.
    pub line: Vec<String>,
    /// Change of the caller's rating by this first try.
    pub rating: Option<PuzzleRatingChange>,
}

/// A rating in puzzles before and after a first try.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRatingChange {
    /// Before.
    pub before: f64,
    /// After.
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
    /// From there to below 1600.
    Medium,
    /// From there on.
    Hard,
}

impl PuzzleStep {
    /// All steps, the easiest first.
    pub const ALL: [Self; 3] = [Self::Easy, Self::Medium, Self::Hard];

    /// The ratings of the step: from the first to below the second.
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
    /// How many there are.
    pub count: u32,
    /// One that the caller has not tried, if there is one.
    pub next: PuzzleId,
}

/// A rating in puzzles.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PuzzleRating {
    /// Of the player; 1500 at first.
    pub rating: f64,
    /// First tries.
    pub tries: u32,
    /// Those that solved the puzzle.
    pub solved: u32,
}
