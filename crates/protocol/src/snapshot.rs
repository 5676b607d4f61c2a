//! A match as it travels: the snapshot that its events continue.

use super::{MatchId, MatchStatus, PlayerCard};
use serde::{Deserialize, Serialize};
use tochki_play::{ClockReading, ClockRule, Match, MatchResult, Offer, Timestamp};
use tochki_rules::{Seat, Setup};

/// Everything a client needs to show a match and to go on from `version`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Snapshot {
    /// The match.
    pub id: MatchId,
    /// The version of the last event in it; 0 before the first.
    pub version: u32,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub time_control: ClockRule,
    /// Whether it counts.
    pub rated: bool,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
    /// The moves in their text form.
    pub moves: Vec<String>,
    /// Who made each of them.
    pub seats: Vec<Seat>,
    /// Who moves; nobody after the end.
    pub to_move: Option<Seat>,
    /// Points of both seats.
    pub score: [u32; 2],
    /// What the clocks show; nothing where the match has none.
    pub clock: Option<ClockReading>,
    /// The open offer.
    pub offer: Option<Offer>,
    /// Whether each player has a stream open on this match.
    pub present: [bool; 2],
    /// Since when each player has been away, once that is long enough to be told.
    pub gone_at: [Option<Timestamp>; 2],
    /// How many watch.
    pub watching: u32,
    /// Who has asked for another match.
    pub rematch: [bool; 2],
    /// The match that came of it.
    pub next_match: Option<MatchId>,
    /// The server's time when this was read, by which clients tell how far their own clock is off. Only where it is asked
    /// for, so that a match in which nothing happens looks the same twice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub now: Option<Timestamp>,
    /// `running` or `finished`.
    pub status: Status,
    /// The result, once finished.
    pub result: Option<MatchResult>,
}

/// Whether a match still goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Status {
    /// Moves are awaited.
    Running,
    /// It has a result.
    Finished,
}

impl Snapshot {
    /// What goes on round it.
    pub fn around(&self) -> MatchStatus {
        MatchStatus {
            gone_at: self.gone_at,
            watching: self.watching,
            rematch: self.rematch,
            next_match: self.next_match,
        }
    }

    /// What a match looks like from outside.
    pub fn of(
        id: MatchId,
        game: &Match,
        players: [PlayerCard; 2],
        present: [bool; 2],
        around: &MatchStatus,
    ) -> Self {
        let terms = game.terms();
        Self {
            id,
            version: game.version(),
            setup: terms.setup,
            time_control: terms.clock,
            rated: terms.rated,
            players,
            moves: game.plies().iter().map(|ply| ply.mv.to_string()).collect(),
            seats: game.plies().iter().map(|ply| ply.seat).collect(),
            to_move: game.to_move(),
            score: game.score(),
            clock: game.clock(),
            offer: game.offer(),
            present,
            gone_at: around.gone_at,
            watching: around.watching,
            rematch: around.rematch,
            next_match: around.next_match,
            now: None,
            status: if game.result().is_some() {
                Status::Finished
            } else {
                Status::Running
            },
            result: game.result().cloned(),
        }
    }
}
