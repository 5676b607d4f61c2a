//! The pace of a match: live, or by correspondence, and the durations that depend on it.

use super::Millis;
use serde::{Deserialize, Serialize};

/// The time that a player on turn has for their first move in a live match.
pub const FIRST_MOVE_TIMEOUT: Millis = Millis::from_secs(60);

/// The time that a player on turn has for their first move by correspondence.
pub const CORRESPONDENCE_FIRST_MOVE_TIMEOUT: Millis = Millis::from_hours(3 * 24);

/// The time for which an offer in a live match is open.
pub const OFFER_TIMEOUT: Millis = Millis::from_secs(15);

/// The least time that each side has left after moves of a live match are taken back.
pub const MIN_LEFT_AFTER_TAKEBACK: Millis = Millis::from_secs(1);

/// The least time that each side has left after moves by correspondence are taken back.
const CORRESPONDENCE_MIN_LEFT_AFTER_TAKEBACK: Millis = Millis::from_hours(1);

/// The pace of a match, which its time control decides.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum Pace {
    /// Both are there while it lasts.
    #[default]
    Live,
    /// Each move has days, so nobody has to be there together with the other one.
    Correspondence,
}

impl Pace {
    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Live => "live",
            Self::Correspondence => "correspondence",
        }
    }

    /// Returns whether this is the pace that JSON may omit.
    pub const fn is_live(&self) -> bool {
        matches!(self, Self::Live)
    }

    /// Returns the time that a player on turn has for their first move; then the match is aborted.
    pub const fn first_move_timeout(self) -> Millis {
        match self {
            Self::Live => FIRST_MOVE_TIMEOUT,
            Self::Correspondence => CORRESPONDENCE_FIRST_MOVE_TIMEOUT,
        }
    }

    /// Returns the time for which an offer is open; `None` if it stands until it is answered, the next own move or the end.
    pub const fn offer_timeout(self) -> Option<Millis> {
        match self {
            Self::Live => Some(OFFER_TIMEOUT),
            Self::Correspondence => None,
        }
    }

    /// Returns the least time that each side has left after moves are taken back, so that nobody's flag falls by it.
    pub const fn min_left_after_takeback(self) -> Millis {
        match self {
            Self::Live => MIN_LEFT_AFTER_TAKEBACK,
            Self::Correspondence => CORRESPONDENCE_MIN_LEFT_AFTER_TAKEBACK,
        }
    }
}
