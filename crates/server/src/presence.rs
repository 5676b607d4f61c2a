//! Presence: the players with open streams on this instance, with their places, and the number of spectators of each match.
//! The database combines all instances.
//!
//! One task writes all changes in order, so that the database ends up with the last state, however fast a page reloads.
//! Another writes the heartbeats, on a connection of its own, so that bursts of opened and closed streams do not delay them.

use crate::db::{self, Db};
use crate::notifier::Notifier;
use crate::place::Place;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use base64::Engine as _;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tochki_protocol::{Code, MatchId, PlayerId, limits};
use tokio::sync::{mpsc, oneshot};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// Key of a count: the streams of a player at a place, or the anonymous spectators of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum PresenceKey {
    Player(PlayerId, Place),
    Audience(MatchId),
}

/// The streams of this instance.
#[derive(Clone)]
pub struct Presence {
    db: Db,
    notifier: Notifier,
    /// The name of this instance, also of a writer that was started again.
    instance: Arc<str>,
    /// How many streams are open for each key. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<PresenceKey, usize>>>,
    changes: mpsc::UnboundedSender<Change>,
}

struct Change {
    key: PresenceKey,
    written: Option<oneshot::Sender<bool>>,
}

/// An open stream; dropping it ends its part in the presence of its player, or in the audience.
pub struct PresenceGuard {
    presence: Presence,
    key: PresenceKey,
}

impl Presence {
    pub(super) fn open(db: Db, heartbeats: Db, notifier: Notifier, tasks: &Tasks) -> Self {
        let (changes, inbox) = mpsc::unbounded_channel();
        let presence = Self {
            db,
            notifier,
            // Random, so that no other instance, earlier or later, has the same name.
            instance: base64::engine::general_purpose::URL_SAFE_NO_PAD
                .encode(rand::random::<[u8; 12]>())
                .into(),
            open: Arc::default(),
            changes,
        };
        tasks.spawn("presence", {
            let (presence, shutdown) = (presence.clone(), tasks.shutdown());
            let inbox = Arc::new(tokio::sync::Mutex::new(inbox));
            move || presence.clone().write_loop(inbox.clone(), shutdown.clone())
        });
        tasks.spawn("presence heartbeat", {
            let (presence, shutdown) = (presence.clone(), tasks.shutdown());
            move || {
                presence
                    .clone()
                    .heartbeat_loop(heartbeats.clone(), shutdown.clone())
            }
        });
        presence
    }

    /// Counts a stream of this player at a place. Returns once that is written.
    ///
    /// # Errors
    /// `unavailable` when it could not be written.
    pub async fn join(&self, player: PlayerId, place: Place) -> Result<PresenceGuard, Error> {
        self.acquire(PresenceKey::Player(player, place)).await
    }

    /// Counts a stream of a spectator who is not signed in. Returns once that is written.
    ///
    /// # Errors
    /// `unavailable` when it could not be written.
    pub async fn watch(&self, id: MatchId) -> Result<PresenceGuard, Error> {
        self.acquire(PresenceKey::Audience(id)).await
    }

    async fn acquire(&self, key: PresenceKey) -> Result<PresenceGuard, Error> {
        *self
            .open
            .lock()
            .expect("no panic while the lock is held")
            .entry(key)
            .or_default() += 1;
        let guard = PresenceGuard {
            presence: self.clone(),
            key,
        };
        let (written, known) = oneshot::channel();
        let _ = self.changes.send(Change {
            key,
            written: Some(written),
        });
        if known.await == Ok(true) {
            Ok(guard)
        } else {
            Err(Code::Unavailable.into())
        }
    }

    /// Counts a page load as presence for a while, in case the browser runs no scripts. A stream that follows replaces it.
    pub async fn page_load(&self, player: PlayerId, place: Place) -> Result<(), Error> {
        let lasting = match place {
            Place::Lobby(_) | Place::LineProtocol(_) => limits::LOBBY_PAGE_PRESENCE,
            Place::Match(_) | Place::Table(_) | Place::Watch(_) => limits::TABLE_PAGE_PRESENCE,
        };
        db::presence::page_load(&self.db, player, &place.to_string(), lasting).await?;
        self.notify(PresenceKey::Player(player, place));
        Ok(())
    }

    fn notify(&self, key: PresenceKey) {
        match key {
            PresenceKey::Player(_, Place::Lobby(game)) => self.notifier.notify(game),
            PresenceKey::Player(_, Place::Match(id) | Place::Watch(id))
            | PresenceKey::Audience(id) => {
                self.notifier.notify_match(id);
            }
            // The streams of a table poll, and nobody is told of clients of the line protocol.
            PresenceKey::Player(_, Place::Table(_) | Place::LineProtocol(_)) => {}
        }
    }

