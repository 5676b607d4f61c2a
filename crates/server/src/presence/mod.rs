//! Presence: the players with open streams on this instance, with their places, and the number of spectators of each match.
//! The database combines all instances.
//!
//! One task writes all changes in order, so that the database ends up with the last state, however fast a page reloads.
//! Another writes the heartbeats. Each has a connection of its own, so that neither waits for the other or for requests.

pub mod db;
pub mod place;

use crate::backoff::Backoff;
use crate::bus::notifier::Notifier;
use crate::db::{Connection, Db};
use crate::presence::place::Place;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use base64::Engine as _;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::{Code, MatchId, PlayerId, limits};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{MissedTickBehavior, timeout};
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
    /// The connections of the writer and of the heartbeats.
    writes: Db,
    notifier: Notifier,
    /// The name of this instance, also of a writer that was started again.
    instance: Arc<str>,
    /// How many streams are open for each key. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<PresenceKey, usize>>>,
    changes: mpsc::UnboundedSender<Change>,
}

struct Change {
    key: PresenceKey,
    /// When it happened.
    since: Instant,
    /// Tells the caller that the change is written, or has failed.
    written: Option<oneshot::Sender<bool>>,
}

impl Change {
    /// A change for which nobody waits.
    fn of(key: PresenceKey) -> Self {
        Self {
            key,
            since: Instant::now(),
            written: None,
        }
    }
}

/// An open stream; dropping it ends its part in the presence of its player, or in the audience.
pub struct PresenceGuard {
    presence: Presence,
    key: PresenceKey,
}

impl Presence {
    pub(crate) fn open(db: Db, writes: Db, notifier: Notifier, tasks: &Tasks) -> Self {
        let (changes, inbox) = mpsc::unbounded_channel();
        let presence = Self {
            db,
            writes,
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
            move || presence.clone().heartbeat_loop(shutdown.clone())
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

    /// Counts a stream of a spectator who is not signed in. Returns once the count is written.
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
            written: Some(written),
            ..Change::of(key)
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
            Place::Match(_) | Place::Table(_) | Place::Watch(_) | Place::Tournament(_) => {
                limits::TABLE_PAGE_PRESENCE
            }
        };
        db::page_load(&self.db, player, &place.to_string(), lasting).await?;
        self.notify(PresenceKey::Player(player, place));
        Ok(())
    }

    fn notify(&self, key: PresenceKey) {
        match key {
            PresenceKey::Player(_, Place::Lobby(game)) => self.notifier.notify_room(game),
            PresenceKey::Player(_, Place::Match(id) | Place::Watch(id))
            | PresenceKey::Audience(id) => {
                self.notifier.notify_match(id);
            }
            // The streams of a table poll, a round is paired by its time, and nobody is told of clients of the line protocol.
            PresenceKey::Player(
                _,
                Place::Table(_) | Place::LineProtocol(_) | Place::Tournament(_),
            ) => {}
        }
    }

    async fn write_loop(
        self,
        inbox: Arc<tokio::sync::Mutex<mpsc::UnboundedReceiver<Change>>>,
        shutdown: CancellationToken,
    ) {
        // Free, because one writer runs at a time.
        let mut inbox = inbox.lock().await;
        let mut writer = Writer {
            presence: self,
            shutdown: shutdown.clone(),
            delayed: Vec::new(),
        };
        let mut batch = Vec::new();
        let mut backoff = Backoff::new(limits::WRITER_MAX_BACKOFF);
        loop {
            tokio::select! {
                // Nobody is marked as gone: the players reconnect to another instance before their heartbeat expires.
                () = shutdown.cancelled() => return,
                _ = inbox.recv_many(&mut batch, limits::PRESENCE_BATCH_LEN) => {}
                true = backoff.wait(&shutdown), if !writer.delayed.is_empty() => {}
            }
            batch.append(&mut writer.delayed);
            if writer.write(std::mem::take(&mut batch)).await.is_err() {
                // They have waited as long, for the same database.
                while let Ok(change) = inbox.try_recv() {
                    writer.give_up(change);
                }
            }
            if writer.delayed.is_empty() {
                backoff.reset();
            }
        }
    }

