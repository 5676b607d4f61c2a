//! Tournaments: their terms, who may enter, and their standings.

use super::{
    Account, MatchId, MissedGame, TieBreakName, TournamentAppointment, TournamentBye, TournamentId,
    TournamentMeeting, TournamentRound, TournamentScore, TournamentSeries,
};
use serde::{Deserialize, Serialize};
use tochki_play::{ClockRule, EncodeError, EncodedEvent, Millis, Timestamp};
use tochki_rules::Setup;

/// The format of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentFormat {
    /// Everybody plays on and on until the time is over.
    Arena,
    /// Rounds in which players of equal scores meet.
    Swiss,
    /// Everybody meets everybody.
    RoundRobin,
    /// Who loses is out.
    Knockout,
}

impl TournamentFormat {
    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Arena => "arena",
            Self::Swiss => "swiss",
            Self::RoundRobin => "round_robin",
            Self::Knockout => "knockout",
        }
    }

    /// Reads a name.
    pub fn read(name: &str) -> Option<Self> {
        let all = [Self::Arena, Self::Swiss, Self::RoundRobin, Self::Knockout];
        all.into_iter().find(|format| format.as_str() == name)
    }
}

/// The state of a tournament.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentState {
    /// It has not begun.
    Open,
    /// It has begun.
    Running,
    /// It is over, and the standings are final.
    Finished,
    /// It does not take place, or was broken off.
    Cancelled,
}

impl TournamentState {
    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Running => "running",
            Self::Finished => "finished",
            Self::Cancelled => "cancelled",
        }
    }

    /// Reads a name.
    pub fn read(name: &str) -> Option<Self> {
        let all = [Self::Open, Self::Running, Self::Finished, Self::Cancelled];
        all.into_iter().find(|state| state.as_str() == name)
    }
}

/// The conditions of entering a tournament.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct EntryConditions {
    /// The least rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_rating: Option<i32>,
    /// The highest rating.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub max_rating: Option<i32>,
    /// The least number of rated games of this kind.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_games: Option<i32>,
    /// The least age of the account in days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub min_age_days: Option<i32>,
    /// Whether a password is asked for.
    #[serde(default)]
    pub password: bool,
    /// Whether guests may enter; then no game is rated.
    #[serde(default)]
    pub guests: bool,
    /// Whether bots may enter. With bots and people no game is rated.
    #[serde(default)]
    pub bots: bool,
}

/// A tournament.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "each is a choice of its own, as in JSON"
)]
pub struct Tournament {
    /// The tournament.
    pub id: TournamentId,
    /// The format.
    pub format: TournamentFormat,
    /// The name.
    pub name: String,
    /// The description, as plain text.
    pub description: String,
    /// The player who made it; `None` once that account is deleted.
    pub creator: Option<Account>,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether games are rated, where the players allow it.
    pub rated: bool,
    /// The duration of an arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<u32>,
    /// The time for the first move of each side; whoever does not make it forfeits.
    #[serde(rename = "first_move_ms")]
    pub first_move: Millis,
    /// Whether games count double after two wins in a row, in an arena.
    pub streaks: bool,
    /// Whether games count that run at the end of an arena.
    pub last_games: bool,
    /// Whether a player of an arena may halve the own clock before the own first move, for a point more.
    #[serde(default)]
    pub berserk: bool,
    /// The conditions of entering.
    pub entry: EntryConditions,
    /// Whether nobody may enter any more.
    pub entries_closed: bool,
    /// The state.
    pub state: TournamentState,
    /// Grows with every change.
    pub version: i64,
    /// The number of players who have entered and not left.
    pub players: u32,
    /// The start.
    pub starts_at: Timestamp,
    /// The end of a running arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ends_at: Option<Timestamp>,
    /// The time from which on nobody is paired in a running arena.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pairing_closes_at: Option<Timestamp>,
    /// The rounds, in a tournament of rounds.
    #[serde(flatten)]
    pub rounds: Option<TournamentRounds>,
    /// The series that it is of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub series: Option<TournamentSeries>,
}

impl Tournament {
    /// Returns whether its rounds take days, which leave time for other tournaments.
    pub fn is_over_days(&self) -> bool {
        self.rounds
            .as_ref()
            .is_some_and(|rounds| rounds.days.is_some())
    }
}

