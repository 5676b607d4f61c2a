//! Games against the computer that a player keeps.

use super::ComputerGameId;
use serde::{Deserialize, Serialize};
use tochki_play::{MatchResult, Timestamp};
use tochki_rules::{Seat, Setup};

/// A finished game against the computer in the list of its player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputerGameEntry {
    /// The game.
    pub id: ComputerGameId,
    /// The game and its board.
    #[serde(flatten)]
    pub setup: Setup,
    /// The level of the computer, 1 to 8.
    pub level: u8,
    /// The player's seat.
    pub seat: Seat,
    /// The result.
    pub result: MatchResult,
    /// The final score.
    pub score: [u32; 2],
    /// When the game began, as the browser says.
    pub started_at: Timestamp,
    /// When the game ended, as the browser says.
    pub finished_at: Timestamp,
}

/// A finished game against the computer with its moves.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct KeptComputerGame {
    /// The game without its moves.
    pub game: ComputerGameEntry,
    /// The moves.
    pub moves: Vec<String>,
    /// The seat of each move.
    pub seats: Vec<Seat>,
}

/// A page of a player's games against the computer, the latest first.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComputerGamePage {
    /// The games on this page.
    pub games: Vec<ComputerGameEntry>,
    /// The number of this page, from 1.
    pub page: u32,
    /// The number of pages, at least 1.
    pub pages: u32,
    /// The number of games on all pages.
    pub total: u32,
}
