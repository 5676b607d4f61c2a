//! Limits of a search.

use super::Level;

/// The limits of a search. Time is not among them: the caller that steps the engine watches it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Nodes to search at most.
    pub nodes: u64,
    /// Plies to search at most, quiescence and solvers not counted.
    pub depth: u16,
    /// Bytes that the engine may have allocated at any time, [`Limits::MIN_MEMORY`] or more.
    pub memory: usize,
    /// The level. A level below the strongest narrows the other limits and may choose a move that is not the best one.
    pub level: Level,
}

impl Limits {
    /// The least bound that every engine keeps, on boards of every size: 3 MiB. With less the engine takes the memory that it
    /// needs all the same, up to this.
    pub const MIN_MEMORY: usize = 3 << 20;

    /// Memory that a phone has for a page's worker: 48 MiB.
    pub const DEFAULT_MEMORY: usize = 48 << 20;

    /// Limits without a bound but that of the default memory, at the strongest level.
    pub const NONE: Self = Self {
        nodes: u64::MAX,
        depth: u16::MAX,
        memory: Self::DEFAULT_MEMORY,
        level: Level::STRONGEST,
    };

    /// Limits of so many nodes, at the strongest level.
    #[must_use]
    pub const fn nodes(nodes: u64) -> Self {
        Self {
            nodes,
            ..Self::NONE
        }
    }
}
