//! Registry of the connections of this instance: the player of each, and the numbers of players and games.

use std::collections::HashMap;
use std::num::NonZeroU32;
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_protocol::{MatchId, PlayerId};
use tokio::sync::{Notify, OwnedSemaphorePermit, Semaphore};
use tokio::time::timeout;
use tokio_util::sync::CancellationToken;

/// The connections of players.
#[derive(Clone)]
pub(crate) struct Registry {
    /// Held for a lookup, never across an await.
    inner: Arc<Mutex<Inner>>,
    players: Arc<Semaphore>,
    max_games: usize,
    /// Held while a game is created, so that no two have one name.
    creating: Arc<tokio::sync::Mutex<()>>,
}

#[derive(Default)]
struct Inner {
    connections: HashMap<PlayerId, Entry>,
    /// The number of connections in each game.
    games: HashMap<GameKey, usize>,
    created: u64,
}

struct Entry {
    connection: i64,
    /// Whether the database knows the connection.
    stored: bool,
    unresponsive: bool,
    replaced: CancellationToken,
    probe: Arc<Probe>,
}

/// The question whether a connection is still alive, which another connection of the player asks.
#[derive(Default)]
struct Probe {
    /// Wakes the connection, which then sends a ping.
    asked: Notify,
    /// Wakes those who ask, at every line of the client.
    heard: Notify,
}

/// The key of a counted game: one that waits for an opponent, or a match of one or two connections.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum GameKey {
    Waiting(u64),
    Match(MatchId),
}

/// The place of a player in the registry; dropping it makes room.
pub(crate) struct Registered {
    registry: Registry,
    pub(crate) player: PlayerId,
    pub(crate) connection: i64,
    replaced: CancellationToken,
    probe: Arc<Probe>,
}

/// A game of a connection; dropping it makes room.
pub(crate) struct GamePermit {
    registry: Registry,
    key: GameKey,
}

impl Registry {
    pub(crate) fn new(max_players: NonZeroU32, max_games: NonZeroU32) -> Self {
        let size = |limit: NonZeroU32| usize::try_from(limit.get()).unwrap_or(usize::MAX);
        Self {
            inner: Arc::default(),
            players: Arc::new(Semaphore::new(
                size(max_players).min(Semaphore::MAX_PERMITS),
            )),
            max_games: size(max_games),
            creating: Arc::default(),
        }
    }

    /// Takes a place for one more player; `None` when there is none.
    pub(crate) fn player_permit(&self) -> Option<OwnedSemaphorePermit> {
        self.players.clone().try_acquire_owned().ok()
    }

    /// Registers a connection of this player, in place of an unresponsive one. `None` if the player has a live connection.
    pub(crate) fn enter(&self, player: PlayerId) -> Option<Registered> {
        let mut inner = self.lock();
        if let Some(old) = inner.connections.get(&player) {
            if !old.unresponsive {
                return None;
            }
            old.replaced.cancel();
        }
        let connection = rand::random();
        let replaced = CancellationToken::new();
        let probe = Arc::<Probe>::default();
        let entry = Entry {
            connection,
            stored: false,
            unresponsive: false,
            replaced: replaced.clone(),
            probe: probe.clone(),
        };
        inner.connections.insert(player, entry);
        Some(Registered {
            registry: self.clone(),
            player,
            connection,
            replaced,
            probe,
        })
    }

    /// Pings the connection of a player, if there is one here. Returns the connection if its client is silent for this long; then
    /// its place is free.
    pub(crate) async fn probe(&self, player: PlayerId, silence: Duration) -> Option<i64> {
        let (connection, probe) = {
            let inner = self.lock();
            let entry = inner.connections.get(&player)?;
            (entry.connection, entry.probe.clone())
        };
        let heard = probe.heard.notified();
        probe.asked.notify_one();
        if timeout(silence, heard).await.is_ok() {
            return None;
        }
        let mut inner = self.lock();
        let entry = inner.connections.get_mut(&player)?;
        if entry.connection != connection {
            return None;
        }
        entry.unresponsive = true;
        Some(connection)
    }

    /// Returns the players and connections that are alive, as far as the database knows them.
    pub(crate) fn connections(&self) -> (Vec<i64>, Vec<i64>) {
        let inner = self.lock();
        let alive = |entry: &Entry| entry.stored && !entry.unresponsive;
        let connections = inner.connections.iter();
        connections
            .filter(|(_, entry)| alive(entry))
            .map(|(player, entry)| (player.0, entry.connection))
            .unzip()
    }

    /// Closes those of these connections that are not among the open ones: another instance has replaced them.
    pub(crate) fn close_replaced(&self, connections: &[i64], open: &[i64]) {
        let inner = self.lock();
        for entry in inner.connections.values() {
            if connections.contains(&entry.connection) && !open.contains(&entry.connection) {
                entry.replaced.cancel();
            }
        }
    }

