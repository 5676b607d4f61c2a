//! Puzzles on the command line: games of the engines are played and searched, and found puzzles are checked again.

use clap::{Args, Subcommand};
use std::collections::BTreeSet;
use std::error::Error;
use std::io::{BufRead as _, BufReader, Write as _};
use std::path::PathBuf;
use tochki_puzzles::{
    Puzzle,
    finder::{Finder, SearchBudget, play},
};
use tochki_rules::GameKind;

/// The commands for puzzles that need no server.
#[derive(Debug, Subcommand)]
pub enum PuzzlesVerb {
    /// Play games of the engines and write the puzzles in them, one notation a line.
    Make(MakeArgs),
    /// Search puzzles again, longer, and print the number of those with one solution.
    Check(CheckArgs),
}

/// The games that are played.
#[derive(Debug, Args)]
pub struct MakeArgs {
    /// The game: dots, boxes, gomoku or reversi.
    #[arg(long)]
    game: GameKind,
    /// The number of puzzles.
    #[arg(long, default_value_t = 250)]
    count: usize,
    /// The seed of the games.
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// The number of the first game.
    #[arg(long, default_value_t = 0)]
    from: u64,
}

/// The puzzles that are checked.
#[derive(Debug, Args)]
pub struct CheckArgs {
    /// A file with a notation a line; without it, the puzzles that come with the arena.
    file: Option<PathBuf>,
    /// The only game whose puzzles are checked.
    #[arg(long)]
    game: Option<GameKind>,
    /// Check one puzzle in so many.
    #[arg(long, default_value_t = 1)]
    sample: usize,
    /// Write the confirmed puzzles to standard output, and the counts to standard error.
    #[arg(long)]
    keep: bool,
}

impl PuzzlesVerb {
    /// Runs the command.
    ///
    /// # Errors
    ///
    /// Files that cannot be read, and output that cannot be written.
    pub fn run(self) -> Result<(), Box<dyn Error + Send + Sync>> {
        match self {
            Self::Make(args) => make(&args),
            Self::Check(args) => check(&args),
        }
    }
}

fn make(args: &MakeArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut output = std::io::stdout().lock();
    let mut finder = Finder::new(SearchBudget::FIND);
    let mut longer = Finder::new(SearchBudget::CONFIRM);
    let mut seen = BTreeSet::new();
    let mut found = 0;
    for number in args.from.. {
        let (setup, moves) = play(args.game, args.seed, number);
        for puzzle in finder.find(&setup, &moves) {
            found += 1;
            if seen.len() < args.count
                && longer.confirms(&puzzle)
                && seen.insert(puzzle.to_string())
            {
                writeln!(output, "{puzzle}")?;
            }
        }
        output.flush()?;
        if seen.len() >= args.count {
            let games = number - args.from + 1;
            eprintln!(
                "{} of {found} positions in {games} games are puzzles",
                seen.len()
            );
            break;
        }
    }
    Ok(())
}

fn check(args: &CheckArgs) -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut notations = Vec::new();
    match &args.file {
        Some(file) => {
            for line in BufReader::new(std::fs::File::open(file)?).lines() {
                notations.push(line?);
            }
        }
        None => notations.extend(tochki_puzzles::seed().map(str::to_owned)),
    }
    let mut output = std::io::stdout().lock();
    let mut finder = Finder::new(SearchBudget::CHECK);
    let mut counts: Vec<(GameKind, usize, usize)> =
        GameKind::ALL.iter().map(|&game| (game, 0, 0)).collect();
    for notation in notations
        .iter()
        .filter(|line| !line.is_empty())
        .step_by(args.sample.max(1))
    {
        let puzzle: Puzzle = notation.parse()?;
        let game = puzzle.setup().kind();
        if args.game.is_some_and(|only| only != game) {
            continue;
        }
        let confirmed = finder.confirms(&puzzle);
        for (kind, all, one) in &mut counts {
            if *kind == game {
                *all += 1;
                *one += usize::from(confirmed);
            }
        }
        if args.keep && confirmed {
            writeln!(output, "{puzzle}")?;
            output.flush()?;
        } else if !confirmed {
            eprintln!("not confirmed: {puzzle}");
        }
    }
    for (game, all, one) in counts.into_iter().filter(|(_, all, _)| *all > 0) {
        let share = 100.0 * one as f64 / all as f64;
        eprintln!("{game}: {one} of {all} have one solution by the longer search ({share:.1} %)");
    }
    Ok(())
}
