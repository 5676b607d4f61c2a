//! Faults: reasons why a program loses a game other than by the rules of the game.

use std::fmt;
use std::time::Duration;

/// A fault of a program, by which it has lost the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The program ended, or closed its input or output.
    Crashed,
    /// The program gave no answer for as long as the referee waits where no time is set.
    IdleTimeout,
    /// The program took longer than its time, with the margin.
    Late {
        /// The program's time, without the margin.
        had: Duration,
    },
    /// The program answered a move that is not legal.
    Illegal(String),
    /// The program answered something that the protocol does not know.
    Garbled(String),
    /// The program refused the board, an opening or a legal move of the other side.
    Refused(String),
    /// The program gave up.
    Resigned,
}

impl Fault {
    /// The name in records and tables.
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
