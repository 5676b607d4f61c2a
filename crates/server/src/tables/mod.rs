//! Open tables: a player creates one and waits for an opponent; when both are ready, a match starts.
//!
//! 1. `seats` has the operations: create, sit, stand up, remove, ready. Each is one transaction that locks the players first, as
//!    everything does that may start a match, and then the tables. So of two players who want one seat one comes second,
//!    and nobody sits at two tables.
//!    A table that is not listed can be joined only with its link, and a player who was removed cannot return to it, nor can one
//!    sit down whom a player there has muted. The name of a table is a public message: a player whom an operator has muted
//!    names none, and a player who has muted the creator does not see the name. Opening tables and sitting down is limited
//!    (`attempts`); tables at which a match was played do not count.
//! 2. When both are ready, the match starts in the transaction that made the second one ready. The seats are drawn by
//!    `tochki_play::draw_seats`. Every start of a match (`db::start_match`) removes its players from tables and
//!    closes those they have created; a match with a guest becomes unrated there.
//! 3. `presence` has the players at the table or in a waiting room. The sweeper stores it as `seen_at` of the table and of
//!    each seat, and decides by that alone. A table is listed for [`limits::TABLE_LISTING_TIMEOUT`] after its creator was
//!    last seen, and stays open for [`limits::TABLE_TIMEOUT`], because on a phone sending the link means leaving the page.
//!    Others lose their seat after [`limits::SEAT_TIMEOUT`], and nobody is ready after [`limits::READY_TIMEOUT`].
//! 4. `GET /events/table/{link}` (`streams::table_stream`) sends the table after each change, and at last the match or the
//!    closing. `db` reads the columns of a table into [`Table`], whose JSON it and the waiting room send.
//! 5. The page has no island. `public/open_table.js` fetches it again after each event and replaces the parts that differ.
//!
//! In memory are only the tables that streams of this instance watch. They are read again after a notification and every
//! [`limits::POLL_INTERVAL`].
//!
//! [`limits::TABLE_LISTING_TIMEOUT`]: tochki_protocol::limits::TABLE_LISTING_TIMEOUT
//! [`limits::TABLE_TIMEOUT`]: tochki_protocol::limits::TABLE_TIMEOUT
//! [`limits::SEAT_TIMEOUT`]: tochki_protocol::limits::SEAT_TIMEOUT
//! [`limits::READY_TIMEOUT`]: tochki_protocol::limits::READY_TIMEOUT
//! [`limits::POLL_INTERVAL`]: tochki_protocol::limits::POLL_INTERVAL

pub mod db;
mod invitation;
mod seats;

pub use invitation::invite;

use crate::attempts::Attempts;
use crate::bus::notifier::Notifier;
use crate::db::Db;
use crate::pairing::capacity::Capacity;
use crate::presence::place::Place;
use crate::settings::Settings;
use crate::supervision::Tasks;
use crate::tables::db::TableState;
use crate::{Error, LogFailure as _};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{Account, Code, PlayerId, Table, TableId, TableLink};
use tochki_rules::GameKind;
use tokio::sync::watch;
use tokio_util::sync::CancellationToken;

/// The open tables.
#[derive(Clone)]
pub struct Tables {
    db: Db,
    notifier: Notifier,
    poll_interval: Duration,
    capacity: Capacity,
    max_open: MaxOpen,
    attempts: Attempts,
    /// The tables with watchers. Held for a lookup, never across an await.
    watched: Arc<Mutex<HashMap<TableId, watch::Sender<TableState>>>>,
    /// Held while reading, so that readings are published in their order.
    reading: Arc<tokio::sync::Mutex<()>>,
}

/// Limits on open tables.
#[derive(Clone, Copy)]
struct MaxOpen {
    per_player: i64,
    by_address: i64,
    in_all: i64,
}

impl Tables {
    pub(super) fn open(
        db: Db,
        settings: &Settings,
        capacity: Capacity,
        notifier: Notifier,
        tasks: &Tasks,
    ) -> Self {
        let max_open = MaxOpen {
            per_player: settings.tables_per_player.get().into(),
            by_address: settings.tables_by_address.get().into(),
            in_all: settings.tables_in_all.get().into(),
        };
        let tables = Self {
            attempts: Attempts::open(db.clone(), settings),
            db,
            notifier,
            poll_interval: settings.poll_interval,
            capacity,
            max_open,
            watched: Arc::default(),
            reading: Arc::default(),
        };
        tasks.spawn("tables", {
            let (tables, shutdown) = (tables.clone(), tasks.shutdown());
            move || tables.clone().poll_loop(shutdown.clone())
        });
        tables
    }

