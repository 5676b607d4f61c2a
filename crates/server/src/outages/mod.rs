//! Outage detection: time counts only while a server runs. Every instance writes a heartbeat several times a second, from a
//! task and on a connection of its own, so that load is not mistaken for an outage. After a gap, the first instance to notice
//! shifts all deadlines by its length.

pub(crate) mod db;

use crate::clock::{Clock, ClockReader};
use crate::db::Db;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _, metrics, presence};
use std::sync::{Arc, Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tochki_play::Timestamp;
use tochki_protocol::limits::{self, in_millis};
use tokio::time::MissedTickBehavior;
use tokio_util::sync::CancellationToken;

/// The number of outages so far. Data that was read under another number has outdated deadlines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct OutageEpoch(i32);

/// The heartbeat of this instance.
#[derive(Clone)]
pub(crate) struct OutageClock {
    /// The connections of the heartbeats.
    db: Db,
    clock: Clock,
    /// The last heartbeat of this instance. Held for a lookup, never across an await.
    last: Arc<Mutex<Heartbeat>>,
    /// Held while a heartbeat is written, so that many who need a fresh one wait for the same.
    writing: Arc<tokio::sync::Mutex<()>>,
}

/// A heartbeat that was written.
#[derive(Clone, Copy)]
struct Heartbeat {
    /// When it was sent.
    begun: Instant,
    /// When its answer came.
    at: Instant,
    /// The time of the database in between.
    database_now: Timestamp,
    epoch: OutageEpoch,
    /// By how much at least the clock of this instance differs from that of the database.
    clock_error: Duration,
}

impl OutageClock {
    /// Writes the first heartbeat; an outage shifts all deadlines first.
    pub(crate) async fn start(db: Db, clock: Clock) -> Result<Self, Error> {
        let heartbeat = Heartbeat::write(&db, &clock, limits::OUTAGE_TOLERANCE_AT_START).await?;
        Ok(Self {
            db,
            clock,
            last: Arc::new(Mutex::new(heartbeat)),
            writing: Arc::default(),
        })
    }

    /// Writes heartbeats until the shutdown.
    pub(crate) fn start_heartbeats(&self, tasks: &Tasks) {
        let (clock, shutdown) = (self.clone(), tasks.shutdown());
        tasks.spawn("heartbeat", move || {
            clock.clone().heartbeat_loop(shutdown.clone())
        });
    }

    async fn heartbeat_loop(self, shutdown: CancellationToken) {
        let mut interval = tokio::time::interval(limits::HEARTBEAT_INTERVAL);
        interval.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                _ = interval.tick() => {
                    let written = self.heartbeat().await;
                    written.log_failure("writing the heartbeat");
                }
            }
        }
    }

    async fn heartbeat(&self) -> Result<(), Error> {
        let _writing = self.writing.lock().await;
        self.write_heartbeat().await
    }

    async fn write_heartbeat(&self) -> Result<(), Error> {
        let heartbeat = Heartbeat::write(&self.db, &self.clock, limits::OUTAGE_TOLERANCE).await?;
        *self.last() = heartbeat;
        Ok(())
    }

    /// By how much at least the clock of this instance differs from that of the database, at the last heartbeat.
    pub(crate) fn clock_error(&self) -> Duration {
        self.last().clock_error
    }

    /// The time by the clock of this instance, unless that has gone wrong: then by the clock of the database at the last
    /// heartbeat, and what has passed since. So no match ends because a clock was set.
    pub(crate) fn now(&self, reader: ClockReader) -> Timestamp {
        let read = self.clock.read(reader);
        let last = *self.last();
        let since = |instant: Instant| in_millis(instant.elapsed()).0;
        let (least, most) = (
            last.database_now.0 + since(last.at),
            last.database_now.0 + since(last.begun),
        );
        let tolerance = in_millis(limits::CLOCK_TOLERANCE).0;
        if (least - tolerance..=most + tolerance).contains(&read.0) {
            read
        } else {
            Timestamp(read.0.clamp(least, most))
        }
    }

    fn last(&self) -> MutexGuard<'_, Heartbeat> {
        self.last.lock().expect("no panic while the lock is held")
    }

    /// The epoch of whatever is decided now. Writes a heartbeat first if the last one is too old.
    pub(crate) async fn epoch(&self) -> Result<OutageEpoch, Error> {
        if let Some(epoch) = self.fresh_epoch() {
            return Ok(epoch);
        }
        let _writing = self.writing.lock().await;
        if self.fresh_epoch().is_none() {
            self.write_heartbeat().await?;
        }
        Ok(self.last().epoch)
    }

    fn fresh_epoch(&self) -> Option<OutageEpoch> {
        let last = *self.last();
        (last.at.elapsed() < limits::HEARTBEAT_MAX_AGE).then_some(last.epoch)
    }
}

impl Heartbeat {
    async fn write(db: &Db, clock: &Clock, tolerance: Duration) -> Result<Self, Error> {
        let before = clock.read(ClockReader::Heartbeat);
        let begun = Instant::now();
        let written = db::heartbeat(db, tolerance).await?;
        let took = begun.elapsed();
        if !written.presence_kept {
            presence::db::refill(db).await?;
        }
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
            begun,
            at,
            database_now: written.now,
            epoch: OutageEpoch(written.outages),
            clock_error,
        })
    }
}
