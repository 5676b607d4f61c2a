//! The matches in memory. No instance owns one: what stands here is a copy that the database's versions keep honest.

mod live_match;
mod rematch;
mod replica;

pub use live_match::{LiveMatch, PublishedEvent, StatusUpdate};

use super::db::match_status::Absence;
use super::db::{Db, match_status, matches};
use super::notifier::Notifier;
use super::outage_clock::OutageClock;
use crate::{About as _, Error, LogFailure as _};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{Account, Code, MatchId, PlayerId, Snapshot};
use tochki_rules::Seat;
use tochki_rules::record::Record;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for moves that others have written.
const LOOK_AROUND: Duration = Duration::from_secs(2);

/// The tables that somebody has asked for of late.
#[derive(Clone)]
pub struct Matches {
    db: Db,
    time: OutageClock,
    notifier: Notifier,
    /// Held for a look-up, never across a wait.
    cache: Arc<Mutex<HashMap<MatchId, Arc<LiveMatch>>>>,
}

impl Matches {
    pub(super) fn open(
        db: Db,
        time: OutageClock,
        notifier: Notifier,
        closing: CancellationToken,
    ) -> Self {
        let tables = Self {
            db,
            time,
            notifier,
            cache: Arc::default(),
        };
        tokio::spawn(tables.clone().keep_fresh(closing));
        tables
    }

    /// The table of this match.
    pub async fn table(&self, id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        if let Some(table) = self.cache.lock().expect("no panic while looking").get(&id) {
            return Ok(table.clone());
        }
        let table = LiveMatch::load(
            self.db.clone(),
            self.time.clone(),
            self.notifier.clone(),
            id,
        )
        .await?
        .ok_or(Code::NoSuchMatch)?;
        // Two may have loaded it at once: the first on the cache is the one for all.
        Ok(self
            .cache
            .lock()
            .expect("no panic while looking")
            .entry(id)
            .or_insert_with(|| Arc::new(table))
            .clone())
    }

    /// The table, and the seat of this player at it.
    pub async fn seated(
        &self,
        id: MatchId,
        player: &Account,
    ) -> Result<(Arc<LiveMatch>, Seat), Error> {
        let table = self.table(id).await?;
        let seat = table.seat_of(player.id).ok_or(Code::NotAPlayer)?;
        Ok((table, seat))
    }

    /// The match as it stands, also if another instance made the last move.
    pub async fn snapshot(&self, id: MatchId) -> Result<Snapshot, Error> {
        let table = self.table(id).await?;
        table.catch_up().await?;
        let present = matches::present(&self.db, id, table.players()).await?;
        let around = table.look().await?;
        table.snapshot(present, &around).await
    }

    /// The match as it is kept on paper. There is no such match where its game is not.
    pub async fn record(&self, id: MatchId) -> Result<Record, Error> {
        let table = self.table(id).await?;
        table.catch_up().await?;
        table.record().await?.ok_or(Code::NoSuchMatch.into())
    }

    /// A match worth looking at, if any was ever played.
    pub async fn showcase(&self) -> Result<Option<Snapshot>, Error> {
        match matches::showcase(&self.db).await? {
            Some(id) => self.snapshot(id).await.map(Some),
            None => Ok(None),
        }
    }

    /// Lets every match whose deadline has passed know it. Several instances may do so at once: the version decides.
    pub(super) async fn tick_due(&self) -> Result<(), Error> {
        for id in matches::due(&self.db).await? {
            // One match that cannot be read must not stop the clocks of all others.
            let ticked = async { self.table(id).await?.tick().await };
            ticked.await.about(id).log_failure("ending overdue matches");
        }
        Ok(())
    }

    /// Ends the matches of those who have been away for too long. They come with the longest absence first, which is what
    /// decides if both are away.
    pub(super) async fn end_abandoned(&self, absences: &[Absence]) {
        for (place, absence) in absences.iter().enumerate() {
            let of_match = |other: &&Absence| other.id == absence.id;
            if !absence.over || absences[..place].iter().any(|other| of_match(&other)) {
                continue;
            }
            let equally_long: Vec<PlayerId> = absences[place..]
                .iter()
                .filter(of_match)
                .filter(|other| other.since == absence.since)
                .map(|other| other.player)
                .collect();
            // One match that cannot be read keeps no other from its end.
            let ended = async { self.table(absence.id).await?.abandon(&equally_long).await };
            ended
                .await
                .about(absence.id)
                .log_failure("ending abandoned matches");
        }
    }

    /// Lets those who listen know that what they see of time is no longer so.
    pub(super) async fn tell_other_times(&self) {
        let tables: Vec<_> = {
            let cache = self.cache.lock().expect("no panic while looking");
            let listened = cache.values().filter(|table| table.has_listeners());
            listened.cloned().collect()
        };
        for table in tables {
            // After a failure the next command catches up.
            let caught_up = table.catch_up().await;
            caught_up.log_failure("reading a match after an outage");
        }
    }

    async fn keep_fresh(self, closing: CancellationToken) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            let rung = tokio::select! {
                () = closing.cancelled() => return,
                rung = self.notifier.matches_notified() => Some(rung),
                _ = look.tick() => None,
            };
            if rung.is_none() {
                self.evict_unused();
            }
            // The next round is soon.
            self.look_around(rung).await.log_failure("polling matches");
        }
    }

    /// Takes tables off the cache that nobody uses; they are read again when somebody asks.
    fn evict_unused(&self) {
        let mut cache = self.cache.lock().expect("no panic while looking");
        cache.retain(|_, table| {
            Arc::strong_count(table) > 1 || table.has_listeners() || table.used_lately()
        });
    }

    /// Looks at these tables, or at all, as far as somebody listens there: what happened in the match elsewhere, and what
    /// goes on round it.
    async fn look_around(&self, which: Option<HashSet<MatchId>>) -> Result<(), Error> {
        let heard: HashMap<MatchId, Arc<LiveMatch>> = {
            let cache = self.cache.lock().expect("no panic while looking");
            cache
                .iter()
                .filter(|(id, table)| {
                    table.has_listeners() && which.as_ref().is_none_or(|which| which.contains(id))
                })
                .map(|(id, table)| (*id, table.clone()))
                .collect()
        };
        let ids: Vec<i64> = heard.keys().map(|id| id.0).collect();
        if ids.is_empty() {
            return Ok(());
        }
        for seen in match_status::look(&self.db, &ids).await? {
            let Some(table) = heard.get(&seen.id) else {
                continue;
            };
            if seen.version > table.known_version() {
                // One match that cannot be read keeps no other from being updated.
                table.catch_up().await.log_failure("polling a match");
            }
            table.see(seen);
        }
        Ok(())
    }
}
