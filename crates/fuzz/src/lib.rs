//! Fuzz targets: for each reader of foreign input, a function that checks its promises on any bytes at all. `libfuzzer` looks for
//! inputs that break a promise (`cargo make fuzz`). `tests/seeds.rs` tries the seeds in every run of the tests: among them are
//! the inputs that once broke a target.

mod analyses;
mod dots;
mod games;
mod json;
mod lines;
mod protocols;
mod puzzles;
mod records;
mod setups;

use arbitrary::{Arbitrary, Unstructured};

// The paths at which the modules that `analyses` borrows look for one another.
mod ui {
    pub(crate) mod analysis {
        pub(crate) use crate::analyses::move_tree::{MoveTree, NodeId};
    }

    pub(crate) mod board {
        use tochki_play::Ply;
        use tochki_rules::Position;

        /// A position with the moves that led there, as a board shows it.
        pub(crate) struct Shown {
            pub(crate) position: Position,
            pub(crate) plies: Vec<Ply>,
        }
    }
}

/// A function that panics where an input breaks a promise.
pub type Target = fn(&[u8]);

/// All targets by name. The seeds of each are in the folder `seeds/NAME`.
pub const TARGETS: [(&str, Target); 9] = [
    ("analyses", analyses),
    ("dots", dots),
    ("games", games),
    ("json", json),
    ("lines", lines),
    ("protocols", protocols),
    ("puzzles", puzzles),
    ("records", records),
    ("setups", setups),
];

/// Reads the address of an analysis, with its comments, and writes it again.
pub fn analyses(bytes: &[u8]) {
    typed(bytes, analyses::run);
}

/// Plays a game of Dots, beside a slow reference.
pub fn dots(bytes: &[u8]) {
    dots::run(bytes);
}

/// Plays a game of any other kind, with undos.
pub fn games(bytes: &[u8]) {
    games::run(bytes);
}

/// Reads JSON as browsers do, beside `serde_json`.
pub fn json(bytes: &[u8]) {
    typed(bytes, json::run);
}

/// Cuts the bytes of a client of the line protocol into lines.
pub fn lines(bytes: &[u8]) {
    lines::run(bytes);
}

/// Converses with engines in each of their protocols.
pub fn protocols(bytes: &[u8]) {
    typed(bytes, protocols::run);
}

/// Reads a puzzle, and writes it again.
pub fn puzzles(bytes: &[u8]) {
    typed(bytes, puzzles::run);
}

/// Reads SGF, and writes it again in every dialect.
pub fn records(bytes: &[u8]) {
    typed(bytes, records::run);
}

/// Reads setups, moves and games to replay.
pub fn setups(bytes: &[u8]) {
    setups::run(bytes);
}

/// Calls a target whose input has a type with the value that libFuzzer would make of these bytes.
fn typed<'a, T: Arbitrary<'a>>(bytes: &'a [u8], run: impl Fn(T)) {
    if let Ok(input) = T::arbitrary_take_rest(Unstructured::new(bytes)) {
        run(input);
    }
}
