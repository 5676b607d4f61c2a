//! Game records in the forms that other programs and sites use: one model of a record ([`GameRecord`]), and for each form a reader
//! and, where others read it, a writer.
//!
//! ```
//! use tochki_records::{Form, Options, Writer, read};
//!
//! let mut sgf = Vec::new();
//! let mut writer = Writer::new(Form::Sgf, &mut sgf);
//! for game in read(Form::Transcript, &b"F5d6C3 d3c4"[..], Options::default())? {
//!     writer.write(&game?)?;
//! }
//! assert!(String::from_utf8(sgf)?.ends_with(";B[fe];W[df];B[cc];W[dc];B[cd])\n"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A reader is an iterator over the games of a stream and keeps one game in memory. A game that cannot be read is an error with its
//! place, and the next game is read; a move that cannot be played ends its game before it, and the record says why
//! ([`GameRecord::stop`]). Nothing is read by recursion, and no reader takes more than linear time.
//!
//! [`Form`] lists the forms. A record has no time, people or ids of an arena, and nothing here knows files, HTTP or clocks.

mod builder;
mod date;
mod dot_pairs;
mod encodings;
mod error;
mod form;
mod game_record;
mod json;
mod nboard;
mod options;
mod pgn;
mod place;
mod point_text;
mod psq;
mod read;
mod renlib;
mod reversi_text;
mod rif;
mod sgf;
mod text_source;
mod transcript;
mod turns;
mod write;
pub mod wthor;
mod xml;

#[cfg(test)]
mod properties;

pub use error::{ErrorKind, RecordError, WriteError};
pub use form::{Form, UnknownForm};
pub use game_record::{GameRecord, Placed, RecordMove, Stop, StopReason, Warning};
pub use options::Options;
pub use place::Place;
pub use read::{Games, read};
pub use write::Writer;

/// The most bytes of text that one game may have, about. A longer one ends the reading.
pub const MAX_GAME_LEN: usize = 16 * 1024 * 1024;
