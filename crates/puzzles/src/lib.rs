//! Puzzles: positions with exactly one clear best move, and the line that follows from it.
//!
//! [`Puzzle`] has a notation of one line, which is how puzzles are committed ([`SEED`]) and stored. [`Puzzle::judge`] says
//! whether moves solve it, by the rules alone. With the feature `finder`, [`finder`] looks for puzzles in games, plays such
//! games and checks puzzles again; it knows no files and no clock.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(feature = "finder")]
pub mod finder;
mod judge;
mod letters;
mod puzzle;
mod rating;

pub use judge::{JudgeError, Verdict, are_alike};
pub use puzzle::{Malformed, Puzzle, Theme};
pub use rating::{PuzzleRatings, rate};

/// The puzzles that come with the arena, made from games of the engines: one notation a line.
pub const SEED: &str = include_str!("../data/seed.txt");

/// The puzzles of [`SEED`].
pub fn seed() -> impl Iterator<Item = &'static str> {
    SEED.lines().filter(|line| !line.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tochki_rules::GameKind;

    #[test]
    fn every_puzzle_of_the_seed_is_read_and_solved_by_its_own_line() {
        let mut seen = BTreeSet::new();
        let mut games = BTreeSet::new();
        for notation in seed() {
            assert!(seen.insert(notation), "twice: {notation}");
            let puzzle: Puzzle = notation.parse().unwrap_or_else(|_| panic!("{notation}"));
            assert_eq!(puzzle.to_string(), notation);
            games.insert(puzzle.setup().kind());
            assert!(matches!(
                puzzle.judge(&puzzle.solution()),
                Ok(Verdict::Solved { .. })
            ));
        }
        assert_eq!(games.len(), GameKind::ALL.len());
        assert!(SEED.len() < 300_000);
    }
}
