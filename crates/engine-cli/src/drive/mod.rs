//! Programs that play, from the other end of their protocols: for the referee of `duel`, and for `tochki-bot`.
//!
//! A [`Program`] is a process and its lines. A [`Driver`] speaks one protocol to it, a [`Fault`] is the reason why it has lost.

mod conversation;
mod fault;
mod gomocup;
mod gtp;
mod limit;
mod nboard;
mod program;
mod text;

pub use conversation::{Answer, Driver, Line, Table};
pub use fault::Fault;
pub use limit::{Left, Limit, MoveTime};
pub use program::{Killer, Program, split};

use crate::protocol::Protocol;

/// The driver of a protocol.
pub fn driver(protocol: Protocol) -> Box<dyn Driver + Send> {
    match protocol {
        Protocol::Text => Box::new(text::Text),
        Protocol::Gomocup => Box::new(gomocup::Gomocup::default()),
        Protocol::Gtp => Box::new(gtp::Gtp),
        Protocol::Nboard => Box::new(nboard::Nboard::default()),
    }
}

/// Returns whether a protocol can tell a program of such a limit.
pub const fn knows(protocol: Protocol, limit: Limit) -> bool {
    match limit {
        Limit::Free => true,
        Limit::Time(_) | Limit::Clock { .. } => !matches!(protocol, Protocol::Nboard),
        Limit::Nodes(_) => matches!(protocol, Protocol::Text),
        Limit::Depth(_) => matches!(protocol, Protocol::Text | Protocol::Nboard),
    }
}
