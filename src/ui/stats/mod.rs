//! What the club's pages are made of: rows of players and of past games, graphs of ratings, ways to other pages. All of it
//! is drawn by the server.

mod history;
mod profile;
mod standings;
pub(crate) use history::History;
pub(crate) use profile::Profile;
pub(crate) use standings::{Standings, StandingsOf};
mod graph;
mod pager;
mod past;
mod placed;
mod sheet;
mod tallies;

pub(crate) use graph::RatingGraph;
pub(crate) use pager::Pager;
pub(crate) use past::{Past, outcome};
pub(crate) use placed::{PlacedTable, Top};
pub(crate) use sheet::ClubSheet;
pub(crate) use tallies::{Colours, HeadToHead, Records, streak};
