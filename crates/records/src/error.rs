//! The reasons why a game cannot be read or written.

use crate::{Form, Place};
use std::{fmt, io};

/// A game that cannot be read. The next one may be, unless the input itself has failed.
#[derive(Debug)]
pub struct RecordError {
    /// The place of the fault.
    pub place: Place,
    /// The fault.
    pub kind: ErrorKind,
}

/// The fault of a game that cannot be read.
#[derive(Debug)]
#[non_exhaustive]
pub enum ErrorKind {
    /// The input cannot be read. No game follows.
    Io(io::Error),
    /// The input has nothing of this form.
    NotThisForm(Form),
    /// The record is of a game that is not one of ours; the text names it.
    OtherGame(String),
    /// The rules allow no board of this size.
    InvalidSize,
    /// The record is of a variant, a start or a version that is not read; the text names it.
    Unsupported(String),
    /// The form expects something else here; the text says what.
    Expected(&'static str),
    /// The input ends in the middle of a game.
    CutOff,
    /// The game is longer than [`MAX_GAME_LEN`](crate::MAX_GAME_LEN). No game follows.
    TooLong,
    /// The record refers to a player or a tournament by a number that the list of names does not have.
    NoSuchName(u32),
}

impl ErrorKind {
    pub(crate) const fn at(self, place: Place) -> RecordError {
        RecordError { place, kind: self }
    }

    /// The name of the fault for programs.
    #[must_use]
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Io(_) => "io",
            Self::NotThisForm(_) => "not_this_form",
            Self::OtherGame(_) => "other_game",
            Self::InvalidSize => "invalid_size",
            Self::Unsupported(_) => "unsupported",
            Self::Expected(_) => "malformed",
            Self::CutOff => "cut_off",
            Self::TooLong => "too_long",
            Self::NoSuchName(_) => "no_such_name",
        }
    }

    /// Returns whether nothing more can be read after this fault.
    #[must_use]
    pub const fn is_final(&self) -> bool {
        matches!(self, Self::Io(_) | Self::TooLong)
    }
}

impl fmt::Display for RecordError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.place)?;
        match &self.kind {
            ErrorKind::Io(error) => error.fmt(f),
            ErrorKind::NotThisForm(form) => write!(f, "nothing here has the form {form}"),
            // Words of the input are printed on terminals: nothing in them may control one.
            ErrorKind::OtherGame(game) => {
                write!(f, "a record of another game ({})", game.escape_debug())
            }
            ErrorKind::InvalidSize => f.write_str("no board has this size"),
            ErrorKind::Unsupported(what) => write!(f, "not read: {what}"),
            ErrorKind::Expected(what) => write!(f, "expected {what}"),
            ErrorKind::CutOff => f.write_str("the game is cut off"),
            ErrorKind::TooLong => f.write_str("the game is too long"),
            ErrorKind::NoSuchName(number) => write!(f, "there is no name with the number {number}"),
        }
    }
}

impl std::error::Error for RecordError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.kind {
            ErrorKind::Io(error) => Some(error),
            _ => None,
        }
    }
}

/// A game that cannot be written in a form, or an output that has failed.
#[derive(Debug)]
#[non_exhaustive]
pub enum WriteError {
    /// The output has failed.
    Io(io::Error),
    /// The form has no games of this kind, or no board of this size.
    OtherGame,
    /// The form is only read.
    ReadOnly(Form),
    /// The form cannot say that something stood on the board before the first move.
    HasStart,
    /// The form cannot say that a side moved out of turn.
    OutOfTurn,
    /// The form cannot have a game without moves.
    NoMoves,
    /// The form has no more than 65,536 names of players or tournaments.
    TooManyNames,
}

impl WriteError {
    /// Returns whether only this game is concerned, so that the next one may be written.
    #[must_use]
    pub const fn is_of_game(&self) -> bool {
        !matches!(self, Self::Io(_) | Self::ReadOnly(_))
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(error) => error.fmt(f),
            Self::OtherGame => f.write_str("the form has no such games or boards"),
            Self::ReadOnly(form) => write!(f, "the form {form} is only read"),
            Self::HasStart => {
                f.write_str("the form cannot say what stood on the board before the first move")
            }
            Self::OutOfTurn => f.write_str("the form cannot say that a side moved out of turn"),
            Self::NoMoves => f.write_str("the form cannot have a game without moves"),
            Self::TooManyNames => f.write_str("the form has no more than 65536 names"),
        }
    }
}

impl std::error::Error for WriteError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            _ => None,
        }
    }
}
