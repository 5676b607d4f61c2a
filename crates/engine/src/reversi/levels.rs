//! What the levels mean for Reversi.

use super::evaluation::UNIT;
use crate::Level;

/// How far a level searches, and how much it may give away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// Plies in the middle of the game.
    pub(super) depth: u32,
    /// With so many empty squares or fewer it plays perfectly.
    pub(super) exact: u32,
    /// It draws among the moves that lose at most so much, in eighths of a disc.
    pub(super) margin: i32,
    /// Nodes at most.
    pub(super) nodes: u64,
}

/// The strength of a level.
pub(super) const fn strength(level: Level) -> Strength {
    let (depth, exact, discs, nodes) = match level.number() {
        1 => (1, 1, 18, u64::MAX),
        2 => (1, 2, 10, u64::MAX),
        3 => (1, 4, 6, u64::MAX),
        4 => (2, 6, 5, u64::MAX),
        5 => (2, 8, 3, u64::MAX),
        6 => (3, 10, 2, u64::MAX),
        7 => (5, 12, 1, u64::MAX),
        _ => (60, 60, 0, u64::MAX),
    };
    Strength {
        depth,
        exact,
        margin: discs * UNIT,
        nodes,
    }
}
