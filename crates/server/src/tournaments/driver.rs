//! The driver: one instance at a time begins, pairs and ends a tournament.

use super::{Tournaments, db, entry, rounds, series};
use crate::{Error, LogFailure as _, WithSubject as _, outages};
use futures::{StreamExt as _, stream};
use tochki_protocol::{TournamentFormat, TournamentId, TournamentState, limits};
use tochki_tournaments::arena;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

impl Tournaments {
    pub(super) async fn drive_loop(self, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::TOURNAMENT_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => break,
                _ = interval.tick() => {
                    self.drive_all().await;
                    self.remind().await.log_failure("reminding of tournaments");
                    let continued = self.continue_series().await;
                    continued.log_failure("looking for series");
                    let seasons = self.drive_leagues().await;
                    seasons.log_failure("looking for seasons of leagues");
                    let called = self.call_to_rounds().await;
                    called.log_failure("calling players to rounds");
                }
            }
        }
        // Another instance need not wait for the end of the leases.
        let released = db::leases::release(&self.db, &self.holder).await;
        released.log_failure("releasing tournaments");
    }

    /// Takes the leases that are free, renews those that this instance has, and drives these tournaments.
    async fn drive_all(&self) {
        let taken = db::leases::take(&self.db, &self.holder, limits::TOURNAMENT_LEASE).await;
        let Some(ids) = taken.log_failure("taking tournaments") else {
            return;
        };
        // One that cannot be driven, or takes long, keeps no other from its turn.
        let driving =
            stream::iter(ids).for_each_concurrent(limits::TOURNAMENTS_AT_ONCE, |id| async move {
                let driven = self.drive(id).await;
                driven.with_subject(id).log_failure("driving a tournament");
            });
        driving.await;
    }

    async fn drive(&self, id: TournamentId) -> Result<(), Error> {
        // An outage moves the end of a tournament before anything is decided by it.
        if !outages::db::is_heartbeat_fresh(&self.db).await? {
            return Ok(());
        }
        let mut tx = crate::db::begin(&self.db).await?;
        let Some(stored) =
            db::leases::lock(&mut tx, id, &self.holder, limits::TOURNAMENT_LEASE).await?
        else {
            return Ok(());
        };
        // What begins now, or is cancelled because too few have come, is followed by the next one.
        if stored.tournament.state == TournamentState::Open {
            series::make_next(&mut tx, id).await?;
        }
        let has_rounds = stored.tournament.format != TournamentFormat::Arena;
        match stored.tournament.state {
            TournamentState::Open if has_rounds => rounds::begin(tx, &stored).await?,
            TournamentState::Running if stored.tournament.format == TournamentFormat::Knockout => {
                self.drive_knockout(tx, &stored).await?;
            }
            TournamentState::Running if has_rounds => self.drive_rounds(tx, &stored).await?,
            TournamentState::Open => {
                entry::drop_unqualified(&mut tx, &stored).await?;
                db::begin(&mut tx, id).await?;
                tx.commit().await?;
            }
            TournamentState::Running => {
                db::pairings::close_ended(&mut tx, id).await?;
                if db::is_over(&mut tx, &stored).await? {
                    db::end(&mut tx, id, TournamentState::Finished).await?;
                    tx.commit().await?;
                } else {
                    let delay = arena::return_delay(stored.estimate()?, 1);
                    db::pairings::delay_busy(&mut tx, id, delay.0).await?;
                    tx.commit().await?;
                    self.pair_wave(&stored).await?;
                }
            }
            TournamentState::Finished | TournamentState::Cancelled => {}
        }
        Ok(())
    }
}
