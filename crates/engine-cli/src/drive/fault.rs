//! Why a program loses a game other than by the rules of the game.

use std::fmt;
use std::time::Duration;

/// What a program did wrong. It has lost the game then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// It ended, or closed its input or output.
    Crashed,
    /// It gave no answer for as long as the referee waits where no time is set.
    IdleTimeout,
    /// It took longer than it had, with the margin.
    Late {
        /// What it had, without the margin.
        had: Duration,
    },
    /// It answered a move that is not legal.
    Illegal(String),
    /// It answered something that the protocol does not know.
    Garbled(String),
    /// It refused the board, an opening or a legal move of the other.
    Refused(String),
    /// It gave up.
    Resigned,
}

impl Fault {
    /// The word for it in records and tables.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Crashed => "crash",
            Self::IdleTimeout => "silence",
            Self::Late { .. } => "time",
            Self::Illegal(_) => "illegal_move",
            Self::Garbled(_) => "garbled_answer",
            Self::Refused(_) => "refusal",
            Self::Resigned => "resigned",
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Crashed => f.write_str("crashed"),
            Self::IdleTimeout => f.write_str("gave no answer"),
            Self::Late { had } => write!(f, "took longer than {} ms", had.as_millis()),
            Self::Illegal(mv) => write!(f, "played the illegal move {mv:?}"),
            Self::Garbled(line) => write!(f, "answered {line:?}"),
            Self::Refused(line) => write!(f, "refused: {line:?}"),
            Self::Resigned => f.write_str("resigned"),
        }
    }
}
