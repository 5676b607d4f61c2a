//! `tochki-engine`: the subcommands `engine` and `duel` of `tochki`, without the server.

use clap::Parser;
use std::process::ExitCode;
use tochki_engine_cli::Verb;

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    #[command(subcommand)]
    verb: Verb,
}

fn main() -> ExitCode {
    match Cli::parse().verb.run() {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}
