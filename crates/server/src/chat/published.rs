//! Messages on their way to subscribers.

use bytes::Bytes;
use std::sync::Arc;
use tochki_protocol::{MessageId, limits};

/// How many messages a new subscription begins with.
pub(super) const HISTORY_LEN: i64 = limits::CHAT_HISTORY_LEN as i64;

/// A message, encoded once for all subscribers.
#[derive(Clone, Debug)]
pub(super) struct PublishedMessage {
    pub(super) id: MessageId,
    pub(super) frame: Bytes,
    /// The players who have muted the author.
    pub(super) muted_by: Arc<[i64]>,
    /// Whether it was published before, and has been removed since.
    pub(super) removed: bool,
}
