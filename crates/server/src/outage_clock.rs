//! Time counts only while a server runs: every instance says so several times a second, and where nobody did, the time
//! since then is given back.

use super::db::{self, Db};
use crate::Error;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// How long a silence may be before an instance that starts takes it for an outage. Others beat more often than that.
const SILENCE_AT_START: Duration = Duration::from_secs(1);

/// The same for an instance that runs, and has merely not been heard: the database was away, or the machine was asleep.
const SILENCE: Duration = Duration::from_secs(5);

/// How old the last beat may be when something is decided by the clock.
const FRESH: Duration = Duration::from_secs(1);

/// How often time has been given back so far: what was read under another number shows other times.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutageEpoch(i32);

/// Keeps the time of this instance.
#[derive(Clone)]
pub struct OutageClock {
    db: Db,
    /// The last beat of this instance. Held for a look, never across a wait.
    last: Arc<Mutex<(Instant, OutageEpoch)>>,
}

impl OutageClock {
    /// Begins to keep time; what no server has kept is given back first.
    pub(super) async fn begin(db: Db) -> Result<Self, Error> {
        let era = OutageEpoch(db::outages::keep(&db, SILENCE_AT_START).await?);
        Ok(Self {
            db,
            last: Arc::new(Mutex::new((Instant::now(), era))),
        })
    }

    /// Says that this instance runs. Says whether time has been given back since the last time.
    pub(super) async fn beat(&self) -> Result<bool, Error> {
        let era = OutageEpoch(db::outages::keep(&self.db, SILENCE).await?);
        let mut last = self.last.lock().expect("no panic while looking");
        let before = std::mem::replace(&mut *last, (Instant::now(), era));
        Ok(before.1 != era)
    }

    /// The era in which whatever is decided now is decided. It comes back when the time up to now is known to count.
    pub(super) async fn era(&self) -> Result<OutageEpoch, Error> {
        let (at, era) = *self.last.lock().expect("no panic while looking");
        if at.elapsed() < FRESH {
            return Ok(era);
        }
        self.beat().await?;
        Ok(self.last.lock().expect("no panic while looking").1)
    }
}
