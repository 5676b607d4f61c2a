//! The terms of a match: game, setup, time control, rated or not.

use super::{ClockRule, Pace};
use serde::{Deserialize, Serialize};
use tochki_rules::Setup;

/// Game and setup, time control, and whether the match is rated.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// The game and its setup.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub clock: ClockRule,
    /// Whether the match changes both ratings.
    pub rated: bool,
}

impl Terms {
    /// Returns the pace, which the time control decides.
    pub const fn pace(&self) -> Pace {
        self.clock.pace()
    }

    /// Returns whether the match is one by correspondence.
    pub const fn is_correspondence(&self) -> bool {
        matches!(self.pace(), Pace::Correspondence)
    }
}
