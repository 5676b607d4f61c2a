//! The sessions and tokens with open streams at this instance. When one of them ends, its streams end.

use crate::db::accounts::Credential;
use crate::db::{self, Db};
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tochki_protocol::limits;
use tokio::sync::Notify;
use tokio_util::sync::CancellationToken;

/// The sessions with open streams.
#[derive(Clone)]
pub struct OpenSessions {
    db: Db,
    /// Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<Credential, Open>>>,
    /// Lets the poll begin at once.
    poll_soon: Arc<Notify>,
}

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
    pub(super) fn open(db: Db, tasks: &Tasks) -> Self {
        let sessions = Self {
            db,
            open: Arc::default(),
            poll_soon: Arc::default(),
        };
        tasks.spawn("sessions", {
            let (sessions, shutdown) = (sessions.clone(), tasks.shutdown());
            move || sessions.clone().poll_loop(shutdown.clone())
        });
        sessions
    }

    /// Registers a stream with this session or token.
    pub(super) fn register_stream(&self, id: Credential) -> SessionGuard {
        let mut sessions = self.open.lock().expect("no panic while the lock is held");
        let open = sessions.entry(id).or_default();
        open.streams += 1;
        SessionGuard {
            sessions: self.clone(),
            id,
            ended: open.ended.clone(),
        }
    }

    /// Ends the streams of a session or token.
    pub(super) fn end(&self, id: Credential) {
        let sessions = self.open.lock().expect("no panic while the lock is held");
        if let Some(open) = sessions.get(&id) {
            open.ended.cancel();
        }
    }

    /// Looks now for what the database has ended, such as the tokens of a password that was changed.
    pub(super) fn poll_soon(&self) {
        self.poll_soon.notify_one();
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(limits::SESSION_POLL_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = poll.tick() => {}
                () = self.poll_soon.notified() => {}
            }
            let open: Vec<Credential> = {
                let sessions = self.open.lock().expect("no panic while the lock is held");
                sessions.keys().copied().collect()
            };
            if open.is_empty() {
                continue;
            }
            if let Some(alive) = self.alive(&open).await.log_failure("polling sessions") {
                for id in open.into_iter().filter(|id| !alive.contains(id)) {
                    self.end(id);
                }
            }
        }
    }
}

impl OpenSessions {
    /// Those of these that have neither ended nor expired.
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
            let open = db::accounts::open_sessions(&self.db, &sessions).await?;
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
