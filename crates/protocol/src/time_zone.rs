//! The time zone of a player.

use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// The time zone of a player, in whose nights no flag of theirs falls by correspondence.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TimeZoneSetting {
    /// The name of the zone, such as `Europe/Prague`; `None` if it is not known.
    pub zone: Option<String>,
    /// The time from which on it may be changed; `None` if it may be now.
    pub changeable_at: Option<Timestamp>,
    /// The names of all zones.
    pub zones: Vec<String>,
}
