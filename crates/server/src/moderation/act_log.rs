//! The log of what operators do.

use crate::moderation::db::NewAuditEntry;
use tochki_protocol::PlayerId;

/// Logs an act that is committed, under the target that the names of security events have.
pub(super) fn log_act(operator: Option<PlayerId>, entry: &NewAuditEntry<'_>) {
    tracing::info!(
        target: "operator.act",
        operator = operator.map(|id| id.0),
        act = ?entry.act,
        player = entry.player.map(|id| id.0),
        match_id = entry.match_id.map(|id| id.0),
        "operator action"
    );
}
