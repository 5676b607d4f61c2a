//! Time counts only while a server runs. Every instance writes a heartbeat several times a second. After a gap, the first
//! instance to notice shifts all deadlines by its length.

use crate::Error;
use crate::db::{self, Db};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};
use tochki_protocol::limits;

/// How old the last heartbeat of this instance may be when something is decided by the clock.
const MAX_HEARTBEAT_AGE: Duration = Duration::from_secs(1);

/// The number of outages so far. Whatever was read under another number has other deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutageEpoch(i32);

/// The heartbeat of this instance.
#[derive(Clone)]
pub(crate) struct OutageClock {
    db: Db,
    /// The last heartbeat of this instance. Held for a lookup, never across an await.
    last: Arc<Mutex<(Instant, OutageEpoch)>>,
}

impl OutageClock {
    /// Writes the first heartbeat; an outage shifts all deadlines first.
    pub(super) async fn start(db: Db) -> Result<Self, Error> {
        let epoch =
            OutageEpoch(db::outages::heartbeat(&db, limits::OUTAGE_TOLERANCE_AT_START).await?);
        Ok(Self {
            db,
            last: Arc::new(Mutex::new((Instant::now(), epoch))),
        })
    }

    /// Writes a heartbeat. Returns whether there has been an outage since the last one.
    pub(super) async fn heartbeat(&self) -> Result<bool, Error> {
        let epoch = OutageEpoch(db::outages::heartbeat(&self.db, limits::OUTAGE_TOLERANCE).await?);
        let mut last = self.last.lock().expect("no panic while the lock is held");
        let before = std::mem::replace(&mut *last, (Instant::now(), epoch));
        Ok(before.1 != epoch)
    }

    /// The epoch of whatever is decided now. Writes a heartbeat first if the last one is too old.
    pub(super) async fn epoch(&self) -> Result<OutageEpoch, Error> {
        let (at, epoch) = *self.last.lock().expect("no panic while the lock is held");
        if at.elapsed() < MAX_HEARTBEAT_AGE {
            return Ok(epoch);
        }
        self.heartbeat().await?;
        Ok(self.last.lock().expect("no panic while the lock is held").1)
    }
}
