//! Games of a round robin by appointment: who meets whom, the times that are proposed, and the one that is agreed on.

use super::Account;
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// The result of a game by appointment to which nobody comes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum MissedGame {
    /// Half a point each.
    #[default]
    Half,
    /// A point for one of them, drawn by lot.
    Lot,
}

impl MissedGame {
    /// Returns the name in JSON, in forms and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Half => "half",
            Self::Lot => "lot",
        }
    }

    /// Reads a name.
    pub fn read(name: &str) -> Option<Self> {
        let all = [Self::Half, Self::Lot];
        all.into_iter().find(|missed| missed.as_str() == name)
    }
}

/// A game of the round that runs which has not begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentMeeting {
    /// The players, the one with the first move in front.
    pub players: [Account; 2],
    /// The time on which both have agreed.
    pub at: Option<Timestamp>,
}

/// The game of the caller in the round that runs, as long as it has not begun.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentAppointment {
    /// The opponent.
    pub opponent: Account,
    /// The time on which both have agreed.
    pub at: Option<Timestamp>,
    /// The times to come that the caller has proposed, the earliest first.
    pub own: Vec<Timestamp>,
    /// The times to come that the opponent has proposed, the earliest first.
    pub theirs: Vec<Timestamp>,
    /// The end of the round: the latest time that may be proposed.
    pub until: Timestamp,
    /// Whether the caller counts as having come to the game.
    pub here: bool,
}
