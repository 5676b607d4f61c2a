//! A bell for each game's waiting room, for each table, and one for all open tables: whoever changes something there rings it, and the room reads
//! itself again.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tochki_protocol::MatchId;
use tochki_rules::GameKind;
use tokio::sync::Notify;

/// Ringing is cheap, and rings while the room is reading are heard once afterwards.
#[derive(Clone)]
pub(super) struct Notifier {
    rooms: Arc<[Notify]>,
    tables: Arc<MatchNotifications>,
    /// Of all open tables together.
    open_tables: Arc<Notify>,
}

/// The tables at which something has changed beside their matches.
#[derive(Default)]
struct MatchNotifications {
    rung: Notify,
    /// Which. Held for a moment.
    which: Mutex<HashSet<MatchId>>,
}

impl Default for Notifier {
    fn default() -> Self {
        Self {
            rooms: GameKind::ALL.iter().map(|_| Notify::new()).collect(),
            tables: Arc::default(),
            open_tables: Arc::default(),
        }
    }
}

impl Notifier {
    /// Something changed in this game's waiting room.
    pub(super) fn notify(&self, game: GameKind) {
        self.rooms[Self::place(game)].notify_one();
    }

    /// Something changed, it is not known where.
    pub(super) fn notify_all(&self) {
        self.rooms.iter().for_each(Notify::notify_one);
        self.notify_tables();
    }

    /// Something changed at an open table.
    pub(super) fn notify_tables(&self) {
        self.open_tables.notify_one();
    }

    /// Waits for the next ring of an open table.
    pub(super) async fn tables_notified(&self) {
        self.open_tables.notified().await;
    }

    /// Waits for the next ring.
    pub(super) async fn notified(&self, game: GameKind) {
        self.rooms[Self::place(game)].notified().await;
    }

    /// Something changed round this match.
    pub(super) fn notify_match(&self, id: MatchId) {
        self.tables
            .which
            .lock()
            .expect("no panic while ringing")
            .insert(id);
        self.tables.rung.notify_one();
    }

    /// Waits for the next ring of a table; which of them have rung since the last time.
    pub(super) async fn matches_notified(&self) -> HashSet<MatchId> {
        self.tables.rung.notified().await;
        std::mem::take(&mut *self.tables.which.lock().expect("no panic while ringing"))
    }

    fn place(game: GameKind) -> usize {
        GameKind::ALL
            .iter()
            .position(|kind| *kind == game)
            .unwrap_or_default()
    }
}
