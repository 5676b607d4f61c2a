//! Profiles, standings and histories: plain HTML rendered by the server, without islands.

mod history;
mod profile;
mod standings;
pub(crate) use history::HistoryPage;
pub(crate) use profile::ProfilePage;
pub(crate) use standings::{GameStandingsPage, StandingsPage};
mod finished_games;
mod pager;
mod rating_graph;
mod result_counts;
mod standings_table;

pub(crate) use finished_games::{FinishedGames, outcome};
pub(crate) use pager::Pager;
pub(crate) use rating_graph::RatingGraph;
pub(crate) use result_counts::{GameStatsTable, HeadToHead, ResultsByColour, streak};
pub(crate) use standings_table::{StandingsTable, TopPlayers};
