//! Series: tournaments that repeat.

use super::TournamentId;
use serde::{Deserialize, Serialize};

/// The series that a tournament is of.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentSeries {
    /// The recurrence rule of RFC 5545, such as `FREQ=WEEKLY;BYDAY=FR`.
    pub rule: String,
    /// The time zone of its times, such as `Europe/Prague`.
    pub zone: String,
    /// Whether no further tournament will be made.
    pub ended: bool,
    /// The tournament that follows this one, once it is made: when this one begins.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub next: Option<TournamentId>,
}
