//! What the eight levels mean for Gomoku.

use crate::Level;

/// How one level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// Nodes at most.
    pub nodes: u64,
    /// Plies of the main search at most.
    pub depth: u16,
    /// Nodes of the search for a victory by fours at the root.
    pub fours: u64,
    /// How many of 256 moves are drawn among those that look good.
    pub random: u32,
    /// How many moves such a draw is among.
    pub among: usize,
    /// Whether it always sees five in a row, its own and the other's.
    pub awake: bool,
}

impl Strength {
    pub(super) const fn of(level: Level) -> Self {
        let (nodes, depth, fours, random, among, awake) = match level.number() {
            1 => (2_000, 1, 0, 160, 24, false),
            2 => (2_000, 1, 0, 110, 12, true),
            3 => (3_000, 1, 0, 60, 6, true),
            4 => (4_000, 2, 0, 30, 4, true),
            5 => (8_000, 3, 100, 15, 3, true),
            6 => (20_000, 4, 1_000, 0, 1, true),
            7 => (80_000, 7, 20_000, 0, 1, true),
            _ => (u64::MAX, u16::MAX, 400_000, 0, 1, true),
        };
        Self {
            nodes,
            depth,
            fours,
            random,
            among,
            awake,
        }
    }
}
