//! `tochki-engine`: the subcommands `engine`, `duel` and `puzzles` of `tochki`, as far as they need no database.

use clap::{Parser, Subcommand};
use std::process::ExitCode;
use tochki_engine_cli::Verb;
use tochki_engine_cli::puzzles::PuzzlesVerb;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    verb: OwnVerb,
}

#[derive(Subcommand)]
enum OwnVerb {
    #[command(flatten)]
    Engines(Verb),
    /// Make puzzles out of games of the engines, or check them.
    Puzzles {
        #[command(subcommand)]
        verb: PuzzlesVerb,
    },
}

fn main() -> ExitCode {
    let done = match Cli::parse().verb {
        OwnVerb::Engines(verb) => verb.run(),
        OwnVerb::Puzzles { verb } => verb.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
