//! The sessions with open streams at this instance. When a session ends, its streams end.

use crate::LogFailure as _;
use crate::db::{self, Db};
use crate::secrets::SessionToken;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use tochki_protocol::limits;
use tokio_util::sync::CancellationToken;

/// A token's digest, as the database knows the session.
type Digest = Vec<u8>;

/// The sessions with open streams.
#[derive(Clone)]
pub struct OpenSessions {
    db: Db,
    /// Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<Digest, Open>>>,
}

#[derive(Default)]
struct Open {
    streams: usize,
    ended: CancellationToken,
}

/// A stream that is registered with its session; dropping it unregisters the stream.
pub struct SessionGuard {
    sessions: OpenSessions,
    digest: Digest,
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
    pub fn register_stream(&self, token: &SessionToken) -> SessionGuard {
        let digest = token.digest();
        let mut sessions = self.open.lock().expect("no panic while the lock is held");
        let open = sessions.entry(digest.clone()).or_default();
        open.streams += 1;
        SessionGuard {
            sessions: self.clone(),
            digest,
            ended: open.ended.clone(),
        }
    }

    /// Ends the streams of a session.
    pub(super) fn end(&self, digest: &[u8]) {
        let sessions = self.open.lock().expect("no panic while the lock is held");
        if let Some(open) = sessions.get(digest) {
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
            let open: Vec<Digest> = {
                let sessions = self.open.lock().expect("no panic while the lock is held");
                sessions.keys().cloned().collect()
            };
            if open.is_empty() {
                continue;
            }
            let alive = db::accounts::open_sessions(&self.db, &open).await;
            if let Some(alive) = alive.log_failure("polling sessions") {
                let alive: HashSet<Digest> = alive.into_iter().collect();
                for digest in open.iter().filter(|digest| !alive.contains(*digest)) {
                    self.end(digest);
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
        if let Some(open) = sessions.get_mut(&self.digest) {
            open.streams -= 1;
            if open.streams == 0 {
                sessions.remove(&self.digest);
            }
        }
    }
}
