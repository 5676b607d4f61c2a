//! *Your games*: the running matches of a player.

use super::{Account, MatchId, PlayerCard};
use serde::{Deserialize, Serialize};
use tochki_play::{Adjournment, ClockRule, Offer, Timestamp};
use tochki_rules::{Seat, Setup};

/// The running matches of a player: first those in which it is the player's turn, by the time left.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnGames {
    /// The matches.
    pub games: Vec<OwnGame>,
    /// The requests for a rematch by correspondence that wait for an answer. Omitted without any.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rematches: Vec<RematchRequest>,
    /// The server's time when they were read.
    pub now: Timestamp,
}

/// A running match from the side of one of its players.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnGame {
    /// The match.
    pub id: MatchId,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub time_control: ClockRule,
    /// Whether the match is rated.
    pub rated: bool,
    /// The seat of the player.
    pub seat: Seat,
    /// The opponent, with the rating at the start.
    pub opponent: PlayerCard,
    /// The moves in their text form.
    pub moves: Vec<String>,
    /// The seat of each move.
    pub seats: Vec<Seat>,
    /// Points of both seats.
    pub score: [u32; 2],
    /// The seat that is to move, or to resume the match after a sealed move.
    pub to_move: Seat,
    /// The adjournment of a live match, until it is resumed. Omitted without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub adjournment: Option<Adjournment>,
    /// The open offer. Omitted without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub offer: Option<Offer>,
    /// The time at which something happens by itself: a flag falls, a move is overdue, or an offer ends.
    pub deadline_at: Option<Timestamp>,
    /// When the opponent's vacation ends at the latest, in which their clock stands still. Omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub opponent_vacation_until: Option<Timestamp>,
    /// The time of the last event; the start before there is one.
    pub changed_at: Timestamp,
    /// The start of the match.
    pub started_at: Timestamp,
}

impl OwnGame {
    /// Returns whether it is the player's turn.
    pub fn is_on_turn(&self) -> bool {
        self.to_move == self.seat
    }
}

/// A request for a rematch by correspondence that waits for the other player.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RematchRequest {
    /// The match that has ended.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The time control.
    pub time_control: ClockRule,
    /// Whether the rematch is to be rated.
    pub rated: bool,
    /// The opponent.
    pub opponent: Account,
    /// Whether the player has asked, and the opponent has not; else the opponent has.
    #[serde(rename = "mine")]
    pub is_mine: bool,
}

/// The numbers of running matches of a player.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OwnGamesCount {
    /// All of them.
    pub running: u32,
    /// Those by correspondence in which it is the player's turn.
    pub on_turn: u32,
}
