//! API tokens, with which programs act for a player.

use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// Scope of a token. `play` includes `read`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Scope {
    /// Everything a signed-in visitor may see, except the account itself.
    Read,
    /// Waiting rooms, challenges, matches, tables, chat.
    Play,
}

impl Scope {
    /// The name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Read => "read",
            Self::Play => "play",
        }
    }

    /// Parses a list of names with commas or blanks between them. `None` if it is empty or has another name in it.
    pub fn parse_list(text: &str) -> Option<Vec<Self>> {
        let words = text.split([',', ' ']).filter(|word| !word.is_empty());
        let mut play = false;
        let mut any = false;
        for word in words {
            any = true;
            match word {
                "read" => {}
                "play" => play = true,
                _ => return None,
            }
        }
        let scopes: &[Self] = if play {
            &[Self::Read, Self::Play]
        } else {
            &[Self::Read]
        };
        any.then(|| scopes.to_vec())
    }
}

/// Lifetime of a new token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TokenEnd {
    /// After 30 days.
    Month,
    /// After a year.
    Year,
    /// Only when the token is ended, or the password changes.
    Never,
}

/// A token as its player sees it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TokenSummary {
    /// The token, as `end_token` takes it.
    pub id: i64,
    /// The player's name for the token.
    pub name: String,
    /// The scopes of the token.
    pub scopes: Vec<Scope>,
    /// When the token was made.
    pub since: Timestamp,
    /// When the token ends; null for never.
    pub expires_at: Option<Timestamp>,
    /// When the token was last used, to the minute; null before the first use.
    pub used_at: Option<Timestamp>,
}

/// A new token. It is answered once and never again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NewToken {
    /// The token, as `end_token` takes it.
    pub id: i64,
    /// The value to send as `Authorization: Bearer`.
    pub token: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_are_read_from_a_list() {
        let both = Some(vec![Scope::Read, Scope::Play]);
        assert_eq!(Scope::parse_list("read"), Some(vec![Scope::Read]));
        assert_eq!(Scope::parse_list("play"), both);
        assert_eq!(Scope::parse_list("play, read"), both);
        for text in ["", " ", "write", "read,admin", "Read"] {
            assert_eq!(Scope::parse_list(text), None, "{text}");
        }
    }
}
