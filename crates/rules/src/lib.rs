//! The rules of Dots, Dots and Boxes, Gomoku and Reversi as pure values: positions, moves, scores and outcomes.
//!
//! Nothing here knows time, accounts, chance or I/O. A match with clocks and offers is the crate `tochki-play`.
//!
//! ```
//! use tochki_rules::{GameKind, Position, Seat};
//!
//! let mut position = Position::new(&GameKind::Gomoku.default_setup());
//! let mv = position.parse_move("9,9")?;
//! position.play(mv)?;
//! assert_eq!(position.to_move(), Some(Seat::Second));
//! assert!(position.play(mv).is_err(), "the point is occupied");
//! assert_eq!(position.undo(), Some(mv));
//! # Ok::<(), tochki_rules::MoveError>(())
//! ```
//!
//! With the feature `serde`, setups, moves and outcomes are read and written as JSON, and `replay` replays games from JSON
//! lines. [`record`] reads and writes SGF.
//!
//! Each game is a folder of its own and implements [`Game`]; [`game_kind`] gathers them into closed enums, so that a new
//! game is a new folder, a new variant there, and the places that the compiler then names.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

/// The version of the rules: it changes when a stored game would be replayed to another position.
pub const RULES_VERSION: i16 = 1;

pub mod boxes;
pub mod dots;
#[cfg(feature = "serde")]
mod fields;
pub mod game_kind;
pub mod gomoku;
#[cfg(feature = "serde")]
mod json;
mod outcome;
mod point;
#[cfg(test)]
mod properties;
pub mod record;
mod refusal;
#[cfg(feature = "serde")]
pub mod replay;
pub mod reversi;
#[cfg(feature = "schema")]
mod schema;
mod seat;

pub use game_kind::{Change, GameKind, Move, Position, Setup, UnknownGame};
pub use outcome::{Ending, Outcome};
pub use point::Point;
pub use refusal::{Illegal, InvalidSetup, MoveError};
pub use seat::Seat;

use std::fmt;

/// The operations of every game of the arena. A position knows its whole past, so that it can be undone.
pub trait Game: Clone + Sized {
    /// The setup: size, opening, variant.
    type Setup;
    /// A parsed move; it may still be off this board.
    type Move: Copy + fmt::Display;
    /// The effect of a move beyond itself: captures, boxes, flips. It is enough to draw and to announce the move.
    type Change;

    /// The position before the first move.
    fn new(setup: &Self::Setup) -> Self;

    /// The setup of the game.
    fn setup(&self) -> &Self::Setup;

    /// The side to move, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Returns whether the side that would have moved had no move and was passed over by the last move.
    fn passed(&self) -> bool {
        false
    }

    /// Plays a move of the side to move.
    ///
    /// A refusal leaves the position untouched. Once the game is over no move is legal; the reason given is then only the
    /// board's, so a caller that cares about the difference asks [`Game::outcome`] first.
    ///
    /// # Errors
    ///
    /// The rule that forbids the move.
    fn play(&mut self, mv: Self::Move) -> Result<Self::Change, Illegal> {
        self.play_as(self.to_move().unwrap_or(Seat::First), mv)
    }

    /// Plays a move of the named side, whoever's turn it is; afterwards it is the other's turn, unless by the game's own rule the
    /// same side goes on.
    ///
    /// A position is set up in this way, and so is a record replayed that is not strictly in turn.
    ///
    /// # Errors
    ///
    /// The rule that forbids the move; the position is unchanged then.
    fn play_as(&mut self, seat: Seat, mv: Self::Move) -> Result<Self::Change, Illegal>;

    /// Gives this side the turn, as in a position that is set up by hand. A side without a move cannot have the turn: then
    /// nothing changes, and the answer is `false`.
    ///
    /// Taking back the last move restores the turn before that move.
    fn give_turn(&mut self, seat: Seat) -> bool;

    /// Takes the last move back and returns it; `None` at the start.
    fn undo(&mut self) -> Option<Self::Move>;

    /// Plays a move, lets `read` look at the position and at the change, and takes the move back.
    ///
    /// A hover preview calls this on every new point, so it copies nothing.
    ///
    /// # Errors
    ///
    /// The rule that forbids the move; `read` is not called then.
    fn preview<T>(
        &mut self,
        seat: Seat,
        mv: Self::Move,
        read: impl FnOnce(&Self, &Self::Change) -> T,
    ) -> Result<T, Illegal> {
        let change = self.play_as(seat, mv)?;
        let seen = read(self, &change);
        self.undo();
        Ok(seen)
    }

    /// Goes back to the start. The buffers stay, so that the next game in them allocates nothing.
    fn restart(&mut self) {
        while self.undo().is_some() {}
    }

    /// The points of both seats.
    fn score(&self) -> [u32; 2];

    /// The result, once the rules have ended the game.
    fn outcome(&self) -> Option<Outcome>;

    /// The progress of the game: 0 to 100 percent.
    fn progress(&self) -> u8;

    /// Parses the text form of a move. A well-formed move that cannot be on any board is `OffBoard`.
    ///
    /// # Errors
    ///
    /// [`MoveError::Malformed`] if the text is no move of this game.
    fn parse_move(text: &str) -> Result<Self::Move, MoveError>;
}

/// Compiles and runs the example of the README as a documentation test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
