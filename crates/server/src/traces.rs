//! Spans for traces: the steps that a request waits for. They are for the collector alone, and the log does not show them;
//! without a collector they are not created. They have ids and numbers, and no user input.

use tochki_protocol::MatchId;
use tracing::Span;

/// The target of all spans for traces, and of nothing else.
pub const TARGET: &str = "traces";

/// A command of a match: it waits for those before it, is decided and stored.
pub(crate) fn command(id: MatchId) -> Span {
    tracing::info_span!(target: TARGET, "command", match.id = id.0)
}

/// Storing the events of one command.
pub(crate) fn append(events: usize) -> Span {
    tracing::info_span!(target: TARGET, "append", events = events as i64)
}

/// Waiting for a thread that hashes, and hashing.
pub(crate) fn hash_password() -> Span {
    tracing::info_span!(target: TARGET, "hash password")
}
