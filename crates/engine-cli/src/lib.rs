//! Engines on the command line: `engine` lets one play by a text protocol, `duel` is the referee between two programs,
//! `puzzles` makes and checks puzzles.
//!
//! A protocol is a state machine: a line and the time go in, lines come out, and a search is stepped in between. Only
//! [`io`] reads and writes, and only [`drive`] starts programs, for the referee in [`duel`].

pub mod drive;
pub mod duel;
mod engine;
pub mod io;
pub mod moves;
pub mod protocol;
pub mod puzzles;
pub mod random;
pub mod search;
pub mod time;

pub use engine::EngineArgs;

use clap::Subcommand;
use std::error::Error;

/// The commands for engines.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Play by a text protocol on standard input and output.
    Engine(EngineArgs),
    /// Let two programs play a match, or make openings for one.
    Duel(Box<duel::DuelArgs>),
}

impl Verb {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// Arguments that contradict each other, files that cannot be read or written, programs that do not start.
    pub fn run(self) -> Result<(), Box<dyn Error + Send + Sync>> {
        match self {
            Self::Engine(args) => args.run(),
            Self::Duel(args) => args.run(),
        }
    }
}
