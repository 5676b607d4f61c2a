//! The terms of a match: game, setup, time control, rated or not.

use super::ClockRule;
use serde::{Deserialize, Serialize};
use tochki_rules::Setup;

/// Game and setup, clock, and whether it counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Terms {
    /// Which game, on which board.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub clock: ClockRule,
    /// Whether both ratings change by it.
    pub rated: bool,
}
