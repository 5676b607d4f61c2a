//! Leagues: their seasons, their divisions, and who has won them.

use super::{Account, LeagueId, TournamentId, TournamentStanding, TournamentState};
use serde::{Deserialize, Serialize};
use tochki_play::{ClockRule, Timestamp};
use tochki_rules::Setup;

/// A league.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct League {
    /// The league.
    pub id: LeagueId,
    /// The name.
    pub name: String,
    /// `game` and `setup`.
    #[serde(flatten)]
    pub setup: Setup,
    /// The clock.
    pub clock: ClockRule,
    /// Whether games are rated.
    pub rated: bool,
    /// The season that runs or was the last, from 1; 0 before the first.
    pub season: u32,
    /// The earliest start of the next season, which also waits for the end of the last one.
    pub next_at: Timestamp,
    /// Whether no season will begin any more.
    pub ended: bool,
    /// The number of members.
    pub members: u32,
}

/// A division of a season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueDivision {
    /// The division; 1 is the highest.
    pub division: u32,
    /// Its tournament, a double round robin over days.
    pub tournament: TournamentId,
    /// The state of the tournament.
    pub state: TournamentState,
    /// The standings.
    pub rows: Vec<TournamentStanding>,
}

/// The winner of the first division of a season.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueTitle {
    /// The league.
    pub league: LeagueId,
    /// The name of the league.
    pub name: String,
    /// The season.
    pub season: u32,
    /// The player.
    pub player: Account,
}

/// A league with the divisions of its season.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct LeagueOverview {
    /// The league.
    #[serde(flatten)]
    pub league: League,
    /// The divisions of the season that runs or was the last, the highest first.
    pub divisions: Vec<LeagueDivision>,
    /// The members who are in none of them, in the order of joining: they enter the next season at the bottom.
    pub newcomers: Vec<Account>,
    /// The winners of the first division, the latest first.
    pub titles: Vec<LeagueTitle>,
    /// Whether the caller is a member.
    pub member: bool,
    /// Whether the caller is an operator, who may end the league.
    pub may_manage: bool,
}
