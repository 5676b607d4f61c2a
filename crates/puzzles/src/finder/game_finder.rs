//! What a game needs to look for puzzles in it, and how far that goes.

use crate::Theme;
use tochki_rules::{Move, Position};

/// How far the searches go.
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
    /// To find puzzles.
    pub const FIND: Self = Self {
        nodes: 2_000,
        exact_nodes: 2_000_000,
        depth: 5,
    };

    /// To confirm what was found, before it becomes a puzzle: a longer search.
    pub const CONFIRM: Self = Self {
        nodes: 6_000,
        exact_nodes: 20_000_000,
        depth: 7,
    };

    /// To measure how good puzzles are: a longer search still.
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
    /// The line that is expected, this move first; it may be this move alone.
    pub(super) expected: Vec<Move>,
    /// Nothing is left to find after this move.
    pub(super) last: bool,
}

/// What one game needs to look for puzzles.
pub(super) trait GameFinder {
    /// The only good move, if there is one and it is worth finding. `first` is whether it would begin a puzzle.
    fn only_move(&mut self, position: &Position, first: bool) -> Option<OnlyMove>;

    /// What the other side answers.
    fn answer(&mut self, position: &Position) -> Option<Move>;

    /// How the game goes on after the line of a puzzle that began at `start`; `None` if what it promises does not come.
    fn rest(&mut self, start: &Position, end: &Position, last: &OnlyMove) -> Option<Vec<Move>>;
}
