//! The conditions of tournaments, as an error names the one that a player does not meet.

use serde::{Deserialize, Serialize};

/// A condition of entering a tournament, or of making one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntryCondition {
    /// The rating is below the least one.
    MinRating,
    /// The rating is above the highest one.
    MaxRating,
    /// Too few rated games.
    MinGames,
    /// The account is too new.
    MinAgeDays,
    /// Guests may not enter.
    Guests,
    /// Bots may not enter, or not any more: games that are rated would not be.
    Bots,
    /// People may not enter any more a rated tournament in which bots alone play.
    People,
    /// The player has stayed away from games of a Swiss lately.
    NoShows,
    /// The player was removed.
    Removed,
}

impl EntryCondition {
    /// Returns a sentence in English.
    pub const fn message(self) -> &'static str {
        match self {
            Self::MinRating => "Your rating is below the least one of this tournament.",
            Self::MaxRating => "Your rating is above the highest one of this tournament.",
            Self::MinGames => "You have played too few rated games.",
            Self::MinAgeDays => "Your account is too new.",
            Self::Guests => "This is not for guests.",
            Self::Bots => "This is not for bots.",
            Self::People => "Bots alone play in this tournament.",
            Self::NoShows => "You have stayed away from games of a Swiss lately.",
            Self::Removed => "You were removed from this tournament.",
        }
    }
}
