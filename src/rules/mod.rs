//! The games themselves, as pure values: positions, moves, scores and outcomes.
//!
//! Nothing here knows of time, of players' names, of chance or of I/O. A match (`play`) adds what all games share.

use serde::{Deserialize, Serialize};
use std::fmt;

/// One of the two sides. The first seat moves first, is red, and belongs to the challenger.
///
/// As JSON it is the number `1` or `2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(into = "u8", try_from = "u8")]
pub enum Seat {
    /// Red, who starts.
    First,
    /// Blue.
    Second,
}

impl Seat {
    /// Both seats in order.
    pub const BOTH: [Self; 2] = [Self::First, Self::Second];

    /// The other side of the table.
    #[must_use]
    pub const fn other(self) -> Self {
        match self {
            Self::First => Self::Second,
            Self::Second => Self::First,
        }
    }

    /// `0` for the first, `1` for the second: the place in a pair.
    #[must_use]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// `1` for the first, `2` for the second: the number people and programs see.
    #[must_use]
    pub const fn number(self) -> u8 {
        self as u8 + 1
    }
}

impl From<Seat> for u8 {
    fn from(seat: Seat) -> Self {
        seat.number()
    }
}

impl TryFrom<u8> for Seat {
    type Error = &'static str;

    fn try_from(number: u8) -> Result<Self, Self::Error> {
        match number {
            1 => Ok(Self::First),
            2 => Ok(Self::Second),
            _ => Err("a seat is 1 or 2"),
        }
    }
}

/// Why a move that can be read may not be played. The position is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Illegal {
    /// The place is not on the board.
    OffBoard,
    /// Something stands there already, dead or alive.
    Occupied,
    /// The point lies in a captured area.
    CapturedArea,
    /// The line is drawn already (Dots and Boxes).
    AlreadyDrawn,
    /// The disc would flip nothing (Reversi).
    FlipsNothing,
}

impl Illegal {
    /// The word that programs see.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::OffBoard => "off_board",
            Self::Occupied => "occupied",
            Self::CapturedArea => "captured_area",
            Self::AlreadyDrawn => "already_drawn",
            Self::FlipsNothing => "flips_nothing",
        }
    }
}

impl fmt::Display for Illegal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.code())
    }
}

/// Why a written move is not a move on this board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveError {
    /// It does not read as a move of this game.
    Malformed,
    /// It reads as a move, and may not be played.
    Illegal(Illegal),
}

impl From<Illegal> for MoveError {
    fn from(illegal: Illegal) -> Self {
        Self::Illegal(illegal)
    }
}

/// How the rules ended a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Ending {
    /// No free point is left (Dots), or no intersection (Gomoku).
    BoardFull,
    /// Five in a row (Gomoku).
    FiveInRow,
    /// Neither side has a move (Reversi).
    NoMoves,
    /// Every box is taken (Dots and Boxes).
    AllBoxes,
}

/// A game that is over by its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// The winner; `None` is a draw.
    pub winner: Option<Seat>,
    /// The rule that ended it.
    pub ending: Ending,
}

impl Outcome {
    /// The side with more points wins; equal is a draw.
    #[must_use]
    pub fn by_score(score: [u32; 2], ending: Ending) -> Self {
        let winner = match score[0].cmp(&score[1]) {
            std::cmp::Ordering::Greater => Some(Seat::First),
            std::cmp::Ordering::Less => Some(Seat::Second),
            std::cmp::Ordering::Equal => None,
        };
        Self { winner, ending }
    }
}

/// What every game of the arena can do. A position knows its whole past, so that it can be undone.
pub trait Game: Clone + Sized {
    /// What is chosen before the game: size, opening, variant.
    type Setup;
    /// One move, already read; it may still be off this board.
    type Move: Copy + fmt::Display;
    /// What a move changed beyond itself: captures, boxes, flips. Enough to draw and to speak it.
    type Change;

    /// The position before the first move.
    fn new(setup: &Self::Setup) -> Self;

    /// Who moves, or `None` when the game is over.
    fn to_move(&self) -> Option<Seat>;

    /// Plays a move of the side to move.
    ///
    /// A refusal leaves the position untouched.
    fn play(&mut self, mv: Self::Move) -> Result<Self::Change, Illegal>;

    /// Takes the last move back and says which it was; `None` at the start.
    fn undo(&mut self) -> Option<Self::Move>;

    /// The points of both seats.
    fn score(&self) -> [u32; 2];

    /// The result, once the rules have ended the game.
    fn outcome(&self) -> Option<Outcome>;

    /// How far the game has come: 0 to 100.
    fn progress(&self) -> u8;

    /// Reads the text form of a move. What reads as a move but cannot be on any board is `OffBoard`.
    fn parse_move(text: &str) -> Result<Self::Move, MoveError>;
}
