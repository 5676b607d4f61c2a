//! The matches in memory. No instance owns one: what stands here is a copy that the database's versions keep honest.

mod table;

pub use table::{News, Table};

use super::bells::Bells;
use super::db::{Db, matches};
use crate::rules::Seat;
use crate::wire::{Account, ApiError, Around, Code, MatchId, Snapshot};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for moves that others have written.
const LOOK_AROUND: Duration = Duration::from_secs(2);

/// The tables that somebody has asked for of late.
#[derive(Clone)]
pub struct Tables {
    db: Db,
    bells: Bells,
    /// Held for a look-up, never across a wait.
    shelf: Arc<Mutex<HashMap<MatchId, Arc<Table>>>>,
}

impl Tables {
    pub(super) fn open(db: Db, bells: Bells, closing: CancellationToken) -> Self {
        let tables = Self {
            db,
            bells,
            shelf: Arc::default(),
        };
        tokio::spawn(tables.clone().keep_fresh(closing));
        tables
    }

    /// The table of this match.
    pub async fn table(&self, id: MatchId) -> Result<Arc<Table>, ApiError> {
        if let Some(table) = self.shelf.lock().expect("no panic while looking").get(&id) {
            return Ok(table.clone());
        }
        let table = Table::load(self.db.clone(), self.bells.clone(), id)
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
    pub async fn seated(
        &self,
        id: MatchId,
        player: &Account,
    ) -> Result<(Arc<Table>, Seat), ApiError> {
        let table = self.table(id).await?;
        let seat = table.seat_of(player.id).ok_or(Code::NotAPlayer)?;
        Ok((table, seat))
    }

    /// The match as it stands, also if another instance made the last move.
    pub async fn snapshot(&self, id: MatchId) -> Result<Snapshot, ApiError> {
        let table = self.table(id).await?;
        table.catch_up().await?;
        let present = matches::present(&self.db, id, table.players()).await?;
        Ok(table.snapshot(present, &Around::default()).await)
    }

    /// A match worth looking at, if any was ever played.
    pub async fn showcase(&self) -> Result<Option<Snapshot>, ApiError> {
        match matches::showcase(&self.db).await? {
            Some(id) => self.snapshot(id).await.map(Some),
            None => Ok(None),
        }
    }

    /// Lets every match whose deadline has passed know it. Several instances may do so at once: the version decides.
    pub(super) async fn tick_due(&self) -> Result<(), ApiError> {
        for id in matches::due(&self.db).await? {
            // One match that cannot be read must not stop the clocks of all others; it has been logged.
            if let Ok(table) = self.table(id).await {
                let _ = table.tick().await;
            }
        }
        Ok(())
    }

    async fn keep_fresh(self, closing: CancellationToken) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                _ = look.tick() => {}
            }
            self.clear_shelf();
            // The database has logged a failure, and the next look is soon.
            let _ = self.look_around().await;
        }
    }

    /// Takes tables off the shelf that nobody uses; they are read again when somebody asks.
    fn clear_shelf(&self) {
        let mut shelf = self.shelf.lock().expect("no panic while looking");
        shelf.retain(|_, table| {
            Arc::strong_count(table) > 1 || table.has_listeners() || table.used_lately()
        });
    }

    async fn look_around(&self) -> Result<(), ApiError> {
        let heard: Vec<Arc<Table>> = {
            let shelf = self.shelf.lock().expect("no panic while looking");
            shelf
                .values()
                .filter(|table| table.has_listeners())
                .cloned()
                .collect()
        };
        let ids: Vec<i64> = heard.iter().map(|table| table.id().0).collect();
        if ids.is_empty() {
            return Ok(());
        }
        let versions: HashMap<MatchId, u32> = matches::versions(&self.db, &ids)
            .await?
            .into_iter()
            .collect();
        for table in heard {
            if versions
                .get(&table.id())
                .is_some_and(|version| *version > table.known_version())
            {
                // One match that cannot be read keeps no other from being told; the failure is logged.
                let _ = table.catch_up().await;
            }
        }
        Ok(())
    }
}
