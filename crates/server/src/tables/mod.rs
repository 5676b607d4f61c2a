//! Open tables: whoever opens one sits down at it and waits for somebody; when both are ready, a match begins.
//!
//! The truth is in the database, and so is who was here when: a table is listed, kept and closed by rows. What stands in
//! memory is what the streams of this instance have seen, read again when a bell rings and at least every two seconds.

mod invitation;
mod seats;

pub use invitation::invite;

use super::db::tables::TableState;
use super::db::{Db, tables};
use super::notifier::Notifier;
use super::presence::Place;
use super::settings::Settings;
use crate::{Error, LogFailure as _};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{Account, Code, Table, TableId, TableLink};
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for what others did.
const LOOK_AROUND: Duration = Duration::from_secs(2);

/// The open tables.
#[derive(Clone)]
pub struct Tables {
    db: Db,
    notifier: Notifier,
    /// How many one player may have open, and all together.
    limits: [i64; 2],
    /// The tables that somebody watches here. Held for a look, never across a wait.
    watched: Arc<Mutex<HashMap<TableId, watch::Sender<TableState>>>>,
    /// Held while reading, so that what is read later is also known later.
    reading: Arc<tokio::sync::Mutex<()>>,
}

impl Tables {
    pub(super) fn open(
        db: Db,
        settings: &Settings,
        notifier: Notifier,
        closing: CancellationToken,
    ) -> Self {
        let limits = [settings.tables_per_player, settings.tables_in_all];
        let tables = Self {
            db,
            notifier,
            limits: limits.map(|limit| limit.get().into()),
            watched: Arc::default(),
            reading: Arc::default(),
        };
        tokio::spawn(tables.clone().keep_fresh(closing));
        tables
    }

    /// The table of this link, also one that was closed of late.
    pub async fn table(&self, link: &TableLink) -> Result<Table, Error> {
        Ok(self.seen(link).await?.table)
    }

    /// The open table at which this player sits, or which they have opened.
    pub async fn of_player(&self, player: &Account) -> Result<Option<Table>, Error> {
        tables::of_player(&self.db, player.id).await
    }

    /// Where somebody is who looks at this table, if they belong there.
    pub async fn place_of(
        &self,
        player: &Account,
        link: &TableLink,
    ) -> Result<Option<Place>, Error> {
        let table = self.table(link).await?;
        let belongs = table.creator.id == player.id || table.sitter(player.id).is_some();
        Ok((belongs && !table.closed).then_some(Place::Table(table.id)))
    }

    /// The table as it is, and from then on as it becomes.
    pub(super) async fn watch(
        &self,
        link: &TableLink,
    ) -> Result<(TableId, watch::Receiver<TableState>), Error> {
        let _reading = self.reading.lock().await;
        let seen = self.seen(link).await?;
        let id = seen.table.id;
        let mut watched = self.watched.lock().expect("no panic while looking");
        let sender = watched
            .entry(id)
            .or_insert_with(|| watch::channel(seen.clone()).0);
        let receiver = sender.subscribe();
        tell(sender, seen);
        Ok((id, receiver))
    }

    /// Gets those up who have gone, and closes what has been left.
    pub(super) async fn sweep(&self) -> Result<(), Error> {
        if tables::sweep(&self.db).await? {
            self.notifier.notify_all();
        }
        Ok(())
    }

    async fn seen(&self, link: &TableLink) -> Result<TableState, Error> {
        let seen = tables::by_link(&self.db, link).await?;
        seen.ok_or(Code::NoSuchTable.into())
    }

    async fn keep_fresh(self, closing: CancellationToken) {
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                () = self.notifier.tables_notified() => {}
                () = tokio::time::sleep(LOOK_AROUND) => {}
            }
            // The next round is soon.
            let polled = self.look_around().await;
            polled.log_failure("polling open tables");
        }
    }

    /// Reads the tables that somebody watches, and forgets the others.
    async fn look_around(&self) -> Result<(), Error> {
        let ids: Vec<i64> = {
            let mut watched = self.watched.lock().expect("no panic while looking");
            watched.retain(|_, sender| sender.receiver_count() > 0);
            watched.keys().map(|id| id.0).collect()
        };
        if ids.is_empty() {
            return Ok(());
        }
        let _reading = self.reading.lock().await;
        let seen = tables::look(&self.db, &ids).await?;
        let watched = self.watched.lock().expect("no panic while looking");
        for seen in seen {
            if let Some(sender) = watched.get(&seen.table.id) {
                tell(sender, seen);
            }
        }
        Ok(())
    }
}

fn tell(sender: &watch::Sender<TableState>, seen: TableState) {
    sender.send_if_modified(|known| {
        let new = *known != seen;
        *known = seen;
        new
    });
}
