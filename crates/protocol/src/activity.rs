//! Activity of the arena, for operators: present players and running matches. Notices of annulled matches, for players.

use super::{Account, MatchId, PlayerCard, TableId};
use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;
use tochki_rules::GameKind;

/// Location of a player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum PlayerLocation {
    /// In the waiting room of a game.
    WaitingRoom(GameKind),
    /// At an open table.
    Table(TableId),
    /// At a match as a player.
    Playing(MatchId),
    /// At a match as a spectator.
    Watching(MatchId),
}

/// A player at a place. A player at several places is listed at each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresentPlayer {
    /// Who.
    pub player: Account,
    /// Where.
    pub place: PlayerLocation,
    /// Since when.
    pub since: Timestamp,
}

/// A running match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningMatch {
    /// The match.
    pub id: MatchId,
    /// Which game.
    pub game: GameKind,
    /// Whether it is rated.
    pub rated: bool,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
    /// Points of both seats.
    pub score: [u32; 2],
    /// How many moves were made, without those taken back.
    pub moves: u32,
    /// When it started.
    pub started_at: Timestamp,
    /// Since when each player is away.
    pub gone_at: [Option<Timestamp>; 2],
}

/// Present players and running matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// A page of those who are here, the latest first.
    pub people: Vec<PresentPlayer>,
    /// Whether there are more pages of them.
    pub more_people: bool,
    /// How many players are here.
    pub people_count: u32,
    /// A page of the running matches of all games, the oldest first.
    pub matches: Vec<RunningMatch>,
    /// Whether there are more pages of them.
    pub more_matches: bool,
    /// How many matches run.
    pub match_count: u32,
}

/// A rated match of a player that an operator has annulled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnulmentNotice {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Which game.
    pub game: GameKind,
    /// The opponent's name.
    pub opponent: String,
    /// The player's rating before.
    pub before: f64,
    /// The player's rating after.
    pub after: f64,
    /// When it was annulled.
    pub at: Timestamp,
}
