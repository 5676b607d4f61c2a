//! Rounds of tournaments: their states, rounds without an opponent, and the tie-breaks of their standings.

use super::{Account, TournamentId, TournamentScore};
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// A tie-break: what orders players of equal scores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TieBreakName {
    /// The sum of the opponents' scores, without the lowest.
    BuchholzCut1,
    /// The sum of the opponents' scores.
    Buchholz,
    /// The sum of the opponents' scores, without the lowest and the highest.
    MedianBuchholz,
    /// The sum of the scores of beaten opponents, and half of those with whom there was a draw.
    SonnebornBerger,
    /// The points in games against those who are tied.
    Direct,
    /// The number of games won.
    Wins,
    /// The sum of the own discs.
    Discs,
}

/// The state of a round.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum RoundState {
    /// Its games are played.
    Running,
    /// All its games have ended.
    Finished,
}

/// The kind of a round without an opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum ByeKind {
    /// The number of players was odd: one point.
    Pairing,
    /// As the player had asked: half a point.
    Requested,
    /// Before the player entered: half a point, once.
    Late,
    /// The player was not there.
    Absent,
    /// In a round robin of an odd number, or after the opponent has left: no points.
    Free,
}

impl ByeKind {
    const ALL: [Self; 5] = [
        Self::Pairing,
        Self::Requested,
        Self::Late,
        Self::Absent,
        Self::Free,
    ];

    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pairing => "pairing",
            Self::Requested => "requested",
            Self::Late => "late",
            Self::Absent => "absent",
            Self::Free => "free",
        }
    }

    /// Reads a name.
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// Returns the half points.
    pub const fn halves(self) -> u32 {
        match self {
            Self::Pairing => 2,
            Self::Requested | Self::Late => 1,
            Self::Absent | Self::Free => 0,
        }
    }
}

/// A round of a player without an opponent.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentBye {
    /// The player.
    pub player: Account,
    /// The kind.
    pub kind: ByeKind,
    /// The points.
    pub points: TournamentScore,
}

/// `round {number, state}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentRound {
    /// The round, from 1.
    pub number: u32,
    /// The state.
    pub state: RoundState,
}

/// `round_soon {tournament, at}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RoundSoon {
    /// The tournament.
    pub tournament: TournamentId,
    /// The start of the round.
    pub at: Timestamp,
}