    async fn write_loop(
        self,
        inbox: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Change>>>,
        shutdown: CancellationToken,
    ) {
        // Free, because one writer runs at a time.
        let mut inbox = inbox.lock().await;
        let mut batch = Vec::new();
        loop {
            tokio::select! {
                // Nobody is marked as gone: the players reconnect to another instance before their heartbeat expires.
                () = shutdown.cancelled() => return,
                _ = inbox.recv_many(&mut batch, 256) => {}
            }
            let changed: Vec<PresenceKey> =
                batch.iter().map(|change: &Change| change.key).collect();
            let mut written = self.write_current(&changed).await;
            for change in batch.drain(..) {
                if written.is_err() && changed.len() > 1 {
                    // One that cannot be written, such as of a player whose row is locked, keeps no other from it.
                    let alone = self.write_current(&[change.key]).await;
                    self.written(change, alone);
                } else {
                    let result = std::mem::replace(&mut written, Ok(()));
                    self.written(change, result);
                }
            }
        }
    }

    /// Reports to the waiting caller whether a change was written.
    fn written(&self, change: Change, result: Result<(), Error>) {
        let written = result.log_failure("writing presence").is_some();
        if let Some(waiting) = change.written {
            // The request may have been cancelled.
            let _ = waiting.send(written);
        }
        self.notify(change.key);
    }

    async fn heartbeat_loop(self, db: Db, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::PRESENCE_HEARTBEAT_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = interval.tick() => {}
            }
            // The next heartbeat makes up for one that fails.
            let written = self.write_heartbeat(&db).await;
            written.log_failure("writing the presence heartbeat");
        }
    }

    async fn write_heartbeat(&self, db: &Db) -> Result<(), Error> {
        let counts = self.counts(None);
        let (players, places) = &counts.here;
        if !players.is_empty() {
            let missing = db::presence::heartbeat(db, &self.instance, players, places).await?;
            for (player, place) in missing {
                let Some(place) = Place::read(&place) else {
                    continue;
                };
                self.write_again(PresenceKey::Player(PlayerId(player), place));
            }
            db::presence::end_absences(db, players, places).await?;
        }
        let (watched, _) = &counts.watched;
        if !watched.is_empty() {
            // Not the counts, which the writer may have changed meanwhile.
            let missing = db::match_status::audience_heartbeat(db, &self.instance, watched).await?;
            for id in missing {
                self.write_again(PresenceKey::Audience(id));
            }
        }
        Ok(())
    }

    /// Lets the writer look whether the streams are still open, and write them.
    fn write_again(&self, key: PresenceKey) {
        let _ = self.changes.send(Change { key, written: None });
    }

    /// Writes the current counts of these keys.
    async fn write_current(&self, keys: &[PresenceKey]) -> Result<(), Error> {
        let (counts, instance) = (self.counts(Some(keys)), &*self.instance);
        let (players, places) = &counts.here;
        if !players.is_empty() {
            db::presence::arrive(&self.db, instance, players, places).await?;
            // What fails ends with the next heartbeat.
            let ended = db::presence::end_absences(&self.db, players, places).await;
            ended.log_failure("ending absences");
        }
        if !counts.gone.0.is_empty() {
            db::presence::mark_gone(&self.db, instance, &counts.gone.0, &counts.gone.1).await?;
        }
        let (watched, numbers) = &counts.watched;
        if !watched.is_empty() {
            db::match_status::write_audience(&self.db, instance, watched, numbers).await?;
        }
        Ok(())
    }

    /// The current counts of these keys, or of all with an open stream.
    fn counts(&self, keys: Option<&[PresenceKey]>) -> Counts {
        let open = self.open.lock().expect("no panic while the lock is held");
        let mut counts = Counts::default();
        match keys {
            Some(keys) => {
                for key in keys {
                    counts.add(*key, open.get(key).copied().unwrap_or(0));
                }
            }
            None => {
                for (key, count) in open.iter() {
                    counts.add(*key, *count);
                }
            }
        }
        counts
    }
}

/// The open streams of some keys, as columns of a statement.
#[derive(Default)]
struct Counts {
    /// Players and the places where they have a stream.
    here: (Vec<i64>, Vec<String>),
    /// Players and the places where they have none any more.
    gone: (Vec<i64>, Vec<String>),
    /// Matches and their spectators who are not signed in.
    watched: (Vec<i64>, Vec<i32>),
}

impl Counts {
    fn add(&mut self, key: PresenceKey, count: usize) {
        match key {
            PresenceKey::Player(player, place) => {
                let side = if count > 0 {
                    &mut self.here
                } else {
                    &mut self.gone
                };
                side.0.push(player.0);
                side.1.push(place.to_string());
            }
            PresenceKey::Audience(id) => {
                self.watched.0.push(id.0);
                self.watched
                    .1
                    .push(i32::try_from(count).unwrap_or(i32::MAX));
            }
        }
    }
}

impl Drop for PresenceGuard {
    fn drop(&mut self) {
        let mut open = self
            .presence
            .open
            .lock()
            .expect("no panic while the lock is held");
        if let Some(count) = open.get_mut(&self.key) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.key);
            }
        }
        drop(open);
        self.presence.write_again(self.key);
    }
}
