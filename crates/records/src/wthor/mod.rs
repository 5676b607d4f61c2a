//! WTHOR, the database of games of Reversi of the French federation, after its specification
//! (<https://www.ffothello.org/wthor/Format_WThor.pdf>): games in `.wtb`, players in `.jou`, tournaments in `.trn`.
//!
//! All three begin with a head of 16 bytes: century, year, month and day of the file, the number of its entries (32 bits), another
//! number (16 bits), the year of the games (16 bits), the size of the board (0 or 8), the kind of the file, the depth of the
//! theoretical score, a zero. Numbers are little-endian. An entry of `.jou` is a name of 20 bytes, of `.trn` one of 26, both ended
//! by a zero. A game has 68 bytes: tournament, black, white (16 bits each), black's discs at the end, and by perfect play from a
//! late position on, then 60 moves of a byte each, `10 × row + column`, and zeros after the last one. Passes are left out.

mod head;
mod names;
mod reader;
mod writer;

#[cfg(test)]
mod tests;

pub use names::Names;
pub(crate) use reader::Reader;
pub use writer::Writer;
