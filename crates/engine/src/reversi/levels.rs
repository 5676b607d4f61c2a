//! What the levels mean for Reversi.

use crate::Level;

/// How far a level searches, and how much it may give away.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// Plies in the middle of the game.
    pub(super) depth: u32,
    /// With so many empty squares or fewer it searches to the end.
    pub(super) exact: u32,
    /// It draws among the moves that lose at most so much, in eighths of a disc.
    pub(super) margin: i32,
}

/// The strength of a level. The strongest has no bound but those of [`crate::Limits`].
pub(super) const fn strength(level: Level) -> Strength {
    let (depth, exact, margin) = match level.number() {
        1 => (1, 1, 150),
        2 => (1, 2, 94),
        3 => (1, 4, 60),
        4 => (1, 7, 39),
        5 => (2, 9, 33),
        6 => (3, 11, 21),
        7 => (5, 14, 9),
        _ => (60, 60, 0),
    };
    Strength {
        depth,
        exact,
        margin,
    }
}
