//! The chats there are.

use std::fmt;
use tochki_protocol::{ChatAudience, ChatPlace, MatchId};

/// One chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ChatChannel {
    /// That of the waiting rooms.
    Lobby,
    /// That of a match's players.
    Players(MatchId),
    /// That of those who watch a match.
    Spectators(MatchId),
}

impl ChatChannel {
    /// Reads what is stored of it.
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

    /// Where it is.
    pub fn venue(self) -> ChatPlace {
        match self {
            Self::Lobby => ChatPlace::Lobby,
            Self::Players(id) | Self::Spectators(id) => ChatPlace::Match(id),
        }
    }

    /// Which of the chats there.
    pub fn chat(self) -> ChatAudience {
        match self {
            Self::Lobby => ChatAudience::Lobby,
            Self::Players(_) => ChatAudience::Players,
            Self::Spectators(_) => ChatAudience::Spectators,
        }
    }
}

/// As it is stored.
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
        for room in [
            ChatChannel::Lobby,
            ChatChannel::Players(MatchId(17)),
            ChatChannel::Spectators(MatchId(17)),
        ] {
            assert_eq!(ChatChannel::read(&room.to_string()), Some(room));
        }
        assert_eq!(ChatChannel::read("match:x"), None);
    }
}
