//! The eight levels of Gomoku.

use crate::Level;

/// The strength of a level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Strength {
    /// Nodes at most.
    pub nodes: u64,
    /// Plies of the main search at most.
    pub depth: u16,
    /// Nodes of the search for a victory by fours at the root.
    pub fours: u64,
    /// Nodes of the search for a victory by threes at the root.
    pub threes: u64,
    /// The number of moves in 256 that are drawn among those that look good.
    pub random: u32,
    /// The number of moves that such a draw is among.
    pub among: usize,
    /// Whether the level always sees five in a row, its own and the other's.
    pub awake: bool,
    /// Whether the level always answers an open three, makes an open four, plays a win that the search has found, and avoids a
    /// loss that it has found.
    pub careful: bool,
}

impl Strength {
    pub(super) const fn of(level: Level) -> Self {
        let number = level.number();
        let (nodes, depth, fours, threes, random, among) = match number {
            1 => (2_000, 1, 0, 0, 188, 24),
            2 => (2_000, 1, 0, 0, 150, 14),
            3 => (3_000, 1, 0, 0, 185, 21),
            4 => (4_000, 2, 0, 0, 135, 11),
            5 => (6_000, 3, 100, 0, 108, 7),
            6 => (8_000, 4, 1_000, 0, 64, 5),
            7 => (18_000, 6, 4_000, 2_000, 36, 3),
            _ => (u64::MAX, u16::MAX, 64_000, 64_000, 0, 1),
        };
        Self {
            nodes,
            depth,
            fours,
            threes,
            random,
            among,
            awake: number > 1,
            careful: number > 2,
        }
    }
}
