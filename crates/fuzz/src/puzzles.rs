//! Any text at all as a puzzle: a puzzle reads back as it is written.

use tochki_puzzles::Puzzle;

pub(crate) fn run(text: &str) {
    if let Ok(puzzle) = text.parse::<Puzzle>() {
        assert_eq!(puzzle.to_string().parse(), Ok(puzzle));
    }
}