    /// Waits for the lock that lets one game be created at a time.
    pub(crate) async fn creating(&self) -> tokio::sync::OwnedMutexGuard<()> {
        self.creating.clone().lock_owned().await
    }

    /// Takes a place for one more game; `None` when there are as many as fit.
    pub(crate) fn create_game(&self) -> Option<GamePermit> {
        let key = {
            let mut inner = self.lock();
            if inner.games.len() >= self.max_games {
                return None;
            }
            inner.created += 1;
            GameKey::Waiting(inner.created)
        };
        Some(self.game(key))
    }

    /// Counts a match that has started.
    pub(crate) fn in_match(&self, id: MatchId) -> GamePermit {
        self.game(GameKey::Match(id))
    }

    fn game(&self, key: GameKey) -> GamePermit {
        *self.lock().games.entry(key).or_default() += 1;
        GamePermit {
            registry: self.clone(),
            key,
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Inner> {
        self.inner.lock().expect("no panic while the lock is held")
    }
}

impl Registered {
    /// Notes that the database knows the connection.
    pub(crate) fn set_stored(&self) {
        let mut inner = self.registry.lock();
        if let Some(entry) = inner.connections.get_mut(&self.player)
            && entry.connection == self.connection
        {
            entry.stored = true;
        }
    }

    /// Notes whether the client is unresponsive, so that another connection may take its place.
    pub(crate) fn set_unresponsive(&self, unresponsive: bool) {
        let mut inner = self.registry.lock();
        if let Some(entry) = inner.connections.get_mut(&self.player)
            && entry.connection == self.connection
        {
            entry.unresponsive = unresponsive;
        }
    }

    /// Notes that the client has sent a line.
    pub(crate) fn set_heard(&self) {
        self.probe.heard.notify_waiters();
    }

    /// Waits until another connection asks whether the client is alive.
    pub(crate) async fn probed(&self) {
        self.probe.asked.notified().await;
    }

    /// Waits until another connection has taken this place.
    pub(crate) async fn replaced(&self) {
        self.replaced.cancelled().await;
    }
}

impl Drop for Registered {
    fn drop(&mut self) {
        let mut inner = self.registry.lock();
        let mine = inner
            .connections
            .get(&self.player)
            .is_some_and(|entry| entry.connection == self.connection);
        if mine {
            inner.connections.remove(&self.player);
        }
    }
}

impl Drop for GamePermit {
    fn drop(&mut self) {
        let mut inner = self.registry.lock();
        if let Some(count) = inner.games.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                inner.games.remove(&self.key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        let two = NonZeroU32::new(2).unwrap();
        Registry::new(two, two)
    }

    #[test]
    fn only_an_unresponsive_connection_is_replaced() {
        let registry = registry();
        let first = registry.enter(PlayerId(1)).unwrap();
        assert!(registry.enter(PlayerId(1)).is_none());
        first.set_unresponsive(true);
        let second = registry.enter(PlayerId(1)).unwrap();
        assert!(first.replaced.is_cancelled() && !second.replaced.is_cancelled());
        first.set_unresponsive(true);
        assert!(registry.enter(PlayerId(1)).is_none(), "it is not its place");
        drop(first);
        assert!(registry.enter(PlayerId(1)).is_none());
        drop(second);
        assert!(registry.enter(PlayerId(1)).is_some());
    }

    #[tokio::test]
    async fn a_silent_connection_frees_its_place_and_one_that_answers_does_not() {
        let registry = registry();
        // Long enough for any machine, and none at all.
        let (long, none) = (Duration::from_hours(1), Duration::ZERO);
        assert_eq!(registry.probe(PlayerId(1), long).await, None);
        let first = registry.enter(PlayerId(1)).unwrap();
        let answered = async {
            first.probed().await;
            first.set_heard();
        };
        let (probed, ()) = tokio::join!(registry.probe(PlayerId(1), long), answered);
        assert_eq!(probed, None);
        assert!(registry.enter(PlayerId(1)).is_none());
        let probed = registry.probe(PlayerId(1), none).await;
        assert_eq!(probed, Some(first.connection));
        let second = registry.enter(PlayerId(1)).unwrap();
        assert!(first.replaced.is_cancelled() && !second.replaced.is_cancelled());
    }

    #[test]
    fn players_and_games_are_counted() {
        let registry = registry();
        let (one, other) = (registry.player_permit(), registry.player_permit());
        assert!(registry.player_permit().is_none());
        drop((one, other));
        assert!(registry.player_permit().is_some());

        let waiting = registry.create_game().unwrap();
        let both = [registry.in_match(MatchId(7)), registry.in_match(MatchId(7))];
        assert!(registry.create_game().is_none());
        drop(both);
        assert!(registry.create_game().is_some());
        drop(waiting);
        assert!(registry.lock().games.is_empty());
    }
}
