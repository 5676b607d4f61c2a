//! The matches in memory. No instance owns one: what stands here is a copy that the database's versions keep honest.

mod known;
mod rematch;
mod table;

pub use table::{Beside, News, Table};

use super::bells::Bells;
use super::db::around::Absence;
use super::db::{Db, around, matches};
use super::timekeeper::Timekeeper;
use crate::Error;
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
pub struct Tables {
    db: Db,
    time: Timekeeper,
    bells: Bells,
    /// Held for a look-up, never across a wait.
    shelf: Arc<Mutex<HashMap<MatchId, Arc<Table>>>>,
}

impl Tables {
    pub(super) fn open(db: Db, time: Timekeeper, bells: Bells, closing: CancellationToken) -> Self {
        let tables = Self {
            db,
            time,
            bells,
            shelf: Arc::default(),
        };
        tokio::spawn(tables.clone().keep_fresh(closing));
        tables
    }

    /// The table of this match.
    pub async fn table(&self, id: MatchId) -> Result<Arc<Table>, Error> {
        if let Some(table) = self.shelf.lock().expect("no panic while looking").get(&id) {
            return Ok(table.clone());
        }
        let table = Table::load(self.db.clone(), self.time.clone(), self.bells.clone(), id)
            .await?
            .ok_or(Code::NoSuchMatch)?;
        // Two may have loaded it at once: the first on the shelf is the one for all.
        Ok(self
            .shelf
            .lock()
            .expect("no panic while looking")
            .entry(id)
            .or_insert_with(|| Arc::new(table))
            .clone())
    }

    /// The table, and the seat of this player at it.
    pub async fn seated(&self, id: MatchId, player: &Account) -> Result<(Arc<Table>, Seat), Error> {
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
            // One match that cannot be read must not stop the clocks of all others; it has been logged.
            if let Ok(table) = self.table(id).await {
                let _ = table.tick().await;
            }
        }
        Ok(())
    }

    /// Ends the matches of those who have been away for too long. They come with the longest absence first, which is what
    /// decides if both are away.
    pub(super) async fn end_deserted(&self, absences: &[Absence]) {
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
            // One match that cannot be read keeps no other from its end; it has been logged.
            if let Ok(table) = self.table(absence.id).await {
                let _ = table.desert(&equally_long).await;
            }
        }
    }

    /// Lets those who listen know that what they see of time is no longer so.
    pub(super) async fn tell_other_times(&self) {
        let tables: Vec<_> = {
            let shelf = self.shelf.lock().expect("no panic while looking");
            let listened = shelf.values().filter(|table| table.has_listeners());
            listened.cloned().collect()
        };
        for table in tables {
            // Whoever is not told now is told with the next command; the failure is logged.
            let _ = table.catch_up().await;
        }
    }

    async fn keep_fresh(self, closing: CancellationToken) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            let rung = tokio::select! {
                () = closing.cancelled() => return,
                rung = self.bells.tables_heard() => Some(rung),
                _ = look.tick() => None,
            };
            if rung.is_none() {
                self.clear_shelf();
            }
            // The database has logged a failure, and the next look is soon.
            let _ = self.look_around(rung).await;
        }
    }

    /// Takes tables off the shelf that nobody uses; they are read again when somebody asks.
    fn clear_shelf(&self) {
        let mut shelf = self.shelf.lock().expect("no panic while looking");
        shelf.retain(|_, table| {
            Arc::strong_count(table) > 1 || table.has_listeners() || table.used_lately()
        });
    }

    /// Looks at these tables, or at all, as far as somebody listens there: what happened in the match elsewhere, and what
    /// goes on round it.
    async fn look_around(&self, which: Option<HashSet<MatchId>>) -> Result<(), Error> {
        let heard: HashMap<MatchId, Arc<Table>> = {
            let shelf = self.shelf.lock().expect("no panic while looking");
            shelf
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
        for seen in around::look(&self.db, &ids).await? {
            let Some(table) = heard.get(&seen.id) else {
                continue;
            };
            if seen.version > table.known_version() {
                // One match that cannot be read keeps no other from being told; the failure is logged.
                let _ = table.catch_up().await;
            }
            table.see(seen);
        }
        Ok(())
    }
}
