//! A session as its player sees it.

use serde::{Deserialize, Serialize};
use tochki_play::Timestamp;

/// One browser in which a player is signed in.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SessionSummary {
    /// What to call it when it is to be ended.
    pub id: i64,
    /// The browser, in short; nothing where it is not known.
    pub agent: String,
    /// When it was opened.
    pub since: Timestamp,
    /// When it was last used, to the hour.
    pub seen_at: Timestamp,
    /// Whether the question came in this one.
    pub current: bool,
}
