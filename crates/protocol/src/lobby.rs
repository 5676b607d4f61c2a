//! The waiting room: players, challenges, running matches and tables, and the events that change them.

use super::json::{self, DecodeError};
use super::{ChallengeId, Code, MatchId, PlayerCard, PlayerId, ResultCounts, Table, TableClosed};
use serde::{Deserialize, Serialize};
use std::ops::RangeInclusive;
use tochki_play::{ClockRule, EncodeError, EncodedEvent, Timestamp};
use tochki_rules::{GameKind, Seat, Setup};

/// An open challenge.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Challenge {
    /// The challenge.
    pub id: ChallengeId,
    /// The challenger, who will have seat 1.
    pub from: PlayerCard,
    /// The challenged player.
    pub to: PlayerCard,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether the match would be rated.
    pub rated: bool,
    /// When the challenge expires.
    pub expires_at: Timestamp,
}

/// The reason why a challenge ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum CloseReason {
    /// The challenged player accepted, or had sent the same challenge.
    Accepted,
    /// The challenged player declined.
    Declined,
    /// The challenger cancelled the challenge.
    Cancelled,
    /// Nobody answered within [`CHALLENGE_TIMEOUT`](crate::limits::CHALLENGE_TIMEOUT).
    Expired,
    /// One of the two started another match.
    Busy,
    /// One of the two left the waiting room.
    Left,
    /// The match would differ from the agreed one: rated or not, or with a player under another name.
    TermsChanged,
}

impl CloseReason {
    const ALL: [Self; 7] = [
        Self::Accepted,
        Self::Declined,
        Self::Cancelled,
        Self::Expired,
        Self::Busy,
        Self::Left,
        Self::TermsChanged,
    ];

    /// Parses the name.
    pub fn parse(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|why| why.as_str() == name)
    }

    /// The name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Accepted => "accepted",
            Self::Declined => "declined",
            Self::Cancelled => "cancelled",
            Self::Expired => "expired",
            Self::Busy => "busy",
            Self::Left => "left",
            Self::TermsChanged => "terms_changed",
        }
    }
}

/// The outcome of a challenge, for pages without an event stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeOutcome {
    /// The challenge.
    pub challenge: Challenge,
    /// The reason of its end.
    pub why: CloseReason,
}

/// A running match in a list.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchSummary {
    /// The match.
    pub id: MatchId,
    /// The game.
    pub game: GameKind,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
    /// Points of both seats.
    pub score: [u32; 2],
    /// The played part of the board, in percent: 0 to 100.
    pub progress: u8,
    /// When the match started.
    pub started_at: Timestamp,
}

/// A match that has ended, as a waiting room lists it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct FinishedSummary {
    /// The match.
    pub id: MatchId,
    /// Seat 1, seat 2, with their ratings at the start.
    pub players: [PlayerCard; 2],
    /// Points of both seats.
    pub score: [u32; 2],
    /// The winner; `null` for a draw.
    pub winner: Option<Seat>,
    /// When the match ended.
    pub finished_at: Timestamp,
}

/// `just_finished {matches}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct JustFinished {
    /// The last matches that ended, latest first.
    pub matches: Vec<FinishedSummary>,
}

/// A player in a waiting room: the card that others see, and the player's results in its game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a field of the JSON, and says something of its own"
)]
pub struct WaitingPlayer {
    /// The player.
    pub id: PlayerId,
    /// The name as the player wrote it.
    pub name: String,
    /// Elo in this game.
    pub rating: f64,
    /// Whether they are a guest, who has no ratings. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub guest: bool,
    /// Whether the rating is of fewer than [`RANKED_MATCHES`](crate::limits::RANKED_MATCHES) rated matches, or of fewer opponents
    /// than [`RANKED_OPPONENTS`](crate::limits::RANKED_OPPONENTS). Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub provisional: bool,
    /// Whether an engine plays for them. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub bot: bool,
    /// All finished matches of the game, rated or not. Omitted before the first.
    #[serde(default, skip_serializing_if = "ResultCounts::is_empty")]
    pub results: ResultCounts,
    /// The quick game that the player waits for. Omitted if there is none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub quick_game: Option<QuickGame>,
    /// Whether others do not see the player in the room, because of the guests of one address only
    /// [`GUESTS_LISTED_BY_ADDRESS`](crate::limits::GUESTS_LISTED_BY_ADDRESS) are listed. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unlisted: bool,
    /// Whether the player is not in the room, but has the page of a match of this game open that ended lately, and can be challenged
    /// there. Omitted if false.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub just_finished: bool,
}

