//! Uploaded records of games.

mod game_list;
mod markup;
mod record_text;
mod sgf_page;
mod uploaded_record;

pub(crate) use sgf_page::SgfPage;
pub use uploaded_record::{UploadError, UploadedRecord};

use record_text::{damage_text, other_rules_text, parse_error_text, result_text, stop_text};
