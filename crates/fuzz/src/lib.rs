//! Fuzz targets: for each reader of foreign input, a function that checks its promises on any bytes at all. `libfuzzer` looks for
//! inputs that break a promise (`cargo make fuzz`). `tests/seeds.rs` tries the seeds in every run of the tests: among them are
//! the inputs that once broke a target.

mod analyses;
mod dots;
mod forms;
mod games;
mod json;
mod lines;
mod protocols;
mod puzzles;
mod records;
mod setups;

use arbitrary::{Arbitrary, Unstructured};
use tochki_records::Form;

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
pub const TARGETS: [(&str, Target); 21] = [
    ("analyses", analyses),
    ("dot_pairs", dot_pairs),
    ("dots", dots),
    ("games", games),
    ("ggf", ggf),
    ("json", json),
    ("json_records", json_records),
    ("lines", lines),
    ("nboard", nboard),
    ("pgn", pgn),
    ("points", points),
    ("protocols", protocols),
    ("psq", psq),
    ("puzzles", puzzles),
    ("records", records),
    ("renlib", renlib),
    ("rif", rif),
    ("setups", setups),
    ("sgf", sgf),
    ("transcripts", transcripts),
    ("wthor", wthor),
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

/// Reads games of Dots and Boxes as pairs of dots.
pub fn dot_pairs(bytes: &[u8]) {
    forms::run(Form::DotPairs, bytes);
}

/// Reads GGF, and writes it again.
pub fn ggf(bytes: &[u8]) {
    forms::run(Form::Ggf, bytes);
}

/// Reads records as lines of JSON, and writes them again.
pub fn json_records(bytes: &[u8]) {
    forms::run(Form::Json, bytes);
}

/// Reads a log of the `NBoard` protocol.
pub fn nboard(bytes: &[u8]) {
    forms::run(Form::NBoard, bytes);
}

/// Reads PGN of Reversi.
pub fn pgn(bytes: &[u8]) {
    forms::run(Form::Pgn, bytes);
}

/// Reads lines of points of Gomoku, and writes them again.
pub fn points(bytes: &[u8]) {
    forms::run(Form::Points, bytes);
}

/// Reads games of Piskvork, and writes them again.
pub fn psq(bytes: &[u8]) {
    forms::run(Form::Psq, bytes);
}

/// Reads a library of `RenLib`.
pub fn renlib(bytes: &[u8]) {
    forms::run(Form::RenLib, bytes);
}

/// Reads a database of Renju.
pub fn rif(bytes: &[u8]) {
    forms::run(Form::Rif, bytes);
}

/// Reads collections of SGF of all games, and writes them again.
pub fn sgf(bytes: &[u8]) {
    forms::run(Form::Sgf, bytes);
}

/// Reads lines of moves of Reversi, and writes them again.
pub fn transcripts(bytes: &[u8]) {
    forms::run(Form::Transcript, bytes);
}

/// Reads games of the WTHOR database.
pub fn wthor(bytes: &[u8]) {
    forms::run(Form::Wthor, bytes);
}

/// Calls a target whose input has a type with the value that libFuzzer would make of these bytes.
fn typed<'a, T: Arbitrary<'a>>(bytes: &'a [u8], run: impl Fn(T)) {
    if let Ok(input) = T::arbitrary_take_rest(Unstructured::new(bytes)) {
        run(input);
    }
}
