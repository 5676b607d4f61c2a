//! Arguments that come in more than one spelling, and the small answers of the doorway.

use super::{MatchId, PlayerId};
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tochki_play::{ClockRule, Timestamp};
use tochki_rules::{GameKind, InvalidSetup, Setup};

/// Who is signed in: the answer to registering and signing in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Account {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Whether they play by the session alone, without a password. Said only of guests.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
}

/// The answer to a challenge: when it ends, or the match that a crossing challenge has started.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeCreated {
    /// The challenge.
    pub id: super::ChallengeId,
    /// When it expires by itself.
    pub expires_at: Timestamp,
    /// The match, where the opponent had asked for the same.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// The answer to answering a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ChallengeAnswer {
    /// The match, where it was accepted.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// The answer to a command on a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VersionResponse {
    /// The version of the last event the command made.
    pub version: u32,
}

/// The answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferResponse {
    /// The version of the last event the command made.
    pub version: u32,
    /// When the offer ends by itself.
    pub expires_at: Timestamp,
}

/// The answer to asking for another match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RematchResponse {
    /// The match, once both have asked.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// A setup as a form carries it: JSON in one field (`setup={"width":20}`) or a field for each part
/// (`setup[width]=20`). What is left out takes the game's default.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SetupText(String);

impl SetupText {
    /// Reads the setup as one of this game, within the limits of a match.
    ///
    /// # Errors
    ///
    /// If it is no JSON, no setup of this game, or no setup for a match.
    pub fn read(&self, kind: GameKind) -> Result<Setup, InvalidSetup> {
        let text = if self.0.trim().is_empty() {
            "{}"
        } else {
            &self.0
        };
        // What is no JSON at all is as wrong as a wrong field: both are the setup's fault.
        let value = serde_json::from_str(text).unwrap_or(serde_json::Value::Bool(false));
        Setup::parse(kind, Some(&value))?.for_match()
    }
}

/// The JSON text itself, not validated yet.
impl From<String> for SetupText {
    fn from(text: String) -> Self {
        Self(text)
    }
}

impl<'de> Deserialize<'de> for SetupText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(SetupVisitor)
    }
}

struct SetupVisitor;

impl<'de> Visitor<'de> for SetupVisitor {
    type Value = SetupText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a setup: JSON text, or one field for each part")
    }

    fn visit_str<E>(self, text: &str) -> Result<SetupText, E> {
        Ok(SetupText(text.to_owned()))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<SetupText, A::Error> {
        let mut parts = serde_json::Map::new();
        while let Some((name, text)) = map.next_entry::<String, String>()? {
            let part = text
                .parse::<i64>()
                .map_or(serde_json::Value::String(text), Into::into);
            parts.insert(name, part);
        }
        Ok(SetupText(serde_json::Value::Object(parts).to_string()))
    }
}

/// A clock as a form carries it: `none` or `300+5`; left out it is `none`.
///
/// A form turns `+` into a blank, and many clients forget to escape it, so `300 5` is read as `300+5`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockText(pub String);

impl ClockText {
    /// Reads the clock, or says that it cannot be read or is out of range.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidClock`](super::Code::InvalidClock) if it cannot be read or is out of range.
    pub fn read(&self) -> Result<ClockRule, super::Code> {
        let text = self.0.trim().replace(' ', "+");
        if text.is_empty() {
            Ok(ClockRule::None)
        } else {
            text.parse().map_err(|_| super::Code::InvalidClock)
        }
    }
}
