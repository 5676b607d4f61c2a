//! A game that is over, to go through: board, players, score, and the ways through it.

mod page;
mod sgf_page;
pub(crate) use page::Replay;
pub(crate) use sgf_page::Sgf;
pub use sgf_page::{Brought, Complaint};
mod course;
mod going;
mod words;

pub(crate) use course::Course;
pub(crate) use going::{GOING, Going};
pub(crate) use words::{stop, unreadable, verdict};
