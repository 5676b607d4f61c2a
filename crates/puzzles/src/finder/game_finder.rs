//! The search for puzzles of a game, and its bounds.

use crate::Theme;
use tochki_rules::{Move, Position};

/// The bounds of the searches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SearchBudget {
    /// Nodes of a search that tries one other move.
    pub nodes: u64,
    /// Nodes of a search for an exact value, which is given up then.
    pub exact_nodes: u64,
    /// Plies of the tactical search of Dots.
    pub depth: u8,
}

impl SearchBudget {
    /// The budget to find puzzles.
    pub const FIND: Self = Self {
        nodes: 2_000,
        exact_nodes: 2_000_000,
        depth: 5,
    };

    /// The budget to confirm a found puzzle before it is kept: a longer search.
    pub const CONFIRM: Self = Self {
        nodes: 6_000,
        exact_nodes: 20_000_000,
        depth: 7,
    };

    /// The budget to measure the quality of puzzles: a longer search still.
    pub const CHECK: Self = Self {
        nodes: 20_000,
        exact_nodes: 20_000_000,
        depth: 9,
    };
}

/// The only good move of a position.
#[derive(Clone, Debug)]
pub(super) struct OnlyMove {
    pub(super) mv: Move,
    pub(super) theme: Theme,
    /// The estimate for a puzzle that begins here.
    pub(super) difficulty: u16,
    /// The expected line, this move first; it may be this move alone.
    pub(super) expected: Vec<Move>,
    /// Whether nothing is left to find after this move.
    pub(super) last: bool,
}

/// The search for puzzles of a game.
pub(super) trait GameFinder {
    /// The only good move, if there is one and it is worth finding. `first` tells whether it would begin a puzzle.
    fn only_move(&mut self, position: &Position, first: bool) -> Option<OnlyMove>;

    /// The answer of the other side.
    fn answer(&mut self, position: &Position) -> Option<Move>;

    /// The continuation of the game after the line of a puzzle that began at `start`; `None` if the promised result does not
    /// come.
    fn rest(&mut self, start: &Position, end: &Position, last: &OnlyMove) -> Option<Vec<Move>>;
}
