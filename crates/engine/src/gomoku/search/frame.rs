//! The stack of the search: the positions on the way, and the next task.

use crate::gomoku::board::Cell;

/// Plies from the root.
pub(super) type Ply = i16;

/// The next task of the machine.
#[derive(Clone, Copy, Debug)]
pub(super) enum Task {
    /// Begin another iteration.
    Iterate,
    Enter(Call),
    /// Go on with the position on top of the stack.
    Advance,
    /// A position has this value for its side to move.
    Return(i16),
}

/// A position to search, as its parent sees it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Call {
    pub depth: i16,
    pub alpha: i16,
    pub beta: i16,
    pub after_pass: bool,
}

/// The search that a frame waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Wait {
    Pass,
    Reduced,
    Scout,
    Full,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub depth: i16,
    pub alpha: i16,
    pub beta: i16,
    pub floor: i16,
    pub best: i16,
    pub best_move: Cell,
    pub mv: Cell,
    pub start: u32,
    pub next: u32,
    pub end: u32,
    pub searched: u16,
    pub wait: Wait,
    pub forced: bool,
    pub evaluation: i16,
}

/// A move and its place in the order; the larger the rank, the earlier.
#[derive(Clone, Copy, Debug)]
pub(super) struct Ranked {
    pub mv: Cell,
    pub rank: i32,
}
