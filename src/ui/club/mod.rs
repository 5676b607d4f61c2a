//! What the club's pages are made of: rows of players and of past games, graphs of ratings, ways to other pages. All of it
//! is drawn by the server.

mod graph;
mod pager;
mod past;
mod placed;
mod sheet;
mod tallies;

pub(super) use graph::RatingGraph;
pub(super) use pager::Pager;
pub(super) use past::{Past, outcome};
pub(super) use placed::{PlacedTable, Top};
pub(super) use sheet::ClubSheet;
pub(super) use tallies::{Colours, HeadToHead, Records, streak};
