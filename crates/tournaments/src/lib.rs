//! Tournaments as pure values: results and time in, pairings and standings out.
//!
//! Nothing here reads a clock, a random source or a database: time and chance are arguments, and players are their places in
//! the list of those who joined. A format is a folder or a file of its own: [`arena`], [`swiss`], [`round_robin`],
//! [`knockout`]; [`league`] has the divisions of leagues. [`trf`] and [`records`] are the texts of the command line, [`recurrence`] has the dates of a series.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

pub mod arena;
pub mod knockout;
pub mod league;
mod points;
pub mod records;
pub mod recurrence;
pub mod round_robin;
pub mod rounds;
mod score_table;
pub mod swiss;
#[cfg(test)]
mod testing;
pub mod trf;

pub use points::{Points, TieBreak};
pub use score_table::{Bye, Game, ScoreTable, Standing, TieBreakKind};
