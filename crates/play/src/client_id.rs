//! `client_id`: the idempotency key that a client gives a move.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The name that a client gives a move of its own, so that sending it twice makes it once.
///
/// A name has 1 to 64 of `A–Z a–z 0–9 _ -`, and is unique for a player in a match.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ClientId(String);

impl ClientId {
    /// The longest name, in characters.
    pub const MAX: usize = 64;

    /// Returns the name itself.
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
