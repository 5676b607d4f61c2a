//! The text protocols that engines speak, each as a state machine: lines in, lines out.

mod ggf;
mod gomocup;
mod gtp;
mod nboard;
#[cfg(test)]
mod properties;
mod session;
mod spelling;
#[cfg(test)]
pub(crate) mod testing;
mod text;

pub use gomocup::Gomocup;
pub use gtp::Gtp;
pub use nboard::Nboard;
pub use session::{LineError, Precedence, Session};
pub use text::Text;

pub(crate) use ggf::game_in_ggf;
pub(crate) use spelling::algebraic;
pub use text::{in_words, setup_in_words};

use clap::ValueEnum;
use tochki_rules::GameKind;

/// A protocol of engines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Protocol {
    /// Our own protocol, for all games.
    Text,
    /// The protocol of the Gomocup tournaments (Piskvork), for Gomoku.
    Gomocup,
    /// The Go Text Protocol with Othello's board, for Reversi.
    Gtp,
    /// The protocol of the program `NBoard`, version 2, for Reversi.
    Nboard,
}

impl Protocol {
    /// The only game of the protocol, if there is only one.
    #[must_use]
    pub const fn game(self) -> Option<GameKind> {
        match self {
            Self::Text => None,
            Self::Gomocup => Some(GameKind::Gomoku),
            Self::Gtp | Self::Nboard => Some(GameKind::Reversi),
        }
    }
}
