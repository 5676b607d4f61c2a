//! What happens by itself: time is kept, challenges expire, the absent leave and get up, clocks run out.
//!
//! Every instance sweeps, and the database says what is due; no timer in memory could be lost with its process.

use super::notifier::Notifier;
use super::{Arena, db};
use crate::{Error, LogFailure as _};
use std::collections::HashSet;
use std::time::Duration;
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId};

/// How late something that is due may come.
const PACE: Duration = Duration::from_millis(200);

/// How often it is looked who is still at open tables.
const TABLES: Duration = Duration::from_secs(1);

/// How often old sessions and old attempts are cleared away.
const HOUSEKEEPING: Duration = Duration::from_mins(10);

/// Starts sweeping, until the arena closes.
pub(super) fn start(arena: Arena, notifier: Notifier) {
    tokio::spawn(async move {
        let mut pace = tokio::time::interval(PACE);
        pace.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut tables = tokio::time::interval(TABLES);
        tables.set_missed_tick_behavior(tokio::time::MissedTickBehavior::Delay);
        let mut housekeeping = tokio::time::interval(HOUSEKEEPING);
        let mut away = HashSet::new();
        loop {
            // What fails is due again at the next round.
            tokio::select! {
                () = arena.closing.cancelled() => return,
                _ = pace.tick() => {
                    let swept = sweep(&arena, &notifier, &mut away).await;
                    swept.log_failure("sweeping what is due");
                }
                _ = tables.tick() => {
                    arena.tables.sweep().await.log_failure("sweeping open tables");
                }
                _ = housekeeping.tick() => clean_up(&arena).await,
            }
        }
    });
}

/// Deletes what is no longer needed. Each part is independent of the failure of another.
async fn clean_up(arena: &Arena) {
    let db = &arena.db;
    arena.accounts.forget_old_attempts();
    let parts = [
        db::accounts::sweep_sessions(db).await,
        db::challenges::forget(db).await,
        db::membership::free_names(db).await,
        db::match_status::sweep(db).await,
        db::tables::forget(db).await,
        db::guests::remove_old(db).await,
        db::chat::sweep(db).await,
    ];
    for part in parts {
        part.log_failure("deleting old rows");
    }
}

/// One round. `away` are those who were away in the last one.
async fn sweep(
    arena: &Arena,
    notifier: &Notifier,
    away: &mut HashSet<(MatchId, PlayerId, Timestamp)>,
) -> Result<(), Error> {
    if arena.time.beat().await? {
        arena.matches.tell_other_times().await;
    }
    let expired = db::challenges::expire(&arena.db).await?;
    let departed = db::presence::reap(&arena.db).await?;
    if expired || departed {
        notifier.notify_all();
    }
    let absences = db::match_status::absences(&arena.db).await?;
    let now_away: HashSet<_> = absences
        .iter()
        .map(|absence| (absence.id, absence.player, absence.since))
        .collect();
    for (id, ..) in now_away.symmetric_difference(away) {
        notifier.notify_match(*id);
    }
    *away = now_away;
    arena.matches.end_abandoned(&absences).await;
    arena.matches.tick_due().await
}