/// The rounds of a Swiss, a round robin or a knockout.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentRounds {
    /// The round that is played or was the last, from 1; 0 before the first.
    pub round: u32,
    /// The number of rounds; `None` where it follows from the number of players, and the first has not begun.
    pub rounds: Option<u32>,
    /// The start of the next round, once it is known.
    pub round_at: Option<Timestamp>,
    /// The time from which on players say that they are here for the next round.
    pub presence_from: Option<Timestamp>,
    /// The seconds from the last game of a round to the next round.
    pub break_seconds: u32,
    /// Whether each pair of a round robin meets twice.
    pub double: bool,
    /// The games that each pair of a knockout plays before a play-off: 1, 2 or 4.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub best_of: Option<u32>,
    /// The days from the start of a round to that of the next one, in a tournament over days: then `round_at` is known as soon as a round
    /// begins. In a round robin of that kind, pairs agree on times.
    #[serde(
        rename = "round_days",
        default,
        skip_serializing_if = "Option::is_none"
    )]
    pub days: Option<u32>,
    /// The result of a game by appointment to which nobody comes, in a round robin over days.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub missed: Option<MissedGame>,
    /// The moves that each side must have made before a draw or a finish is offered.
    pub offers_after: u32,
    /// The tie-breaks of the standings, in the order in which they decide.
    pub tie_breaks: Vec<TieBreakName>,
}

impl TournamentRounds {
    /// Returns whether another round is to come.
    pub fn is_next_to_come(&self) -> bool {
        self.rounds.is_none_or(|rounds| self.round < rounds)
    }

    /// Returns whether the games are played by appointment.
    pub const fn is_by_appointment(&self) -> bool {
        self.missed.is_some()
    }

    /// Returns whether this is the time to say that one is here.
    pub fn asks_presence(&self, now: Timestamp) -> bool {
        self.is_next_to_come() && self.presence_from.is_some_and(|from| now >= from)
    }
}

/// A player in the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentStanding {
    /// The rank, from 1.
    pub rank: u32,
    /// The player.
    pub player: Account,
    /// The score.
    pub score: TournamentScore,
    /// The tie-breaks, in the order of those of the tournament. Omitted in an arena.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tie_breaks: Vec<TournamentScore>,
    /// Whether the next win counts double.
    pub fire: bool,
    /// The number of games in which the player halved the own clock. Omitted if none.
    #[serde(default, skip_serializing_if = "is_none")]
    pub berserks: u32,
    /// The performance rating, once a game has been played.
    pub performance: Option<i64>,
    /// Whether the player is paused or out, and not paired.
    pub paused: bool,
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
const fn is_none(count: &u32) -> bool {
    *count == 0
}

/// A page of the standings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentStandings {
    /// The version of the tournament that they are of.
    pub version: i64,
    /// The number of players.
    pub players: u32,
    /// The rows of the page.
    pub rows: Vec<TournamentStanding>,
}

/// A pairing of two players.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentPairing {
    /// The wave of an arena, or the round, from 1.
    pub round: u32,
    /// The match; `None` where one had left the tournament before.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
    /// The players, the one with the first move in front.
    pub players: [Account; 2],
    /// The winner, 1 or 2, or 0 for a draw; `None` while the match runs.
    pub winner: Option<u8>,
    /// Whether a side did not come.
    pub forfeit: bool,
    /// Whether the result counts; `None` while the match runs, unless it counts for nothing anyway.
    pub counts: Option<bool>,
    /// The points of both players; `None` while the match runs.
    pub points: Option<[TournamentScore; 2]>,
    /// Whether each player halved the own clock, once the match has ended. Omitted if nobody did.
    #[serde(default, skip_serializing_if = "is_nobody")]
    pub berserk: [bool; 2],
}

#[allow(clippy::trivially_copy_pass_by_ref)] // as serde calls it
fn is_nobody(players: &[bool; 2]) -> bool {
    *players == [false; 2]
}

/// A page of the pairings of a tournament, the latest first; of one round in their order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentPairings {
    /// The pairings of the page.
    pub pairings: Vec<TournamentPairing>,
    /// The number of all.
    pub total: u32,
    /// Who has no opponent in the round that was asked for. Omitted if nobody.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub byes: Vec<TournamentBye>,
    /// The games by appointment of the round that was asked for which have not begun. Omitted if none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub to_come: Vec<TournamentMeeting>,
}

/// The state of an entrant.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum EntrantState {
    /// The entrant takes part.
    Here,
    /// The entrant keeps the score, and is not paired: paused in an arena, withdrawn elsewhere.
    Paused,
    /// The entrant left before the start.
    Left,
    /// The entrant was removed.
    Removed,
    /// The entrant stayed away from two games in a row, and is out.
    Out,
    /// The entrant has lost in a knockout.
    Eliminated,
}

