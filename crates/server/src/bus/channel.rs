//! Chat channels, and their names in the database.

use std::fmt;
use tochki_protocol::{ChatAudience, ChatPlace, MatchId, PlayerId, TableId};

/// A chat channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatChannel {
    /// The chat of the waiting rooms.
    Lobby,
    /// The chat of the two players of an open table, in the order of their ids. With another opponent it is another channel, so
    /// that nobody reads what was said to somebody else.
    Table(TableId, [PlayerId; 2]),
    /// The chat of the players of a match.
    Players(MatchId),
    /// The chat of the spectators of a match.
    Spectators(MatchId),
}

impl ChatChannel {
    /// The channel of two players at a table.
    pub fn of_table(id: TableId, mut players: [PlayerId; 2]) -> Self {
        players.sort_unstable();
        Self::Table(id, players)
    }

    /// Parses the stored form.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "lobby" {
            return Some(Self::Lobby);
        }
        let (kind, id) = text.split_once(':')?;
        if kind == "table" {
            let mut ids = id.splitn(3, ':');
            let table = ids.next()?.parse().ok()?;
            let mut player = || Some(PlayerId(ids.next()?.parse().ok()?));
            return Some(Self::of_table(table, [player()?, player()?]));
        }
        let id = id.parse().ok()?;
        match kind {
            "match" => Some(Self::Players(id)),
            "watch" => Some(Self::Spectators(id)),
            _ => None,
        }
    }

    /// The place it belongs to.
    pub fn place(self) -> ChatPlace {
        match self {
            Self::Lobby => ChatPlace::Lobby,
            Self::Table(id, _) => ChatPlace::Table(id),
            Self::Players(id) | Self::Spectators(id) => ChatPlace::Match(id),
        }
    }

    /// The audience of the channel.
    pub fn audience(self) -> ChatAudience {
        match self {
            Self::Lobby => ChatAudience::Lobby,
            Self::Table(..) | Self::Players(_) => ChatAudience::Players,
            Self::Spectators(_) => ChatAudience::Spectators,
        }
    }
}

/// The stored form.
impl fmt::Display for ChatChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby => f.write_str("lobby"),
            Self::Table(id, [one, other]) => write!(f, "table:{id}:{one}:{other}"),
            Self::Players(id) => write!(f, "match:{id}"),
            Self::Spectators(id) => write!(f, "watch:{id}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_room_reads_back() {
        for channel in [
            ChatChannel::Lobby,
            ChatChannel::of_table(TableId(5), [PlayerId(9), PlayerId(3)]),
            ChatChannel::Players(MatchId(17)),
            ChatChannel::Spectators(MatchId(17)),
        ] {
            assert_eq!(ChatChannel::read(&channel.to_string()), Some(channel));
        }
        for other in ["match:x", "table:5", "table:5:3", "table:5:3:9:1"] {
            assert_eq!(ChatChannel::read(other), None, "{other}");
        }
    }
}
