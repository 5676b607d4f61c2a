//! A bell for each game's waiting room: whoever changes something there rings it, and the room reads itself again.

use crate::rules::Kind;
use std::sync::Arc;
use tokio::sync::Notify;

/// One bell a game. Ringing is cheap, and rings while the room is reading are heard once afterwards.
#[derive(Clone)]
pub(super) struct Bells(Arc<[Notify]>);

impl Default for Bells {
    fn default() -> Self {
        Self(Kind::ALL.iter().map(|_| Notify::new()).collect())
    }
}

impl Bells {
    /// Something changed in this game's waiting room.
    pub(super) fn ring(&self, game: Kind) {
        self.0[Self::place(game)].notify_one();
    }

    /// Something changed, it is not known where.
    pub(super) fn ring_all(&self) {
        self.0.iter().for_each(Notify::notify_one);
    }

    /// Waits for the next ring.
    pub(super) async fn heard(&self, game: Kind) {
        self.0[Self::place(game)].notified().await;
    }

    fn place(game: Kind) -> usize {
        Kind::ALL
            .iter()
            .position(|kind| *kind == game)
            .unwrap_or_default()
    }
}
