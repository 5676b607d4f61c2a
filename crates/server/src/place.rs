//! The places where a player can be present, as `presence` and the database name them.

use std::fmt;
use tochki_protocol::{MatchId, TableId};
use tochki_rules::GameKind;

/// Somewhere a player can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The waiting room of a game.
    Lobby(GameKind),
    /// A match.
    Match(MatchId),
    /// An open table.
    Table(TableId),
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby(game) => write!(f, "lobby:{}", game.id()),
            Self::Match(id) => write!(f, "match:{id}"),
            Self::Table(id) => write!(f, "table:{id}"),
        }
    }
}
