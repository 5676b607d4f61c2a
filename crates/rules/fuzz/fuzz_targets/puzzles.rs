//! Any text at all as a puzzle: what is one reads back as it is written.
#![no_main]

use libfuzzer_sys::fuzz_target;
use tochki_puzzles::Puzzle;

fuzz_target!(|text: &str| {
    if let Ok(puzzle) = text.parse::<Puzzle>() {
        assert_eq!(puzzle.to_string().parse(), Ok(puzzle));
    }
});