/// The terms under which a player plays the first opponent who asks for the same.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuickGame {
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether the match is rated.
    pub rated: bool,
    /// The bounds of the opponent's rating. Omitted without any.
    #[serde(flatten)]
    pub ratings: RatingBounds,
    /// Since when the player waits.
    pub since: Timestamp,
}

/// The bounds of the rounded rating of an opponent, both included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct RatingBounds {
    /// The least.
    #[serde(
        default,
        rename = "min_rating",
        skip_serializing_if = "Option::is_none"
    )]
    pub min: Option<i32>,
    /// The highest.
    #[serde(
        default,
        rename = "max_rating",
        skip_serializing_if = "Option::is_none"
    )]
    pub max: Option<i32>,
}

impl RatingBounds {
    /// The ratings that may be bounds.
    pub const RANGE: RangeInclusive<i32> = 0..=9999;

    /// Returns these bounds, unless they admit no rating.
    ///
    /// # Errors
    /// `invalid_filter`.
    pub fn new(min: Option<i32>, max: Option<i32>) -> Result<Self, Code> {
        match (min, max) {
            (Some(min), Some(max)) if min > max => Err(Code::InvalidFilter),
            _ => Ok(Self { min, max }),
        }
    }

    /// Returns whether there are any.
    pub const fn are_set(self) -> bool {
        self.min.is_some() || self.max.is_some()
    }

    /// Returns whether a rating is within them; a guest has none, and `None` is within no bounds.
    pub fn contain(self, rating: Option<f64>) -> bool {
        let Some(rating) = rating else {
            return !self.are_set();
        };
        let rating = rating.round();
        self.min.is_none_or(|min| rating >= f64::from(min))
            && self.max.is_none_or(|max| rating <= f64::from(max))
    }
}

/// The answer to a request for a quick game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct QuickGameAnswer {
    /// The match; `null` while nobody wants the same.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
}

/// A waiting room as one player sees it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct WaitingRoom {
    /// The waiting players, ascending by rating.
    pub players: Vec<WaitingPlayer>,
    /// Open challenges to and from this player.
    pub challenges: Vec<Challenge>,
    /// Running matches, newest first.
    pub matches: Vec<MatchSummary>,
    /// Open tables with a free seat, oldest first.
    pub tables: Vec<Table>,
    /// The last [`JUST_FINISHED_LEN`](crate::limits::JUST_FINISHED_LEN) matches that ended, latest first; none that was aborted.
    #[serde(default)]
    pub finished: Vec<FinishedSummary>,
}

/// `left {id}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayerLeft {
    /// The player.
    pub id: PlayerId,
}

/// `challenge_closed {id, why}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ChallengeClosed {
    /// The challenge.
    pub id: ChallengeId,
    /// The reason of its end.
    pub why: CloseReason,
}

/// `match_started {match, game, players}`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchStarted {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The game.
    pub game: GameKind,
    /// Seat 1, seat 2.
    pub players: [PlayerCard; 2],
}

/// `match_finished {match}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchFinished {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
}

/// The score of a running match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MatchScore {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// Points of both seats.
    pub score: [u32; 2],
    /// The played part of the board, in percent: 0 to 100.
    pub progress: u8,
}

/// `scores {matches}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Scores {
    /// The matches whose score or progress has changed.
    pub matches: Vec<MatchScore>,
}