    /// The table of this link, open or recently closed.
    ///
    /// # Errors
    /// `no_such_table`.
    pub async fn table(&self, link: &TableLink) -> Result<Table, Error> {
        Ok(self.state(link).await?.table)
    }

    /// The open table at which this player sits, or which they have created.
    pub async fn of_player(&self, player: &Account) -> Result<Option<Table>, Error> {
        db::of_player(&self.db, player.id).await
    }

    /// The table of this link as a viewer sees it: after its creator, if the viewer has muted that player.
    ///
    /// # Errors
    /// `no_such_table`.
    pub async fn table_for(
        &self,
        link: &TableLink,
        viewer: Option<PlayerId>,
    ) -> Result<Table, Error> {
        let mut table = self.table(link).await?;
        if let Some(viewer) = viewer
            && self.mutes(viewer, table.creator.id).await?
        {
            table.hide_name();
        }
        Ok(table)
    }

    /// Returns whether this viewer has muted the creator of a table, and does not see its name.
    pub(crate) async fn mutes(&self, viewer: PlayerId, creator: PlayerId) -> Result<bool, Error> {
        db::has_muted(&self.db, viewer, creator).await
    }

    /// The tables of this game in its waiting room that this player sees, oldest first.
    pub async fn listed(&self, game: GameKind, player: PlayerId) -> Result<Vec<Table>, Error> {
        let mut tx = crate::db::begin_read_only(&self.db).await?;
        let listed = db::listed(&mut tx, game).await?;
        tx.rollback().await?;
        let shown = listed
            .into_iter()
            .filter(|listed| listed.is_shown_to(player));
        Ok(shown.map(|listed| listed.table).collect())
    }

    /// The tables of this name and game whose seats are taken, or at which a match is running.
    pub async fn full(&self, game: GameKind, name: &str) -> Result<Vec<Table>, Error> {
        db::full(&self.db, game, name).await
    }

    /// The place where a player is present who opens the page of this table, if they belong to it.
    pub async fn place_of(
        &self,
        player: &Account,
        link: &TableLink,
    ) -> Result<Option<Place>, Error> {
        let table = self.table(link).await?;
        let belongs = table.creator.id == player.id || table.seated_player(player.id).is_some();
        Ok((belongs && !table.closed).then_some(Place::Table(table.id)))
    }

    /// The table now, and after each change.
    pub async fn watch(
        &self,
        link: &TableLink,
    ) -> Result<(TableId, watch::Receiver<TableState>), Error> {
        let _reading = self.reading.lock().await;
        let state = self.state(link).await?;
        let id = state.table.id;
        let mut watched = self
            .watched
            .lock()
            .expect("no panic while the lock is held");
        let sender = watched
            .entry(id)
            .or_insert_with(|| watch::channel(state.clone()).0);
        let receiver = sender.subscribe();
        publish(sender, state);
        Ok((id, receiver))
    }

    /// Frees the seats of absent players, and closes abandoned tables.
    pub(super) async fn sweep(&self) -> Result<(), Error> {
        let swept = db::sweep(&self.db).await?;
        if db::close_abandoned_tables(&self.db).await? || swept {
            self.notifier.notify_rooms();
        }
        Ok(())
    }

    async fn state(&self, link: &TableLink) -> Result<TableState, Error> {
        let state = db::by_link(&self.db, link).await?;
        state.ok_or(Code::NoSuchTable.into())
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.notifier.tables_notified() => {}
                () = tokio::time::sleep(self.poll_interval) => {}
            }
            // The next round is soon.
            let polled = self.poll().await;
            polled.log_failure("polling open tables");
        }
    }

    /// Reads the tables that have watchers, and drops the others.
    async fn poll(&self) -> Result<(), Error> {
        let ids: Vec<i64> = {
            let mut watched = self
                .watched
                .lock()
                .expect("no panic while the lock is held");
            watched.retain(|_, sender| sender.receiver_count() > 0);
            watched.keys().map(|id| id.0).collect()
        };
        if ids.is_empty() {
            return Ok(());
        }
        let _reading = self.reading.lock().await;
        let state = db::by_ids(&self.db, &ids).await?;
        let watched = self
            .watched
            .lock()
            .expect("no panic while the lock is held");
        for state in state {
            if let Some(sender) = watched.get(&state.table.id) {
                publish(sender, state);
            }
        }
        Ok(())
    }
}

fn publish(sender: &watch::Sender<TableState>, state: TableState) {
    sender.send_if_modified(|current| {
        let changed = *current != state;
        *current = state;
        changed
    });
}
