//! Sessions, recovery codes and marked names in the API.

use super::Account;
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// A browser in which a player is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SessionSummary {
    /// The session, as `end_session` takes it.
    pub id: i64,
    /// The browser, in short; empty if unknown.
    pub agent: String,
    /// The place of the last use, as a part of the network address: `203.0.113.*`; empty if unknown.
    pub address: String,
    /// When the session was opened.
    pub since: Timestamp,
    /// When the session was last used, to the hour.
    pub seen_at: Timestamp,
    /// Whether this is the session of the request.
    pub current: bool,
}

/// The recovery codes of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RecoveryStatus {
    /// The number of unused codes.
    pub left: u32,
    /// Whether to offer recovery codes: the player has a rated match and never had any made.
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
    /// The name looks like an older name.
    Clash,
    /// The name breaks the present rules.
    Refused,
}

/// A player with a marked name, which stays.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MarkedName {
    /// The player.
    pub player: Account,
    /// The fault of the name.
    pub mark: NameMark,
}
