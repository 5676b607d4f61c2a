//! Places where a player can be present, and their names in the database.

use std::fmt;
use tochki_protocol::{MatchId, PlayerLocation, TableId, TournamentId};
use tochki_rules::GameKind;

/// A place where a player can be present.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Place {
    /// The waiting room of a game.
    Lobby(GameKind),
    /// Connected by the line protocol, for a game. Such players are not listed as waiting, because they cannot answer a
    /// challenge.
    LineProtocol(GameKind),
    /// A match.
    Match(MatchId),
    /// An open table.
    Table(TableId),
    /// A match as a spectator.
    Watch(MatchId),
    /// The page of a tournament.
    Tournament(TournamentId),
}

impl Place {
    /// Parses the form that is in the database.
    pub fn read(text: &str) -> Option<Self> {
        let (kind, id) = text.split_once(':')?;
        Some(match kind {
            "lobby" => Self::Lobby(id.parse().ok()?),
            "line" => Self::LineProtocol(id.parse().ok()?),
            "match" => Self::Match(id.parse().ok()?),
            "table" => Self::Table(id.parse().ok()?),
            "watch" => Self::Watch(id.parse().ok()?),
            "tournament" => Self::Tournament(id.parse().ok()?),
            _ => return None,
        })
    }

    /// The place as operators see it.
    pub const fn location(self) -> PlayerLocation {
        match self {
            Self::Lobby(game) | Self::LineProtocol(game) => PlayerLocation::WaitingRoom(game),
            Self::Match(id) => PlayerLocation::Playing(id),
            Self::Table(id) => PlayerLocation::Table(id),
            Self::Watch(id) => PlayerLocation::Watching(id),
            Self::Tournament(id) => PlayerLocation::Tournament(id),
        }
    }
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby(game) => write!(f, "lobby:{}", game.id()),
            Self::LineProtocol(game) => write!(f, "line:{}", game.id()),
            Self::Match(id) => write!(f, "match:{id}"),
            Self::Table(id) => write!(f, "table:{id}"),
            Self::Watch(id) => write!(f, "watch:{id}"),
            Self::Tournament(id) => write!(f, "tournament:{id}"),
        }
    }
}
