//! Game records: board, players, moves and result of a game, as SGF (Smart Game Format, GM\[40\]).
//!
//! A [`Record`] displays as SGF that the Dots sites accept, [`Record::written_as`] writes it as one of these sites does
//! ([`Dialect`]), and [`parse()`] accepts the SGF of these sites; a [`Collection`] has the games of a text with their variations.
//! [`tree`] is the syntax alone, for records of other games. Nothing here knows of accounts, HTTP or views.

mod dialect;
pub mod letters;
mod other_rules;
mod parse;
mod result;
pub mod tree;
mod variations;
mod write;

#[cfg(test)]
mod properties;

pub use dialect::{Dialect, UnknownDialect};
pub use other_rules::OtherRules;
pub use parse::{
    Collection, DamagedPlace, FullRecord, GameSummary, InvalidMove, ParsedRecord, SgfError,
    is_no_move, parse, parse_variations,
};
pub use result::{GameResult, NoPoints, Points, WinReason};
pub use variations::{Variation, Variations};

use crate::dots::{Point, Setup};
use crate::{self as rules, Seat};

/// A game of Dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Record {
    /// The board and the opening.
    pub setup: Setup,
    /// Dots on the board before the first move that are not an opening, in the order in which they are placed, red first.
    pub start: Vec<PlacedDot>,
    /// The moves. The sides do not have to alternate.
    pub plies: Vec<PlacedDot>,
    /// The players, in the order of their seats.
    pub players: [RecordPlayer; 2],
    /// The result, if known.
    pub result: Option<GameResult>,
    /// The date of the game, in any format; `2026-11-21` in our own records.
    pub date: String,
    /// The comment on the game.
    pub comment: String,
}

impl Record {
    /// Returns whether games with this setup can be written as records: only those of Dots.
    pub const fn is_supported(setup: &rules::Setup) -> bool {
        matches!(setup, rules::Setup::Dots(_))
    }
}

/// A dot and its side.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PlacedDot {
    /// The side.
    pub seat: Seat,
    /// The point.
    pub point: Point,
}

/// A player in a record. Both texts are free text and may be empty.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RecordPlayer {
    /// The name.
    pub name: String,
    /// The rating or rank.
    pub rank: String,
}
