//! Enforcement of deadlines: challenges expire, absent players lose, clocks run out, quick games are paired, notices by mail are
//! written, old rows are deleted.
//!
//! Deadlines are columns in the database. Every instance looks for passed ones, so no timer is lost with its process.

use crate::bus::notifier::Notifier;
use crate::bus::topic::Topic;
use crate::db::Db;
use crate::error::{Error, LogFailure as _};
use crate::lobby::Lobbies;
use crate::mail::Mails;
use crate::matches::Matches;
use crate::outages::{OutageClock, OutageEpoch};
use crate::presence::place::Place;
use crate::tables::Tables;
use crate::{
    accounts, attempts, chat, lobby, mail, matches, metrics, moderation, notifications, presence,
    puzzles, tables, tournaments,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tochki_play::Timestamp;
use tochki_protocol::{MatchId, PlayerId, limits};
use tokio::time::{Interval, MissedTickBehavior};
use tokio_util::sync::CancellationToken;

/// Identity of an absence across rounds.
type AbsenceKey = (MatchId, PlayerId, Timestamp);

/// Results of the last round.
#[derive(Default)]
struct LastRound {
    /// The absences.
    absent: HashSet<AbsenceKey>,
    /// Time of the last read of all presence.
    presence_read: Option<Instant>,
    /// The epoch whose deadlines the matches in memory have.
    epoch: Option<OutageEpoch>,
}

/// Dependencies of a round.
pub(super) struct Sweeper {
    pub(super) db: Db,
    pub(super) lobbies: Lobbies,
    pub(super) matches: Matches,
    pub(super) tables: Tables,
    pub(super) mails: Mails,
    pub(super) outage_clock: OutageClock,
    pub(super) notifier: Notifier,
}

impl Sweeper {
    /// Sweeps until `shutdown`. What fails is due again in the next round.
    pub(super) async fn run(self: Arc<Self>, shutdown: CancellationToken) {
        let mut deadlines = interval(limits::SWEEP_INTERVAL);
        let mut tables = interval(limits::TABLE_SWEEP_INTERVAL);
        let mut last = LastRound::default();
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                due = deadlines.tick() => {
                    metrics::sweep_delayed(due.elapsed());
                    let swept = self.sweep_deadlines(&mut last).await;
                    swept.log_failure("sweeping deadlines");
                }
                _ = tables.tick() => {
                    self.tables.sweep().await.log_failure("sweeping open tables");
                    let paired = self.lobbies.sweep_quick_games().await;
                    paired.log_failure("sweeping quick games");
                }
            }
        }
    }

    /// Answers by conditional moves and begins vacations until `shutdown`. No clock waits for them.
    pub(super) async fn run_correspondence(self: Arc<Self>, shutdown: CancellationToken) {
        let mut answers = interval(limits::DUE_ANSWERS_SWEEP_INTERVAL);
        let mut vacations = interval(limits::AUTOMATIC_VACATION_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = answers.tick() => {
                    let answered = self.matches.answer_by_conditional_moves().await;
                    answered.log_failure("answering by conditional moves");
                }
                _ = vacations.tick() => {
                    let begun = self.matches.begin_automatic_vacations().await;
                    begun.log_failure("beginning vacations");
                }
            }
        }
    }

    /// Writes notices by mail until `shutdown`. No clock waits for them.
    pub(super) async fn run_notices(self: Arc<Self>, shutdown: CancellationToken) {
        let mut notices = interval(limits::MAIL_NOTICE_SWEEP_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = notices.tick() => {
                    let written = self.mails.write_notices().await;
                    written.log_failure("writing notices by mail");
                }
            }
        }
    }

    /// Cleans up until `shutdown`.
    pub(super) async fn run_cleanup(self: Arc<Self>, shutdown: CancellationToken) {
        let mut cleanup = interval(limits::CLEANUP_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = cleanup.tick() => self.clean_up().await,
            }
        }
    }

    /// Notifies rooms and tables of departed players. Matches need no notification: their status shows it; nobody is told who looks
    /// at a tournament.
    fn notify_departures(&self, places: &[String]) {
        for place in places {
            match Place::read(place) {
                Some(Place::Lobby(game)) => self.notifier.notify_room(game),
                Some(Place::Match(_) | Place::Watch(_) | Place::Tournament(_)) => {}
                Some(Place::LineProtocol(_) | Place::Table(_)) | None => {
                    self.notifier.notify_rooms();
                }
            }
        }
    }

    /// One round.
    async fn sweep_deadlines(&self, last: &mut LastRound) -> Result<(), Error> {
        // An outage shifts deadlines before anything is decided by them.
        let epoch = self.outage_clock.epoch().await?;
        if last.epoch.replace(epoch) != Some(epoch) {
            self.matches.announce_shifted_times().await;
        }
        // None of these steps keeps the next from its turn, least of all the clocks.
        let expired = lobby::db::expire_due(&self.db).await;
        let expired = expired.log_failure("expiring challenges").unwrap_or(false);
        let also_silent = last
            .presence_read
            .is_none_or(|read| read.elapsed() >= limits::PRESENCE_READ_INTERVAL);
        let departed = presence::db::delete_expired(&self.db, also_silent).await;
        let departed = departed
            .log_failure("removing who has left")
            .unwrap_or_default();
        if also_silent {
            last.presence_read = Some(Instant::now());
        }
        if expired {
            self.notifier.notify_causes();
            self.notifier.notify_rooms();
        }
        self.notify_departures(&departed);
        let absences = matches::db::status::absences(&self.db).await?;
        let now_absent: HashSet<AbsenceKey> = absences
            .iter()
            .map(|absence| (absence.id, absence.player, absence.since))
            .collect();
        for (id, ..) in now_absent.symmetric_difference(&last.absent) {
            // Every instance finds it by itself.
            self.notifier.notify_local(Topic::Status(*id));
        }
        last.absent = now_absent;
        self.matches.end_abandoned(&absences).await;
        self.matches.tick_due().await
    }

    /// Deletes what is no longer needed. No part depends on the success of another.
    async fn clean_up(&self) {
        let db = &self.db;
        let parts = [
            accounts::db::delete_expired_sessions(db).await,
            attempts::db::delete_old(db).await,
            accounts::db::devices::delete_old(db).await,
            mail::db::delete_old(db).await,
            accounts::db::passkeys::delete_old_challenges(db).await,
            lobby::db::delete_old(db).await,
            accounts::db::management::release_names(db).await,
            matches::db::status::delete_old(db).await,
            matches::db::time_losses::delete_old(db).await,
            tables::db::delete_old(db).await,
            tournaments::db::delete_old(db).await,
            accounts::db::guests::delete_old(db).await,
            accounts::db::line_connections::delete_old(db).await,
            chat::db::delete_old(db).await,
            moderation::db::delete_old(db).await,
            accounts::db::sanctions::delete_old(db).await,
            accounts::db::tokens::delete_expired(db).await,
            puzzles::db::delete_old(db).await,
            notifications::db::delete_old(db).await,
        ];
        for part in parts {
            part.log_failure("deleting old rows");
        }
    }
}

fn interval(period: Duration) -> Interval {
    let mut interval = tokio::time::interval(period);
    interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
    interval
}
