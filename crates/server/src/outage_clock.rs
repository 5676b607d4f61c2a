//! Time counts only while a server runs. Every instance writes a heartbeat several times a second. After a gap, the first
//! instance to notice shifts all deadlines by its length.

use crate::Error;
use crate::clock::{Clock, ClockReader};
use crate::db::{self, Db};
use crate::metrics;
use std::sync::{Arc, Mutex, MutexGuard};
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
    clock: Clock,
    /// The last heartbeat of this instance. Held for a lookup, never across an await.
    last: Arc<Mutex<Beat>>,
}

/// A heartbeat that was written.
#[derive(Clone, Copy)]
struct Beat {
    at: Instant,
    epoch: OutageEpoch,
    /// By how much at least the clock of this instance differs from that of the database.
    clock_error: Duration,
}

impl OutageClock {
    /// Writes the first heartbeat; an outage shifts all deadlines first.
    pub(super) async fn start(db: Db, clock: Clock) -> Result<Self, Error> {
        let beat = Beat::write(&db, &clock, limits::OUTAGE_TOLERANCE_AT_START).await?;
        Ok(Self {
            db,
            clock,
            last: Arc::new(Mutex::new(beat)),
        })
    }

    /// Writes a heartbeat. Returns whether there has been an outage since the last one.
    pub(super) async fn heartbeat(&self) -> Result<bool, Error> {
        let beat = Beat::write(&self.db, &self.clock, limits::OUTAGE_TOLERANCE).await?;
        let before = std::mem::replace(&mut *self.last(), beat);
        Ok(before.epoch != beat.epoch)
    }

    /// By how much at least the clock of this instance differs from that of the database, at the last heartbeat.
    pub(super) fn clock_error(&self) -> Duration {
        self.last().clock_error
    }

    fn last(&self) -> MutexGuard<'_, Beat> {
        self.last.lock().expect("no panic while the lock is held")
    }

    /// The epoch of whatever is decided now. Writes a heartbeat first if the last one is too old.
    pub(super) async fn epoch(&self) -> Result<OutageEpoch, Error> {
        let last = *self.last();
        if last.at.elapsed() < MAX_HEARTBEAT_AGE {
            return Ok(last.epoch);
        }
        self.heartbeat().await?;
        Ok(self.last().epoch)
    }
}

impl Beat {
    async fn write(db: &Db, clock: &Clock, tolerance: Duration) -> Result<Self, Error> {
        let before = clock.read(ClockReader::Heartbeat);
        let begun = Instant::now();
        let written = db::outages::heartbeat(db, tolerance).await?;
        let took = begun.elapsed();
        let at = Instant::now();
        // The database read its clock at some moment in between, so its time must be one of that span.
        let elapsed = i64::try_from(took.as_millis()).unwrap_or(i64::MAX) + 1;
        let off = written.now.0 - before.0;
        let beyond = if off < 0 {
            -off
        } else {
            (off - elapsed).max(0)
        };
        let clock_error = Duration::from_millis(beyond.unsigned_abs());
        metrics::clock_error(clock_error);
        Ok(Self {
            at,
            epoch: OutageEpoch(written.outages),
            clock_error,
        })
    }
}
