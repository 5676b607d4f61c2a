//! The sessions whose streams are open at this instance: with a session, its streams end.

use super::db::{self, Db};
use super::secrets::SessionToken;
use crate::LogFailure as _;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tokio_util::sync::CancellationToken;

/// How often an instance looks for sessions that have ended elsewhere, or have expired.
const LOOK_AROUND: Duration = Duration::from_secs(3);

/// A token's digest, as the database knows the session.
type Digest = Vec<u8>;

/// The sessions with open streams.
#[derive(Clone)]
pub struct OpenSessions {
    db: Db,
    /// Held for a look or a count, never across a wait.
    open: Arc<Mutex<HashMap<Digest, Open>>>,
}

#[derive(Default)]
struct Open {
    streams: usize,
    ended: CancellationToken,
}

/// The part of a stream in its session; dropping it ends that part.
pub struct SessionGuard {
    sessions: OpenSessions,
    digest: Digest,
    ended: CancellationToken,
}

impl OpenSessions {
    pub(super) fn open(db: Db, closing: CancellationToken) -> Self {
        let sessions = Self {
            db,
            open: Arc::default(),
        };
        tokio::spawn(sessions.clone().look_around(closing));
        sessions
    }

    /// A stream opens in this session.
    pub fn stay(&self, token: &SessionToken) -> SessionGuard {
        let digest = token.digest();
        let mut sessions = self.open.lock().expect("no panic while counting");
        let open = sessions.entry(digest.clone()).or_default();
        open.streams += 1;
        SessionGuard {
            sessions: self.clone(),
            digest,
            ended: open.ended.clone(),
        }
    }

    /// The session has ended, and so do its streams.
    pub(super) fn end(&self, digest: &[u8]) {
        let sessions = self.open.lock().expect("no panic while counting");
        if let Some(open) = sessions.get(digest) {
            open.ended.cancel();
        }
    }

    async fn look_around(self, closing: CancellationToken) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                _ = look.tick() => {}
            }
            let open: Vec<Digest> = {
                let sessions = self.open.lock().expect("no panic while counting");
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
        let mut sessions = self.sessions.open.lock().expect("no panic while counting");
        if let Some(open) = sessions.get_mut(&self.digest) {
            open.streams -= 1;
            if open.streams == 0 {
                sessions.remove(&self.digest);
            }
        }
    }
}
