//! Replays of finished matches and of uploaded records.

mod page;
mod sgf_page;
pub(crate) use page::ReplayPage;
pub(crate) use sgf_page::SgfPage;
pub use sgf_page::{UploadError, UploadedRecord};
mod island;
mod move_sequence;
mod record_text;

pub(crate) use island::{REPLAY, ReplayIsland, ReplaySide};
pub(crate) use move_sequence::{MoveSequence, read as read_moves};
pub(crate) use record_text::{parse_error_text, result_text, stop_text};
