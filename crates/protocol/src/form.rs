//! Arguments of server functions that have more than one text form, and their small answers.

use super::{MatchId, PlayerId};
use serde::de::{MapAccess, SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize};
use std::fmt;
use tochki_play::{ClockRule, Timestamp};
use tochki_rules::{GameKind, InvalidSetup, Setup};

/// The signed-in account: the answer to registering and signing in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Account {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Whether they are a guest, who has a session but no password. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// Whether an engine plays for them. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
}

/// The answer to sending a challenge: its expiry, or the match that started because the opponent had sent the same challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeCreated {
    /// The challenge.
    pub id: super::ChallengeId,
    /// When the challenge expires.
    pub expires_at: Timestamp,
    /// The match, if the opponent had sent the same challenge.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// The answer to answering a challenge.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeAnswer {
    /// The match, if the challenge was accepted.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// The answer to a command on a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VersionResponse {
    /// The version of the last event that the command caused.
    pub version: u32,
}

/// The answer to an offer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OfferResponse {
    /// The version of the last event that the command caused.
    pub version: u32,
    /// When the offer expires. By correspondence it does not, and this is omitted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

/// The answer to resuming an adjourned match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ResumeResponse {
    /// The version of the match.
    pub version: u32,
    /// Whether the other player is awaited, at the time that was agreed on to go on live.
    pub waits: bool,
}

/// The answer to asking for a rematch.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RematchResponse {
    /// The match, once both have asked.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// The running match of the caller.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnMatch {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Whether the match is rated.
    pub rated: bool,
}

/// The setup of a game as form fields: JSON in one field (`setup={"width":20}`) or one field for each part
/// (`setup[width]=20`); in JSON, an object. Omitted parts have the game's defaults.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(transparent)]
pub struct SetupText(String);

impl SetupText {
    /// Parses the setup of this game and checks it against the limits of a match.
    ///
    /// # Errors
    ///
    /// If it is not JSON, not a setup of this game, or outside the limits of a match.
    pub fn read(&self, kind: GameKind) -> Result<Setup, InvalidSetup> {
        let text = if self.0.trim().is_empty() {
            "{}"
        } else {
            &self.0
        };
        // Text that is not JSON is an invalid setup, like an invalid field.
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
        while let Some((name, part)) = map.next_entry::<String, serde_json::Value>()? {
            // In a form everything is text.
            let number = part.as_str().and_then(|text| text.parse::<i64>().ok());
            parts.insert(name, number.map_or(part, Into::into));
        }
        Ok(SetupText(serde_json::Value::Object(parts).to_string()))
    }
}

/// A clock as a form field, such as `none` or `300+5`; `none` if omitted.
///
/// In a URL-encoded form `+` is a space, and many clients forget to escape it, so `300 5` is accepted as `300+5`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ClockText(pub String);

impl ClockText {
    /// Parses the clock.
    ///
    /// # Errors
    ///
    /// [`Code::InvalidClock`](super::Code::InvalidClock) if it cannot be parsed or is out of range.
    pub fn read(&self) -> Result<ClockRule, super::Code> {
        let text = self.0.trim().replace(' ', "+");
        if text.is_empty() {
            Ok(ClockRule::None)
        } else {
            text.parse().map_err(|_| super::Code::InvalidClock)
        }
    }
}

/// Lines of moves as form fields: a text with a line of moves in each row, or in JSON a list of lists.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct LinesText(pub Vec<Vec<String>>);

impl From<&str> for LinesText {
    fn from(text: &str) -> Self {
        let rows = text.lines().filter(|row| !row.trim().is_empty());
        let moves = |row: &str| row.split_whitespace().map(str::to_owned).collect();
        Self(rows.map(moves).collect())
    }
}

impl<'de> Deserialize<'de> for LinesText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(LinesVisitor)
    }
}

struct LinesVisitor;

impl<'de> Visitor<'de> for LinesVisitor {
    type Value = LinesText;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("lines of moves: rows of text, or a list of lists")
    }

    fn visit_str<E>(self, text: &str) -> Result<LinesText, E> {
        Ok(text.into())
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut seq: A) -> Result<LinesText, A::Error> {
        let mut lines = Vec::new();
        while let Some(line) = seq.next_element::<Vec<String>>()? {
            lines.push(line);
        }
        Ok(LinesText(lines))
    }
}
