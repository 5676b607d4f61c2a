//! Activity of the arena, for operators: present players and running matches. Notices of annulled matches, for players.

use super::{Account, MatchId, PlayerCard, TableId, TournamentId};
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
    /// At the page of a tournament.
    Tournament(TournamentId),
}

/// A player at a place. A player at several places is listed at each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PresentPlayer {
    /// The player.
    pub player: Account,
    /// The place.
    pub place: PlayerLocation,
    /// Since when the player is there.
    pub since: Timestamp,
}

/// A running match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RunningMatch {
    /// The match.
    pub id: MatchId,
    /// The game.
    pub game: GameKind,
    /// Whether the match is rated.
    pub rated: bool,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
    /// Points of both seats.
    pub score: [u32; 2],
    /// The number of moves, without those taken back.
    pub moves: u32,
    /// When the match started.
    pub started_at: Timestamp,
    /// Since when each player is away.
    pub gone_at: [Option<Timestamp>; 2],
}

/// Present players and running matches.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Activity {
    /// A page of the present players, the latest first.
    pub people: Vec<PresentPlayer>,
    /// Whether there are more pages of players.
    pub more_people: bool,
    /// The number of present players.
    pub people_count: u32,
    /// A page of the running matches of all games, the oldest first.
    pub matches: Vec<RunningMatch>,
    /// Whether there are more pages of matches.
    pub more_matches: bool,
    /// The number of running matches.
    pub match_count: u32,
}

/// A rated match of a player that an operator has annulled.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct AnnulmentNotice {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The game.
    pub game: GameKind,
    /// The opponent's name.
    pub opponent: String,
    /// The player's rating before.
    pub before: f64,
    /// The player's rating after.
    pub after: f64,
    /// When the match was annulled.
    pub at: Timestamp,
}