/// An event of a waiting room's stream. The first event of a stream is always the snapshot.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum LobbyEvent {
    /// The whole waiting room, on connecting.
    Snapshot(WaitingRoom),
    /// A player came, or their rating or results changed.
    Joined(WaitingPlayer),
    /// A player left.
    Left(PlayerLeft),
    /// A challenge from or to this player.
    Challenged(Challenge),
    /// A challenge ended.
    ChallengeClosed(ChallengeClosed),
    /// A match started; a page whose player is in it goes to the match.
    MatchStarted(MatchStarted),
    /// A match ended.
    MatchFinished(MatchFinished),
    /// The last matches that ended, when there is another one.
    JustFinished(JustFinished),
    /// The scores of running matches, at most once in [`SCORES_INTERVAL`](crate::limits::SCORES_INTERVAL).
    Scores(Scores),
    /// A table was opened or changed.
    Table(Table),
    /// A table was closed, or is no longer listed.
    TableClosed(TableClosed),
    /// Nothing has changed for [`STREAM_HEARTBEAT_INTERVAL`](crate::limits::STREAM_HEARTBEAT_INTERVAL). A page that gets not
    /// even this has lost its connection.
    Heartbeat {},
}

impl LobbyEvent {
    /// Encodes the event as a name and a JSON body.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self)
    }

    /// Decodes an event from its name and body.
    ///
    /// # Errors
    ///
    /// If no event has this name, or the body is not that of such an event.
    pub fn read(name: &str, body: &str) -> Result<Self, DecodeError> {
        json::read_event(name, body)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{SeatedPlayer, TableId};

    fn table() -> Table {
        let creator = PlayerCard {
            id: PlayerId(7),
            name: "Ann".into(),
            rating: 1612.5,
            guest: false,
            provisional: true,
            bot: false,
        };
        Table {
            id: TableId(5),
            name: "After \"work\"".into(),
            link: "0123456789".parse().unwrap(),
            setup: GameKind::Gomoku.default_setup(),
            clock: "300+5".parse().unwrap(),
            rated: true,
            agreement: "0123456789abcdef".into(),
            min_rating: None,
            max_rating: None,
            terms_changed: false,
            seats: [
                None,
                Some(SeatedPlayer {
                    id: creator.id,
                    name: creator.name.clone(),
                    rating: creator.rating,
                    guest: false,
                    provisional: false,
                    bot: false,
                    ready: true,
                }),
            ],
            creator,
            match_id: None,
            closed: false,
        }
    }

    #[test]
    fn an_open_table_is_encoded_as_documented() {
        let json = serde_json::to_value(table()).unwrap();
        let expected = serde_json::json!({
            "id": 5, "name": "After \"work\"", "link": "0123456789", "game": "gomoku",
            "setup": {"size": 19, "rule": "freestyle"}, "clock": "300+5", "rated": true, "agreement": "0123456789abcdef",
            "creator": {"id": 7, "name": "Ann", "rating": 1612.5, "provisional": true},
            "seats": [null, {"id": 7, "name": "Ann", "rating": 1612.5, "guest": false, "ready": true}],
        });
        assert_eq!(json, expected);
    }

    #[test]
    fn events_are_decoded_from_name_and_body() {
        let events = [
            LobbyEvent::Snapshot(WaitingRoom::default()),
            LobbyEvent::Left(PlayerLeft { id: PlayerId(7) }),
            LobbyEvent::ChallengeClosed(ChallengeClosed {
                id: ChallengeId(3),
                why: CloseReason::Busy,
            }),
            LobbyEvent::MatchFinished(MatchFinished {
                match_id: MatchId(4),
            }),
            LobbyEvent::JustFinished(JustFinished {
                matches: vec![FinishedSummary {
                    id: MatchId(4),
                    players: [table().creator, table().creator],
                    score: [3, 5],
                    winner: Some(Seat::Second),
                    finished_at: Timestamp(9),
                }],
            }),
            LobbyEvent::Scores(Scores {
                matches: vec![MatchScore {
                    match_id: MatchId(4),
                    score: [3, 5],
                    progress: 40,
                }],
            }),
            LobbyEvent::Table(table()),
            LobbyEvent::TableClosed(TableClosed { id: TableId(5) }),
            LobbyEvent::Heartbeat {},
        ];
        for event in events {
            let EncodedEvent { name, body } = event.encode().unwrap();
            assert_eq!(LobbyEvent::read(name, &body).unwrap(), event);
        }
    }
}
