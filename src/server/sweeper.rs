//! What happens by itself: challenges expire, the absent leave, clocks run out.
//!
//! Every instance sweeps, and the database says what is due; no timer in memory could be lost with its process.

use super::bells::Bells;
use super::{Arena, db};
use crate::wire::ApiError;
use std::time::Duration;

/// How late something that is due may come.
const PACE: Duration = Duration::from_millis(200);

/// How often old sessions and old attempts are cleared away.
const HOUSEKEEPING: Duration = Duration::from_mins(10);

/// Starts sweeping, until the arena closes.
pub(super) fn start(arena: Arena, bells: Bells) {
    tokio::spawn(async move {
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut housekeeping = tokio::time::interval(HOUSEKEEPING);
        loop {
            // Whatever fails is logged where it fails, and due again at the next round.
            tokio::select! {
                () = arena.closing.cancelled() => return,
                _ = pace.tick() => drop(sweep(&arena, &bells).await),
                _ = housekeeping.tick() => {
                    arena.accounts.forget_old_attempts();
                    drop(db::accounts::sweep_sessions(&arena.db).await);
                }
            }
        }
    });
}

async fn sweep(arena: &Arena, bells: &Bells) -> Result<(), ApiError> {
    let expired = db::challenges::expire(&arena.db).await?;
    let departed = db::presence::reap(&arena.db).await?;
    if expired || departed {
        bells.ring_all();
    }
    arena.tables.tick_due().await
}
