//! In-process notifications: whoever changes a waiting room, a match or an open table notifies the task that reads it.

use std::collections::HashSet;
use std::sync::{Arc, Mutex};
use tochki_protocol::MatchId;
use tochki_rules::GameKind;
use tokio::sync::Notify;

/// Notifying is cheap. Notifications while the task reads are delivered once afterwards.
#[derive(Clone)]
pub(super) struct Notifier {
    /// One for the waiting room of each game.
    lobbies: Arc<[Notify]>,
    matches: Arc<PendingMatches>,
    /// One for all open tables.
    tables: Arc<Notify>,
}

/// The matches whose status has changed.
#[derive(Default)]
struct PendingMatches {
    notify: Notify,
    /// Held for a moment.
    ids: Mutex<HashSet<MatchId>>,
}

impl Default for Notifier {
    fn default() -> Self {
        Self {
            lobbies: GameKind::ALL.iter().map(|_| Notify::new()).collect(),
            matches: Arc::default(),
            tables: Arc::default(),
        }
    }
}

impl Notifier {
    /// The waiting room of this game has changed.
    pub(super) fn notify(&self, game: GameKind) {
        self.lobbies[Self::index(game)].notify_one();
    }

    /// Any waiting room and any open table may have changed.
    pub(super) fn notify_all(&self) {
        self.lobbies.iter().for_each(Notify::notify_one);
        self.tables.notify_one();
    }

    /// Waits until an open table may have changed.
    pub(super) async fn tables_notified(&self) {
        self.tables.notified().await;
    }

    /// Waits until the waiting room of this game may have changed.
    pub(super) async fn notified(&self, game: GameKind) {
        self.lobbies[Self::index(game)].notified().await;
    }

    /// The status of this match has changed.
    pub(super) fn notify_match(&self, id: MatchId) {
        self.matches
            .ids
            .lock()
            .expect("no panic while the lock is held")
            .insert(id);
        self.matches.notify.notify_one();
    }

    /// Waits until the status of a match has changed. Returns all that have since the last call.
    pub(super) async fn matches_notified(&self) -> HashSet<MatchId> {
        self.matches.notify.notified().await;
        let mut ids = self
            .matches
            .ids
            .lock()
            .expect("no panic while the lock is held");
        std::mem::take(&mut *ids)
    }

    fn index(game: GameKind) -> usize {
        GameKind::ALL
            .iter()
            .position(|kind| *kind == game)
            .unwrap_or_default()
    }
}
