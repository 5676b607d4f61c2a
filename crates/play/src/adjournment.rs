//! Adjournments: a live match stops by agreement. The side on turn seals its move, which nobody sees until the match is resumed: by
//! correspondence when the opponent comes, or live at a time that both have agreed on.

use super::{ClockRule, Millis, Timestamp};
use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

/// The time control of a match that is resumed by correspondence.
pub const RESUMED_CLOCK: ClockRule = ClockRule::DaysPerMove { days: 3 };

/// The time for which the opponent of a sealed move may stay away, from the seal or from the time agreed on; then the match is lost.
pub const RESUME_TIMEOUT: Millis = Millis::from_hours(14 * 24);

/// The time after the one agreed on in which a match is resumed live, if both come; afterwards it is by correspondence.
pub const LIVE_RESUME_WINDOW: Millis = Millis::from_secs(15 * 60);

/// The time before the one agreed on from which players may come.
pub const LIVE_RESUME_LEAD: Millis = Millis::from_secs(10 * 60);

/// An adjournment. Until the move is sealed the clock of the side on turn runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjournment {
    /// The time at which the match goes on live, if that was agreed on.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_at: Option<Timestamp>,
    /// The side that has sealed its move. Omitted before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed_by: Option<Seat>,
    /// The time at which the match is lost for the other side, if it has not come. Omitted before the move is sealed.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl Adjournment {
    /// Returns whether the match can be resumed live at this time, if both are there.
    pub fn is_live_time(&self, now: Timestamp) -> bool {
        self.resume_at
            .is_some_and(|at| now + LIVE_RESUME_LEAD >= at && now < at + LIVE_RESUME_WINDOW)
    }

    /// Returns whether the opponent of the sealed move can resume the match by correspondence at this time.
    pub fn is_correspondence_time(&self, now: Timestamp) -> bool {
        self.resume_at
            .is_none_or(|at| now >= at + LIVE_RESUME_WINDOW)
    }
}
