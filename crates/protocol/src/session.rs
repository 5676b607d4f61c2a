//! Sessions, recovery codes and marked names in the API.

use super::Account;
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// One browser in which a player is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionSummary {
    /// The session, as `end_session` takes it.
    pub id: i64,
    /// The browser, in short; empty if unknown.
    pub agent: String,
    /// Where it was last used, as a part of the network address: `203.0.113.*`; empty if unknown.
    pub address: String,
    /// When it was opened.
    pub since: Timestamp,
    /// When it was last used, to the hour.
    pub seen_at: Timestamp,
    /// Whether it is the session of this request.
    pub current: bool,
}

/// The recovery codes of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecoveryStatus {
    /// How many can still be used.
    pub left: u32,
    /// Whether to offer some: the player has a rated match and never had any made.
    pub offered: bool,
}

/// New recovery codes. They are answered once and never again.
#[derive(Clone, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecoveryCodes {
    /// The codes; each can be used once.
    pub codes: Vec<String>,
}

/// The mark of a name that is older than the rules about names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum NameMark {
    /// It looks like an older name.
    Clash,
    /// It breaks the present rules.
    Refused,
}

/// A player with such a name, which stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarkedName {
    /// The player.
    pub player: Account,
    /// What is wrong with the name.
    pub mark: NameMark,
}
