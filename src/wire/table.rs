//! A match as it travels: the snapshot, and the events that continue it.

use super::{MatchId, PlayerCard};
use crate::play::{ClockReading, ClockRule, Match, MatchResult};
use crate::rules::{Seat, Setup};
use serde::{Deserialize, Serialize};

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
    /// The open offer. None can be made yet; the field is part of the contract.
    pub offer: Option<()>,
    /// Whether each player has a stream open on this match.
    pub present: [bool; 2],
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
    /// What a match looks like from outside.
    pub fn of(id: MatchId, game: &Match, players: [PlayerCard; 2], present: [bool; 2]) -> Self {
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
            offer: None,
            present,
            status: if game.result().is_some() {
                Status::Finished
            } else {
                Status::Running
            },
            result: game.result().cloned(),
        }
    }
}
