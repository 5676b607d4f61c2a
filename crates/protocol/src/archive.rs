//! Archive of finished games for programs, as JSON lines.

use super::{Code, MatchId};
use serde::Serialize;
use tochki_play::{Reason, Timestamp};
use tochki_rules::{Seat, Setup};

/// A line of the archive.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(untagged)]
pub enum ArchiveLine {
    /// A game.
    Game(ArchivedGame),
    /// Placeholder for a game whose record is broken.
    Broken(BrokenGame),
}

/// A finished game in the format of `tochki replay`, with its metadata.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ArchivedGame {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The moves in their text form.
    pub moves: Vec<String>,
    /// The seat of each move.
    pub seats: Vec<Seat>,
    /// The names of seat 1 and seat 2.
    pub players: [String; 2],
    /// When the match started.
    pub started_at: Timestamp,
    /// The seat that won; 0 for a draw.
    pub winner: u8,
    /// The reason of the end.
    pub reason: Option<Reason>,
}

/// A game whose record is broken.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct BrokenGame {
    /// The match.
    #[serde(rename = "match")]
    pub id: MatchId,
    /// [`Code::BrokenRecord`].
    pub code: Code,
    /// A sentence in English.
    pub message: &'static str,
}
