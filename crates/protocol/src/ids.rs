//! Ids: each is a type of its own, and a plain number in JSON.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

macro_rules! number_id {
    ($(#[$doc:meta])* $name:ident) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
        #[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
        #[serde(transparent)]
        pub struct $name(pub i64);

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                self.0.fmt(f)
            }
        }

        impl FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                text.parse().map(Self)
            }
        }
    };
}

number_id!(
    /// A player, for as long as the account lives.
    PlayerId
);
number_id!(
    /// A match, running or finished.
    MatchId
);
number_id!(
    /// A challenge from one player to another.
    ChallengeId
);
number_id!(
/// A chat message.
    MessageId
);
number_id!(
    /// A message that a player has reported.
    ReportId
);
number_id!(
    /// An open table that waits for players.
    TableId
);
number_id!(
    /// A tournament.
    TournamentId
);
number_id!(
    /// A league.
    LeagueId
);
number_id!(
    /// A puzzle.
    PuzzleId
);
number_id!(
    /// A notification.
    NotificationId
);
number_id!(
    /// A game against the computer that a player keeps.
    ComputerGameId
);
