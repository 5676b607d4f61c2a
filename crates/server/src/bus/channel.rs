//! Chat channels, and their names in the database.

use std::fmt;
use tochki_protocol::{ChatAudience, ChatPlace, MatchId};

/// A chat channel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatChannel {
    /// The chat of the waiting rooms.
    Lobby,
    /// The chat of the players of a match.
    Players(MatchId),
    /// The chat of the spectators of a match.
    Spectators(MatchId),
}

impl ChatChannel {
    /// Parses the stored form.
    pub(crate) fn read(text: &str) -> Option<Self> {
        if text == "lobby" {
            return Some(Self::Lobby);
        }
        let (kind, id) = text.split_once(':')?;
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
            Self::Players(id) | Self::Spectators(id) => ChatPlace::Match(id),
        }
    }

    /// The audience of the channel.
    pub fn audience(self) -> ChatAudience {
        match self {
            Self::Lobby => ChatAudience::Lobby,
            Self::Players(_) => ChatAudience::Players,
            Self::Spectators(_) => ChatAudience::Spectators,
        }
    }
}

/// The stored form.
impl fmt::Display for ChatChannel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Lobby => f.write_str("lobby"),
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
            ChatChannel::Players(MatchId(17)),
            ChatChannel::Spectators(MatchId(17)),
        ] {
            assert_eq!(ChatChannel::read(&channel.to_string()), Some(channel));
        }
        assert_eq!(ChatChannel::read("match:x"), None);
    }
}
