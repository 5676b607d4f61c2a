//! The vacation of a player, as the player sees it.

use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// The vacation of a player: the days that are left, and the vacation that is on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct VacationStatus {
    /// The whole days that are left, without those that a vacation has begun.
    pub days: u32,
    /// The time at which there is one more; `None` if there are as many as there can be.
    pub next_day_at: Option<Timestamp>,
    /// The beginning of the vacation that is on.
    pub since: Option<Timestamp>,
    /// The time at which it ends by itself.
    pub until: Option<Timestamp>,
    /// Whether a vacation begins by itself before a clock runs out.
    pub automatic: bool,
    /// The server's time.
    pub now: Timestamp,
}
