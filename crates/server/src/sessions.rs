//! The sessions with open streams at this instance. When a session ends, its streams end.

use crate::LogFailure as _;
use crate::db::{self, Db};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tochki_protocol::limits;
use tokio_util::sync::CancellationToken;

/// A session, by its number: its token may be replaced while it is open.
type SessionId = i64;

/// The sessions with open streams.
#[derive(Clone)]
pub struct OpenSessions {
    db: Db,
    /// Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<SessionId, Open>>>,
}

#[derive(Default)]
struct Open {
    streams: usize,
    ended: CancellationToken,
}

/// A stream that is registered with its session; dropping it unregisters the stream.
pub struct SessionGuard {
    sessions: OpenSessions,
    id: SessionId,
    ended: CancellationToken,
}

impl OpenSessions {
    pub(super) fn open(db: Db, shutdown: CancellationToken) -> Self {
        let sessions = Self {
            db,
            open: Arc::default(),
        };
        tokio::spawn(sessions.clone().poll_loop(shutdown));
        sessions
    }

    /// Registers a stream with this session.
    pub(super) fn register_stream(&self, id: SessionId) -> SessionGuard {
        let mut sessions = self.open.lock().expect("no panic while the lock is held");
        let open = sessions.entry(id).or_default();
        open.streams += 1;
        SessionGuard {
            sessions: self.clone(),
            id,
            ended: open.ended.clone(),
        }
    }

    /// Ends the streams of a session.
    pub(super) fn end(&self, id: SessionId) {
        let sessions = self.open.lock().expect("no panic while the lock is held");
        if let Some(open) = sessions.get(&id) {
            open.ended.cancel();
        }
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(limits::SESSION_POLL_INTERVAL);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = poll.tick() => {}
            }
            let open: Vec<SessionId> = {
                let sessions = self.open.lock().expect("no panic while the lock is held");
                sessions.keys().copied().collect()
            };
            if open.is_empty() {
                continue;
            }
            let alive = db::accounts::open_sessions(&self.db, &open).await;
            if let Some(alive) = alive.log_failure("polling sessions") {
                let alive: HashSet<SessionId> = alive.into_iter().collect();
                for id in open.into_iter().filter(|id| !alive.contains(id)) {
                    self.end(id);
                }
            }
        }
    }
}

impl SessionGuard {
    /// Waits for the end of the session.
    pub(super) async fn ended(&self) {
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
