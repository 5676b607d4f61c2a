//! An uploaded record: its text, its games, and the game that is shown.

use std::sync::Arc;
use tochki_rules::record::{FullRecord, GameSummary, SgfError};

/// An uploaded record, as `http::records` has parsed it. The page finds it in its context.
#[derive(Clone, Debug)]
pub struct UploadedRecord {
    /// The SGF text.
    pub sgf: String,
    /// The games of the text, as many as a list has.
    pub games: Vec<GameSummary>,
    /// The number of games in the text.
    pub games_count: usize,
    /// The place of the game that is shown.
    pub game: usize,
    /// The shown game, parsed.
    pub reading: Result<Arc<FullRecord>, UploadError>,
    /// The requested ply, as text.
    pub ply: Option<String>,
    /// A step from the requested ply.
    pub step: Option<String>,
}

/// The reason why there is nothing to show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UploadError {
    /// The upload was empty.
    Empty,
    /// The upload was too large.
    TooLarge,
    /// The text is not a record of a supported game.
    Sgf(SgfError),
}
