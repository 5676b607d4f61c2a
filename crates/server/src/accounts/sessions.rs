//! The sessions and tokens in use at this instance: those with open streams, which end with their session, and a cache of
//! recently read ones, so that moves need no lookup.
//!
//! The code that ends a session notifies the other instances (`bus`). They check it in the database before they end its
//! streams.

use crate::accounts::db;
use crate::accounts::db::Session;
use crate::bus::notifier::Notifier;
use crate::bus::topic::Credential;
use crate::bus::topic::Topic;
use crate::db::Db;
use crate::settings::Settings;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tochki_protocol::limits;
use tokio_util::sync::CancellationToken;

/// The sessions in use.
#[derive(Clone)]
pub struct OpenSessions {
    db: Db,
    notifier: Notifier,
    poll_interval: Duration,
    /// Sessions with open streams. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<Credential, Open>>>,
    /// Cache of recently read sessions. Held for a lookup, never across an await.
    recent: Arc<Mutex<Recent>>,
}

/// The sessions that were read within [`limits::SESSION_CACHE_LIFETIME`], by the digests of their tokens.
#[derive(Default)]
struct Recent {
    sessions: HashMap<Vec<u8>, (Instant, Session)>,
    /// Number of invalidations. A session read in an earlier generation may be out of date, and is not cached.
    generation: u64,
}

/// The generation of the cache in which a lookup in the database began, for [`OpenSessions::remember`].
#[derive(Clone, Copy)]
pub(crate) struct CacheGeneration(u64);

#[derive(Default)]
struct Open {
    streams: usize,
    ended: CancellationToken,
}

/// A stream that is registered with its session or token; dropping it unregisters the stream.
pub struct SessionGuard {
    sessions: OpenSessions,
    id: Credential,
    ended: CancellationToken,
}

impl OpenSessions {
    pub(crate) fn open(db: Db, settings: &Settings, notifier: Notifier, tasks: &Tasks) -> Self {
        let sessions = Self {
            db,
            notifier,
            poll_interval: settings.session_poll_interval,
            open: Arc::default(),
            recent: Arc::default(),
        };
        tasks.spawn("sessions", {
            let (sessions, shutdown) = (sessions.clone(), tasks.shutdown());
            move || sessions.clone().poll_loop(shutdown.clone())
        });
        sessions
    }

    /// Registers a stream with this session or token.
    pub(crate) fn register_stream(&self, id: Credential) -> SessionGuard {
        let mut sessions = self.open.lock().expect("no panic while the lock is held");
        let open = sessions.entry(id).or_default();
        open.streams += 1;
        SessionGuard {
            sessions: self.clone(),
            id,
            ended: open.ended.clone(),
        }
    }

    /// A session or token has ended, and its streams end, on all instances.
    pub(crate) fn end(&self, id: Credential) {
        self.forget(Some(&HashSet::from([id])));
        self.end_streams(id);
        self.notifier.notify_remote(Topic::Ended(id));
    }

    /// The database has ended some, such as the tokens of a password that was changed: all instances look for them.
    pub(crate) fn poll_soon(&self) {
        self.forget(None);
        self.notifier.notify(Topic::SomeEnded);
    }

    /// The session of this token, if it was read lately and has not ended since.
    pub(crate) fn recent(&self, digest: &[u8]) -> Option<Session> {
        let recent = self.recent_sessions();
        let (read_at, session) = recent.sessions.get(digest)?;
        (read_at.elapsed() < limits::SESSION_CACHE_LIFETIME).then(|| session.clone())
    }

    /// To be asked for before a session is read that is to be remembered.
    pub(crate) fn cache_generation(&self) -> CacheGeneration {
        CacheGeneration(self.recent_sessions().generation)
    }

    /// Remembers a session for [`limits::SESSION_CACHE_LIFETIME`], unless one has ended while it was read.
    pub(crate) fn remember(&self, generation: CacheGeneration, digest: Vec<u8>, session: &Session) {
        let mut recent = self.recent_sessions();
        if recent.generation == generation.0
            && recent.sessions.len() < limits::SESSION_CACHE_CAPACITY
        {
            recent
                .sessions
                .insert(digest, (Instant::now(), session.clone()));
        }
    }

    /// Removes these sessions, or all, from the cache.
    fn forget(&self, which: Option<&HashSet<Credential>>) {
        let mut recent = self.recent_sessions();
        recent.generation += 1;
        match which {
            Some(which) => recent
                .sessions
                .retain(|_, (_, session)| !which.contains(&session.id)),
            None => recent.sessions.clear(),
        }
    }

    fn recent_sessions(&self) -> std::sync::MutexGuard<'_, Recent> {
        self.recent.lock().expect("no panic while the lock is held")
    }

    fn end_streams(&self, id: Credential) {
        let sessions = self.open.lock().expect("no panic while the lock is held");
        if let Some(open) = sessions.get(&id) {
            open.ended.cancel();
        }
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(self.poll_interval);
        loop {
            let which = tokio::select! {
                () = shutdown.cancelled() => return,
                _ = poll.tick() => {
                    self.recent_sessions().sessions.retain(|_, (read_at, _)| {
                        read_at.elapsed() < limits::SESSION_CACHE_LIFETIME
                    });
                    None
                }
                ended = self.notifier.ended_notified() => {
                    self.forget(ended.as_ref());
                    ended
                }
            };
            let open: Vec<Credential> = {
                let sessions = self.open.lock().expect("no panic while the lock is held");
                let is_asked =
                    |id: &&Credential| which.as_ref().is_none_or(|which| which.contains(*id));
                sessions.keys().filter(is_asked).copied().collect()
            };
            if open.is_empty() {
                continue;
            }
            if let Some(alive) = self.alive(&open).await.log_failure("polling sessions") {
                for id in open.into_iter().filter(|id| !alive.contains(id)) {
                    self.end_streams(id);
                }
            }
        }
    }
}

impl OpenSessions {
    /// The sessions among these that have neither ended nor expired.
    async fn alive(&self, open: &[Credential]) -> Result<HashSet<Credential>, Error> {
        let (mut sessions, mut tokens) = (Vec::new(), Vec::new());
        for credential in open {
            match *credential {
                Credential::Session(id) => sessions.push(id),
                Credential::Token(id) => tokens.push(id),
            }
        }
        let mut alive = HashSet::new();
        if !sessions.is_empty() {
            let open = db::open_sessions(&self.db, &sessions).await?;
            alive.extend(open.into_iter().map(Credential::Session));
        }
        if !tokens.is_empty() {
            let open = db::tokens::open(&self.db, &tokens).await?;
            alive.extend(open.into_iter().map(Credential::Token));
        }
        Ok(alive)
    }
}

impl SessionGuard {
    /// Waits for the end of the session or token.
    pub async fn ended(&self) {
        self.ended.cancelled().await;
    }
}

impl Drop for SessionGuard {
    fn drop(&mut self) {
        let mut sessions = self
            .sessions
            .open
            .lock()
            .expect("no panic while the lock is held");
        if let Some(open) = sessions.get_mut(&self.id) {
            open.streams -= 1;
            if open.streams == 0 {
                sessions.remove(&self.id);
            }
        }
    }
}
