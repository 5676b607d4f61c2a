//! The levels of Reversi.

use crate::Level;

/// The strength of a level: the depth of its search, and the loss that it accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// Plies in the middle of the game.
    pub(super) depth: u32,
    /// The number of empty squares from which on it searches to the end.
    pub(super) exact: u32,
    /// The loss, in eighths of a disc, within which it draws among moves.
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