impl EntrantState {
    const ALL: [Self; 6] = [
        Self::Here,
        Self::Paused,
        Self::Left,
        Self::Removed,
        Self::Out,
        Self::Eliminated,
    ];

    /// Returns the name in JSON and in the database.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Here => "here",
            Self::Paused => "paused",
            Self::Left => "left",
            Self::Removed => "removed",
            Self::Out => "out",
            Self::Eliminated => "eliminated",
        }
    }

    /// Reads a name.
    pub fn read(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|state| state.as_str() == name)
    }
}

/// The caller in a tournament.
#[expect(clippy::struct_excessive_bools, reason = "these are independent facts")]
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentEntry {
    /// The state; `None` for who has not entered.
    pub state: Option<EntrantState>,
    /// Since when the entrant waits for an opponent; in the future after a pause.
    pub waits_from: Option<Timestamp>,
    /// The row of the standings.
    pub standing: Option<TournamentStanding>,
    /// The running match of the tournament.
    #[serde(rename = "match")]
    pub match_id: Option<MatchId>,
    /// Another tournament that the player has entered and that overlaps with this one.
    pub clash: Option<TournamentLink>,
    /// Whether the caller may remove players, close the entries and cancel the tournament.
    pub may_manage: bool,
    /// Whether the caller is an operator, who may let the tournament repeat.
    #[serde(default)]
    pub may_repeat: bool,
    /// Whether the caller counts as here for the next round, also without a page of the tournament.
    #[serde(default)]
    pub here: bool,
    /// The round in which the caller has asked not to be paired, or has had such a bye.
    #[serde(default)]
    pub bye_round: Option<u32>,
    /// The time until which the caller enters no Swiss, after having stayed away from games.
    #[serde(default)]
    pub no_swiss_until: Option<Timestamp>,
    /// Whether the caller has asked to be reminded before the start. Who has entered is reminded also without.
    #[serde(default)]
    pub reminder: bool,
    /// The time until which the caller chooses a side for the last game of a pair of a knockout.
    #[serde(default)]
    pub choose_by: Option<Timestamp>,
    /// The game of the caller in the round that runs, before it begins, where games are played by appointment.
    #[serde(default)]
    pub appointment: Option<TournamentAppointment>,
}

/// A tournament by its name.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentLink {
    /// The tournament.
    pub id: TournamentId,
    /// The name.
    pub name: String,
}

/// `joined {player}`, `left {player}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentPlayer {
    /// The player.
    pub player: Account,
}

/// `paired {match, players, round}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PlayersPaired {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The players, the one with the first move in front.
    pub players: [Account; 2],
    /// The wave of an arena, or the round, from 1.
    pub round: u32,
}

/// `result {match, winner, forfeit}`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct TournamentResult {
    /// The match.
    #[serde(rename = "match")]
    pub match_id: MatchId,
    /// The winner, 1 or 2, or 0 for a draw; `None` if nothing was decided.
    pub winner: Option<u8>,
    /// Whether a side did not come.
    pub forfeit: bool,
}

/// `standings {version, players, top}`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct StandingsTop {
    /// The version of the tournament that they are of.
    pub version: i64,
    /// The number of players.
    pub players: u32,
    /// The first rows.
    pub top: Vec<TournamentStanding>,
}

/// An event of the stream of a tournament. The first is always the snapshot, and the second the standings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub enum TournamentEvent {
    /// The tournament: on connecting, and when its state or its times have changed.
    Snapshot(Box<Tournament>),
    /// A player has entered, or has come back before the start.
    Joined(TournamentPlayer),
    /// A player has left before the start, or was removed.
    Left(TournamentPlayer),
    /// Two players were paired.
    Paired(PlayersPaired),
    /// A match has ended.
    Result(TournamentResult),
    /// A round has begun, or all its games have ended.
    Round(TournamentRound),
    /// The standings have changed: one event a second at most.
    Standings(StandingsTop),
    /// The tournament is over, or was cancelled.
    Finished(TournamentLink),
}

impl TournamentEvent {
    /// Encodes the event as a name and a JSON body.
    ///
    /// # Errors
    ///
    /// If the event cannot be written as JSON, which would be a bug.
    pub fn encode(&self) -> Result<EncodedEvent, EncodeError> {
        EncodedEvent::of(self)
    }
}