    async fn heartbeat_loop(self, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::PRESENCE_HEARTBEAT_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = interval.tick() => {}
            }
            // The next heartbeat makes up for one that fails.
            let written = self.write_heartbeat(&self.writes).await;
            written.log_failure("writing the presence heartbeat");
        }
    }

    async fn write_heartbeat(&self, db: &Db) -> Result<(), Error> {
        let counts = self.counts(None);
        let (players, places) = &counts.here;
        if !players.is_empty() {
            let missing = db::heartbeat(db, &self.instance, players, places).await?;
            for (player, place) in missing {
                let Some(place) = Place::read(&place) else {
                    continue;
                };
                self.write_again(PresenceKey::Player(PlayerId(player), place));
            }
            db::end_absences(db, players, places).await?;
        }
        let (watched, _) = &counts.watched;
        if !watched.is_empty() {
            // Not the counts, which the writer may have changed meanwhile.
            let missing = db::audience_heartbeat(db, &self.instance, watched).await?;
            for id in missing {
                self.write_again(PresenceKey::Audience(id));
            }
        }
        Ok(())
    }

    /// Lets the writer look whether the streams are still open, and write them.
    fn write_again(&self, key: PresenceKey) {
        let _ = self.changes.send(Change::of(key));
    }

    /// Reports to the waiting caller whether a change was written.
    fn report(&self, change: Change, written: bool) {
        if let Some(waiting) = change.written {
            // The request may have been cancelled.
            let _ = waiting.send(written);
        }
        self.notify(change.key);
    }

    fn is_open(&self, key: PresenceKey) -> bool {
        let open = self.open.lock().expect("no panic while the lock is held");
        open.contains_key(&key)
    }

    /// The current counts of these keys, or of all with an open stream.
    fn counts(&self, keys: Option<&HashSet<PresenceKey>>) -> Counts {
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

/// The task that writes changes, in batches.
///
/// A database that is too slow must not get more to do because of that. So a batch that fails is tried once more as a whole,
/// after a moment, and then all who wait for it get the failure, together with those behind it. Only a failure of one row
/// ([`Error::is_of_one_row`]) splits the batch into halves, until the change at fault is alone.
struct Writer {
    presence: Presence,
    shutdown: CancellationToken,
    /// Changes to be written with the next batch, a moment later: of players whose row is locked, and those that failed.
    delayed: Vec<Change>,
}

impl Writer {
    /// Writes a batch, and reports to all who wait for it. The error is that of the database, if nothing can be written at
    /// the moment.
    async fn write(&mut self, batch: Vec<Change>) -> Result<(), ()> {
        let begun = Instant::now();
        let mut parts = vec![batch];
        while let Some(mut part) = parts.pop() {
            match self.write_or_retry(&part).await {
                Ok(left_out) => {
                    for change in part {
                        if left_out.contains(&change.key) {
                            self.delay(change);
                        } else {
                            self.presence.report(change, true);
                        }
                    }
                }
                Err(error) if error.is_of_one_row() => {
                    if part.len() == 1 || begun.elapsed() > limits::BATCH_SPLIT_TIME {
                        Err::<(), _>(error).log_failure("writing presence");
                        for change in part {
                            self.presence.report(change, false);
                        }
                    } else {
                        parts.push(part.split_off(part.len() / 2));
                        parts.push(part);
                    }
                }
                Err(error) => {
                    Err::<(), _>(error).log_failure("writing presence");
                    parts.push(part);
                    for change in parts.into_iter().flatten() {
                        self.give_up(change);
                    }
                    return Err(());
                }
            }
        }
        Ok(())
    }

    /// Writes the current counts of these keys, at the second attempt if the first fails because of the database. Returns the
    /// keys that are left out.
    async fn write_or_retry(&self, changes: &[Change]) -> Result<HashSet<PresenceKey>, Error> {
        let failed = match self.write_current(changes).await {
            Err(error) if !error.is_of_one_row() => error,
            done => return done,
        };
        let mut backoff = Backoff::new(limits::WRITER_MAX_BACKOFF);
        if !backoff.wait(&self.shutdown).await {
            return Err(failed);
        }
        Err::<(), _>(failed).log_failure("writing presence, which is tried again");
        self.write_current(changes).await
    }

    async fn write_current(&self, changes: &[Change]) -> Result<HashSet<PresenceKey>, Error> {
        let keys: HashSet<PresenceKey> = changes.iter().map(|change| change.key).collect();
        let counts = self.presence.counts(Some(&keys));
        let mut connection = self.presence.writes.acquire().await?;
        let writing = write(&mut connection, &self.presence.instance, &counts);
        // The database gives up before, unless it is no longer reached. Then the connection is closed.
        let Ok(left_out) = timeout(limits::STATEMENT_TIMEOUT, writing).await else {
            drop(connection.detach());
            return Err(crate::db::unanswered());
        };
        let (players, matches) = left_out?;
        let is_left_out = |key: &PresenceKey| match key {
            PresenceKey::Player(player, _) => players.contains(player),
            PresenceKey::Audience(id) => matches.contains(id),
        };
        Ok(keys.into_iter().filter(is_left_out).collect())
    }

    /// Keeps a change of a row that is locked, for as long as a statement would wait for the lock.
    fn delay(&mut self, change: Change) {
        if change.since.elapsed() < limits::LOCK_TIMEOUT {
            self.delayed.push(change);
        } else {
            self.presence.report(change, false);
        }
    }

    /// Tells the caller that waits for a change that the change has failed. It is written later, unless heartbeats write it.
    fn give_up(&mut self, change: Change) {
        let key = change.key;
        self.presence.report(change, false);
        // The heartbeats write players who are here, and nothing else.
        let by_heartbeat = matches!(key, PresenceKey::Player(..)) && self.presence.is_open(key);
        if !by_heartbeat && !self.delayed.iter().any(|delayed| delayed.key == key) {
            self.delayed.push(Change::of(key));
        }
    }
}

/// Writes these counts. Returns the players and matches that are left out.
async fn write(
    db: &mut Connection,
    instance: &str,
    counts: &Counts,
) -> Result<(Vec<PlayerId>, Vec<MatchId>), Error> {
    let mut left_out = (Vec::new(), Vec::new());
    let (players, places) = &counts.here;
    if !players.is_empty() {
        left_out.0 = db::arrive(&mut *db, instance, players, places).await?;
        // What fails ends with the next heartbeat.
        let ended = db::end_absences(&mut *db, players, places).await;
        ended.log_failure("ending absences");
    }
    let (players, places) = &counts.gone;
    if !players.is_empty() {
        db::mark_gone(&mut *db, instance, players, places).await?;
    }
    let (watched, numbers) = &counts.watched;
    if !watched.is_empty() {
        left_out.1 = db::write_audience(db, instance, watched, numbers).await?;
    }
    Ok(left_out)
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
