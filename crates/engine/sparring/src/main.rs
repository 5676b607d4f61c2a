//! `tochki-sparring`: the opponents of the engine of Dots behind the protocols of `tochki engine`, so that a referee can play
//! them: `tochki-engine duel self: "tochki-sparring minimax" --game dots --setup 20x20 --time 200`.

use clap::{Parser, ValueEnum};
use std::process::ExitCode;
use tochki_engine::{Engine, Limits, Progress, Report};
use tochki_engine_cli::EngineArgs;
use tochki_engine_cli::search::{NoEngineError, Searcher};
use tochki_rules::dots::Dots;
use tochki_rules::{Move, Position};
use tochki_sparring::{Beginner, LadderUct, Minimax, Uct};

#[derive(Parser)]
#[command(version, about)]
struct Cli {
    /// The opponent that plays.
    #[arg(value_enum)]
    opponent: Opponent,
    #[command(flatten)]
    args: EngineArgs,
}

#[derive(Clone, Copy, ValueEnum)]
enum Opponent {
    /// UCT with UCB1-tuned.
    Uct,
    /// UCT that plays ladders first.
    Ladders,
    /// `NegaScout` over trajectories.
    Minimax,
    /// A person who learnt the rules today.
    Beginner,
}

fn main() -> ExitCode {
    let Cli { opponent, args } = Cli::parse();
    let played = match opponent {
        Opponent::Uct => args.play(OfDots::<Uct>(None)),
        Opponent::Ladders => args.play(OfDots::<LadderUct>(None)),
        Opponent::Minimax => args.play(OfDots::<Minimax>(None)),
        Opponent::Beginner => args.play(OfDots::<Beginner>(None)),
    };
    match played {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

/// An engine of Dots, once it has a position.
struct OfDots<E>(Option<E>);

impl<E: Engine<Game = Dots>> Searcher for OfDots<E> {
    fn forget(&mut self) {
        self.0 = None;
    }

    fn begin(
        &mut self,
        position: &Position,
        limits: Limits,
        seed: u64,
    ) -> Result<(), NoEngineError> {
        let Position::Dots(dots) = position else {
            return Err(NoEngineError);
        };
        match &mut self.0 {
            Some(engine) => engine.set_position(dots, limits, seed),
            none => *none = Some(E::new(dots, limits, seed)),
        }
        Ok(())
    }

    fn step(&mut self, budget: u64) -> Progress {
        self.0
            .as_mut()
            .map_or(Progress::Done, |engine| engine.step(budget))
    }

    fn best(&self) -> Report<Move> {
        match &self.0 {
            Some(engine) => engine.best().map(Move::Dots),
            None => Report {
                choice: None,
                moves: Vec::new(),
                nodes: 0,
                settled: false,
            },
        }
    }
}
