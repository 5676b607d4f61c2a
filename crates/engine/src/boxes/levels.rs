//! What the eight levels mean for Dots and Boxes.

use crate::Level;

/// How one level plays.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Strength {
    /// Nodes at most: games of the tree search and positions of the solver.
    pub nodes: u64,
    /// From so many free lines on, the value is found exactly.
    pub solved_lines: u32,
    /// How many of 256 moves are drawn at random.
    pub random: u32,
    /// What a random move may give away, in boxes; `None` is any line at all.
    pub loss: Option<f32>,
    /// Whether boxes may be left so that the other side has to move.
    pub leaves: bool,
}

impl Strength {
    pub(super) const fn of(level: Level) -> Self {
        let (nodes, solved_lines, random, loss, leaves) = match level.number() {
            1 => (16, 0, 44, None, false),
            2 => (24, 0, 20, None, false),
            3 => (48, 0, 220, Some(12.0), false),
            4 => (96, 0, 170, Some(7.0), false),
            5 => (128, 4, 115, Some(6.0), true),
            6 => (400, 8, 70, Some(3.5), true),
            7 => (1_500, 14, 25, Some(2.0), true),
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
