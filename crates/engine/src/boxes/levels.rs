//! The eight levels of Dots and Boxes.

use crate::Level;

/// The strength of a level.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Strength {
    /// Nodes at most: games of the tree search and positions of the solver.
    pub nodes: u64,
    /// The number of free lines from which on the value is found exactly.
    pub solved_lines: u32,
    /// The number of moves in 256 that are drawn at random.
    pub random: u32,
    /// The loss that a random move may bring, in boxes; `None` is any line at all.
    pub loss: Option<f32>,
    /// Whether boxes may be left so that the other side has to move.
    pub leaves: bool,
}

impl Strength {
    pub(super) const fn of(level: Level) -> Self {
        let (nodes, solved_lines, random, loss, leaves) = match level.number() {
            1 => (16, 0, 34, None, false),
            2 => (26, 0, 7, None, false),
            3 => (64, 0, 118, Some(5.5), false),
            4 => (144, 0, 34, Some(2.0), false),
            5 => (192, 4, 58, Some(2.5), true),
            6 => (850, 11, 14, Some(2.0), true),
            7 => (6_500, 23, 4, Some(2.0), true),
            _ => (u64::MAX, 48, 0, Some(0.0), true),
        };
        Self {
            nodes,
            solved_lines,
            random,
            loss,
            leaves,
        }
    }
}
