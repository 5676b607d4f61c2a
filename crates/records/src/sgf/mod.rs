//! SGF (Smart Game Format) of all games: its syntax is [`tochki_rules::record::tree`], Dots are read by [`tochki_rules::record`].
//! GGF has the same syntax.
//!
//! The numbers of games are those of <https://www.red-bean.com/sgf/properties.html#GM>. Dots and Boxes has none; we write
//! `GM[Dots and Boxes]`, as GGF does with `GM[Othello]`, and a line as its two dots, `B[aaba]`.

mod collection;
mod dots;
pub(crate) mod ggf;
mod points;
mod reader;
mod root;
mod source;
mod tree;
mod write;

#[cfg(test)]
mod tests;

pub(crate) use points::between;
pub(crate) use reader::{Reader, read_ggf};
pub(crate) use write::{write, write_dots};
