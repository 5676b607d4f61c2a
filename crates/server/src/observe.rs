//! The metrics that are sizes, read when somebody asks for them.

use crate::arena::Arena;
use crate::db;
use crate::error::LogFailure as _;
use metrics::gauge;

impl Arena {
    /// Reads the sizes that nobody counts.
    pub async fn observe(&self) {
        gauge!("matches_in_memory").set(self.matches.in_memory() as f64);
        gauge!("hashing_jobs_waiting").set(self.accounts.hashing_jobs_waiting() as f64);
        let (all, idle) = (self.db.size() as usize, self.db.num_idle());
        gauge!("database_connections", "state" => "idle").set(idle as f64);
        gauge!("database_connections", "state" => "used").set(all.saturating_sub(idle) as f64);
        let observed = db::presence::observe(&self.db).await;
        if let Some(presence) = observed.log_failure("observing presence") {
            gauge!("presence_rows").set(usize::try_from(presence.rows).unwrap_or_default() as f64);
            gauge!("presence_oldest_beat_seconds").set(presence.oldest_beat);
        }
    }
}
