//! Names for things: each id is a type of its own, and a bare number or word as JSON.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

number_id!(
    /// A player, for as long as the account lives.
    PlayerId
);
number_id!(
    /// A match, running or finished.
    MatchId
);
number_id!(
    /// A challenge from one player to another.
    ChallengeId
);
number_id!(
    /// An open table that waits for players.
    TableId
);

/// The name a client gives a move of its own, so that sending it twice makes it once.
///
/// 1 to 64 of `A–Z a–z 0–9 _ -`, unique for a player in a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClientId(String);

impl ClientId {
    /// The longest name, in characters.
    pub const MAX: usize = 64;

    /// The name itself.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl FromStr for ClientId {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let fits = !text.is_empty()
            && text.len() <= Self::MAX
            && text
                .bytes()
                .all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'-');
        if fits {
            Ok(Self(text.to_owned()))
        } else {
            Err("a client_id is 1 to 64 of A–Z, a–z, 0–9, _ and -")
        }
    }
}

impl TryFrom<String> for ClientId {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        text.parse()
    }
}

impl From<ClientId> for String {
    fn from(id: ClientId) -> Self {
        id.0
    }
}
