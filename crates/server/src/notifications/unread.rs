//! The numbers of unread notifications, and of games on turn, of the players with open streams at this instance.
//!
//! The code that changes one notifies the task of each instance, which reads the numbers of the players concerned with one query,
//! and passes them to their streams. Each player has a channel of their own, so that no other stream wakes.

use crate::bus::notifier::Notifier;
use crate::bus::topic::Topic;
use crate::db::Db;
use crate::frame::notified_frame;
use crate::notifications::db;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use bytes::Bytes;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tochki_protocol::{Notified, PlayerId, limits};
use tokio::sync::watch;
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// The numbers, as last read; `None` is not read yet.
#[derive(Clone)]
pub(super) struct UnreadCounts {
    db: Db,
    notifier: Notifier,
    /// Of the players with streams. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<PlayerId, watch::Sender<Option<Notified>>>>>,
}

/// The numbers of one player, for one stream.
pub(crate) struct UnreadSubscription {
    counts: UnreadCounts,
    player: PlayerId,
    receiver: watch::Receiver<Option<Notified>>,
    /// The numbers that the reader knows.
    sent: Option<Notified>,
}

impl UnreadCounts {
    pub(super) fn open(db: Db, notifier: Notifier, tasks: &Tasks) -> Self {
        let counts = Self {
            db,
            notifier,
            open: Arc::default(),
        };
        tasks.spawn("unread notifications", {
            let (counts, shutdown) = (counts.clone(), tasks.shutdown());
            move || counts.clone().run(shutdown.clone())
        });
        counts
    }

    pub(super) fn subscribe(&self, player: PlayerId, is_page: bool) -> UnreadSubscription {
        let receiver = {
            let mut open = self.open.lock().expect("no panic while the lock is held");
            let sender = open.entry(player);
            sender.or_insert_with(|| watch::channel(None).0).subscribe()
        };
        // Read for each stream, because the reader may have missed what was told before.
        self.notifier.notify_local(Topic::Notified(player));
        UnreadSubscription {
            counts: self.clone(),
            player,
            receiver,
            sent: (!is_page).then(Notified::default),
        }
    }

    async fn run(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(limits::UNREAD_POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let players = tokio::select! {
                () = shutdown.cancelled() => return,
                players = self.notifier.notified_players() => players,
                _ = poll.tick() => None,
            };
            // After a failure the poll reads them.
            let published = self.publish(players).await;
            published.log_failure("counting unread notifications");
        }
    }

    /// Publishes the numbers of these players, or of all, as far as they have streams.
    async fn publish(&self, players: Option<HashSet<PlayerId>>) -> Result<(), Error> {
        let players: Vec<i64> = {
            let open = self.open.lock().expect("no panic while the lock is held");
            let asked = open.keys().filter(|player| {
                let players = players.as_ref();
                players.is_none_or(|players| players.contains(player))
            });
            asked.map(|player| player.0).collect()
        };
        if players.is_empty() {
            return Ok(());
        }
        let counts: HashMap<PlayerId, Notified> =
            db::counts(&self.db, &players).await?.into_iter().collect();
        let open = self.open.lock().expect("no panic while the lock is held");
        for player in players.into_iter().map(PlayerId) {
            let Some(sender) = open.get(&player) else {
                continue;
            };
            let count = Some(counts.get(&player).copied().unwrap_or_default());
            sender.send_if_modified(|known| std::mem::replace(known, count) != count);
        }
        Ok(())
    }
}

impl UnreadSubscription {
    /// The next numbers, as an event of a stream. Cancel-safe.
    pub(crate) async fn next(&mut self) -> Bytes {
        loop {
            let count = *self.receiver.borrow_and_update();
            if let Some(notified) = count.filter(|_| count != self.sent) {
                self.sent = count;
                return notified_frame(notified);
            }
            if self.receiver.changed().await.is_err() {
                return std::future::pending().await;
            }
        }
    }
}

impl Drop for UnreadSubscription {
    fn drop(&mut self) {
        let open = &self.counts.open;
        let mut open = open.lock().expect("no panic while the lock is held");
        // This receiver counts until it is dropped, after this.
        if let Some(sender) = open.get(&self.player)
            && sender.receiver_count() <= 1
        {
            open.remove(&self.player);
        }
    }
}
