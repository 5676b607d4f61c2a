//! Gauges sampled at scrape time.

use crate::app_state::AppState;
use crate::error::LogFailure as _;
use crate::presence;
use metrics::gauge;
use std::time::Instant;

impl AppState {
    /// Samples the gauges that are not updated by events.
    pub async fn observe(&self) {
        gauge!("matches_in_memory").set(self.matches.in_memory() as f64);
        gauge!("hashing_jobs_waiting").set(self.accounts.hashing_jobs_waiting() as f64);
        let (all, idle) = (self.db.size() as usize, self.db.num_idle());
        gauge!("database_connections", "state" => "idle").set(idle as f64);
        gauge!("database_connections", "state" => "used").set(all.saturating_sub(idle) as f64);
        self.observe_wait().await;
        let observed = presence::db::observe(&self.db).await;
        if let Some(presence) = observed.log_failure("observing presence") {
            gauge!("presence_rows").set(usize::try_from(presence.rows).unwrap_or_default() as f64);
            gauge!("presence_oldest_beat_seconds").set(presence.oldest_beat);
        }
    }
    /// Waits for a connection like any request, and notes how long that took. Of most others that wait nobody knows: the pool
    /// does not count them.
    async fn observe_wait(&self) {
        let _probe = WaitProbe(Instant::now());
        // A failure is a wait as well, and the query that follows says so.
        let _ = self.db.acquire().await;
    }
}

/// A wait for a connection that is going on. It is noted also when it is given up.
struct WaitProbe(Instant);

impl Drop for WaitProbe {
    fn drop(&mut self) {
        gauge!("database_wait_seconds").set(self.0.elapsed().as_secs_f64());
    }
}
