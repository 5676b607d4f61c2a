//! Replays of finished games.

mod page;
pub(crate) use page::{ReplayPage, ReplayView};
mod island;
mod move_sequence;

pub(crate) use island::{REPLAY, ReplayIsland, ReplaySide};
pub(crate) use move_sequence::{MoveSequence, read as read_moves};
