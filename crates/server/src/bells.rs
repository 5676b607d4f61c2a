//! A bell for each game's waiting room, for each table, and one for all open tables: whoever changes something there rings it, and the room reads
//! itself again.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tochki_protocol::MatchId;
use tochki_rules::Kind;
use tokio::sync::Notify;

/// Ringing is cheap, and rings while the room is reading are heard once afterwards.
#[derive(Clone)]
pub(super) struct Bells {
    rooms: Arc<[Notify]>,
    tables: Arc<Tables>,
    /// Of all open tables together.
    open_tables: Arc<Notify>,
}

/// The tables at which something has changed beside their matches.
#[derive(Default)]
struct Tables {
    rung: Notify,
    /// Which. Held for a moment.
    which: Mutex<HashSet<MatchId>>,
}

impl Default for Bells {
    fn default() -> Self {
        Self {
            rooms: Kind::ALL.iter().map(|_| Notify::new()).collect(),
            tables: Arc::default(),
            open_tables: Arc::default(),
        }
    }
}

impl Bells {
    /// Something changed in this game's waiting room.
    pub(super) fn ring(&self, game: Kind) {
        self.rooms[Self::place(game)].notify_one();
    }

    /// Something changed, it is not known where.
    pub(super) fn ring_all(&self) {
        self.rooms.iter().for_each(Notify::notify_one);
        self.ring_open_tables();
    }

    /// Something changed at an open table.
    pub(super) fn ring_open_tables(&self) {
        self.open_tables.notify_one();
    }

    /// Waits for the next ring of an open table.
    pub(super) async fn open_tables_heard(&self) {
        self.open_tables.notified().await;
    }

    /// Waits for the next ring.
    pub(super) async fn heard(&self, game: Kind) {
        self.rooms[Self::place(game)].notified().await;
    }

    /// Something changed round this match.
    pub(super) fn ring_table(&self, id: MatchId) {
        self.tables
            .which
            .lock()
            .expect("no panic while ringing")
            .insert(id);
        self.tables.rung.notify_one();
    }

    /// Waits for the next ring of a table; which of them have rung since the last time.
    pub(super) async fn tables_heard(&self) -> HashSet<MatchId> {
        self.tables.rung.notified().await;
        std::mem::take(&mut *self.tables.which.lock().expect("no panic while ringing"))
    }

    fn place(game: Kind) -> usize {
        Kind::ALL
            .iter()
            .position(|kind| *kind == game)
            .unwrap_or_default()
    }
}
