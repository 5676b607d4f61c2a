//! The tournaments that are watched on this instance, each with its stream of frames.

use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tochki_protocol::{TournamentId, limits};
use tokio::sync::broadcast;

/// The frames of events, encoded once for all who watch.
pub(crate) type Frames = Arc<[Bytes]>;

/// The tournaments that are watched.
#[derive(Default)]
pub(super) struct Feeds {
    /// Held for a lookup, never across an await.
    watched: Mutex<HashMap<TournamentId, broadcast::Sender<Frames>>>,
}

impl Feeds {
    pub(super) fn subscribe(&self, id: TournamentId) -> broadcast::Receiver<Frames> {
        let mut watched = self
            .watched
            .lock()
            .expect("no panic while the lock is held");
        let feed = watched
            .entry(id)
            .or_insert_with(|| broadcast::channel(limits::TOURNAMENT_FEED_CAPACITY).0);
        feed.subscribe()
    }

    /// Returns the tournaments that are watched still, and forgets the others.
    pub(super) fn watched(&self) -> Vec<(TournamentId, broadcast::Sender<Frames>)> {
        let mut watched = self
            .watched
            .lock()
            .expect("no panic while the lock is held");
        watched.retain(|_, feed| feed.receiver_count() > 0);
        watched
            .iter()
            .map(|(id, feed)| (*id, feed.clone()))
            .collect()
    }
}

/// The events of one tournament, for one stream.
pub(crate) struct Feed {
    /// The frames of the snapshot and the standings.
    pub(crate) opening: Frames,
    /// All later frames.
    pub(crate) frames: broadcast::Receiver<Frames>,
    /// Whether players are present by it, also before they enter: in rounds, and before an arena.
    pub(crate) asks_presence: bool,
}
