//! Values of the search: evaluations, and wins by their distance.

use super::frame::Ply;

/// The value of a win that is made now; each ply until then takes one away.
pub(in crate::gomoku) const WIN: i16 = 30_000;

/// Values beyond this are wins.
pub(in crate::gomoku) const WINNING: i16 = WIN - 1_000;

/// The bound that evaluations stay below.
pub(super) const MOST: i32 = 20_000;

/// A value beyond all others.
pub(super) const INFINITE: i16 = 32_000;

/// A bound moved on, to infinity if it is far.
pub(super) fn wider(bound: i16, by: i16) -> i16 {
    if by.abs() > 2_000 {
        return INFINITE * by.signum();
    }
    bound.saturating_add(by).clamp(-INFINITE, INFINITE)
}

/// Converts the value for the table: a win is so many plies from the position, not from the root.
pub(super) fn to_table(value: i16, ply: Ply) -> i16 {
    match value {
        _ if value > WINNING => value + ply,
        _ if value < -WINNING => value - ply,
        _ => value,
    }
}

/// The value of an entry, seen from the root.
pub(super) fn from_table(value: i16, ply: Ply) -> i16 {
    match value {
        _ if value > WINNING => value - ply,
        _ if value < -WINNING => value + ply,
        _ => value,
    }
}
