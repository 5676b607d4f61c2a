//! A game as it is kept on paper: who played, on which board, every move, how it ended. As text it is SGF.
//!
//! A [`Record`] displays as the Dots sites read it, and [`read()`] reads what they write. It knows nothing of accounts, of
//! HTTP or of views, and it keeps nothing.

mod letters;
mod read;
mod tree;
mod verdict;
mod write;

#[cfg(test)]
mod properties;

pub use read::{Reading, Stop, Unreadable, read};
pub use verdict::{How, Verdict};

use crate::dots::{Point, Setup};
use crate::{self as rules, Seat};

/// One game of Dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// On which board, with which opening.
    pub setup: Setup,
    /// What stands on the board before the first move and is no opening, in the order in which it is placed, red first.
    pub start: Vec<PlacedDot>,
    /// The moves, in turn or not.
    pub plies: Vec<PlacedDot>,
    /// Who played, in the order of their seats.
    pub sides: [Side; 2],
    /// How it ended, if that is known.
    pub verdict: Option<Verdict>,
    /// When it was played, as whoever wrote it down has put it; `2026-11-21` in records of ours.
    pub date: String,
    /// What whoever wrote it down has to say about the game.
    pub comment: String,
}

impl Record {
    /// Whether games with such a setup have a form on paper: those of Dots have.
    pub const fn is_kept(setup: &rules::Setup) -> bool {
        matches!(setup, rules::Setup::Dots(_))
    }
}

/// A dot that somebody places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedDot {
    /// Whose dot it is.
    pub seat: Seat,
    /// Where it is placed.
    pub point: Point,
}

/// A player as a record names them. Both texts may be empty, and are somebody's own words.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Side {
    /// The name.
    pub name: String,
    /// The rating or rank.
    pub rank: String,
}
