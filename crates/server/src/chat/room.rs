//! The chats there are.

use std::fmt;
use tochki_protocol::{Chat, MatchId, Venue};

/// One chat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Room {
    /// That of the waiting rooms.
    Lobby,
    /// That of a match's players.
    Players(MatchId),
    /// That of those who watch a match.
    Spectators(MatchId),
}

impl Room {
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
    pub fn venue(self) -> Venue {
        match self {
            Self::Lobby => Venue::Lobby,
            Self::Players(id) | Self::Spectators(id) => Venue::Match(id),
        }
    }

    /// Which of the chats there.
    pub fn chat(self) -> Chat {
        match self {
            Self::Lobby => Chat::Lobby,
            Self::Players(_) => Chat::Players,
            Self::Spectators(_) => Chat::Spectators,
        }
    }
}

/// As it is stored.
impl fmt::Display for Room {
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
            Room::Lobby,
            Room::Players(MatchId(17)),
            Room::Spectators(MatchId(17)),
        ] {
            assert_eq!(Room::read(&room.to_string()), Some(room));
        }
        assert_eq!(Room::read("match:x"), None);
    }
}
