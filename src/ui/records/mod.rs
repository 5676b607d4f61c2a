//! Uploaded records of games.

mod record_text;
mod sgf_page;

pub(crate) use sgf_page::SgfPage;
pub use sgf_page::{UploadError, UploadedRecord};

use record_text::{parse_error_text, result_text, stop_text};
