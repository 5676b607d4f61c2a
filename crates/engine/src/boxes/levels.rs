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
            1 => (64, 0, 150, None, false),
            2 => (64, 0, 60, None, false),
            3 => (128, 0, 80, Some(4.0), false),
            4 => (256, 6, 60, Some(3.0), true),
            5 => (1_000, 12, 30, Some(2.0), true),
            6 => (4_000, 20, 10, Some(1.0), true),
            7 => (30_000, 28, 0, Some(0.0), true),
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
