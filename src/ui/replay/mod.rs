//! A game that is over, to go through: board, players, score, and the ways through it.

mod course;
mod going;
mod words;

pub(super) use course::Course;
pub(super) use going::{GOING, Going};
pub(super) use words::{stop, unreadable, verdict};
