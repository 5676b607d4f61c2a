//! One waiting room in memory: it reads the database, and publishes the differences to its subscribers.

use super::changes::{LobbyUpdate, updates};
use super::state::{LobbyState, PlayerView, Reading};
use crate::db::Db;
use crate::frame::lobby_frame;
use crate::lobby::db;
use crate::presence::place::Place;
use crate::shared_read::SharedRead;
use crate::{Error, matches, presence, tables};
use bytes::Bytes;
use std::sync::Mutex;
use std::time::Instant;
use tochki_protocol::{ChallengeOutcome, PlayerId, WaitingRoom, limits};
use tochki_rules::GameKind;
use tokio::sync::broadcast;

/// The receiving end of a room.
pub type LobbySubscription = broadcast::Receiver<LobbyUpdate>;

pub(super) struct LobbyRoom {
    game: GameKind,
    /// The state as last read. Updates are sent and subscriptions created under this lock, so that a subscriber misses no
    /// update after its snapshot. Held for a moment, never across an await.
    state: Mutex<LobbyState>,
    updates: broadcast::Sender<LobbyUpdate>,
    /// Coalesces refreshes.
    refreshing: SharedRead,
}

impl LobbyRoom {
    pub(super) fn new(game: GameKind) -> Self {
        Self {
            game,
            state: Mutex::default(),
            updates: broadcast::channel(limits::LOBBY_CHANNEL_CAPACITY).0,
            refreshing: SharedRead::default(),
        }
    }

    pub(super) fn game(&self) -> GameKind {
        self.game
    }

    pub(super) fn has_subscribers(&self) -> bool {
        self.updates.receiver_count() > 0
    }

    /// Reads the room again and publishes the differences. Many who ask at once share a reading.
    pub(super) async fn refresh(&self, db: &Db) -> Result<(), Error> {
        self.refreshing.run(async || self.read(db).await).await
    }

    async fn read(&self, db: &Db) -> Result<(), Error> {
        // One snapshot, so that the parts are consistent.
        let mut tx = crate::db::begin_read_only(db).await?;
        let place = Place::Lobby(self.game).to_string();
        let reading = Reading {
            players: presence::db::players_of_room(&mut tx, &place, self.game.id()).await?,
            challenges: db::recent(&mut tx, self.game).await?,
            matches: matches::db::recent(&mut tx, self.game, &place).await?,
            tables: tables::db::listed(&mut tx, self.game).await?,
            finished: matches::db::just_finished(&mut tx, self.game).await?,
        };
        // Read-only, so there is nothing to commit.
        tx.rollback().await?;
        let mut state = self.state.lock().expect("no panic while the lock is held");
        let changes = state.apply(self.game, reading, Instant::now());
        for update in updates(self.game, changes, lobby_frame) {
            // Fails without subscribers, which is fine.
            let _ = self.updates.send(update);
        }
        Ok(())
    }

    /// The first frame of a stream for this player, and a subscription to later changes.
    pub(super) fn subscribe(&self, player: PlayerId) -> Result<(Bytes, LobbySubscription), Error> {
        let (snapshot, updates) = {
            let mut state = self.state.lock().expect("no panic while the lock is held");
            let snapshot = state.snapshot_for(self.game, player)?;
            (snapshot, self.updates.subscribe())
        };
        Ok((snapshot.frame()?, updates))
    }

    /// The player's view of the room, and a subscription to later changes.
    pub(super) fn subscribe_to_own(&self, player: PlayerId) -> (PlayerView, LobbySubscription) {
        let state = self.state.lock().expect("no panic while the lock is held");
        (
            state.player_view(self.game, player),
            self.updates.subscribe(),
        )
    }

    pub(super) fn visible_to(&self, player: PlayerId) -> WaitingRoom {
        self.state
            .lock()
            .expect("no panic while the lock is held")
            .visible_to(self.game, player)
    }

    pub(super) fn outcomes_for(&self, player: PlayerId) -> Vec<ChallengeOutcome> {
        self.state
            .lock()
            .expect("no panic while the lock is held")
            .outcomes_for(player)
    }
}
