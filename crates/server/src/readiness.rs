//! Readiness of this instance (`/readyz`): the database accepts writes, the clock is near that of the database, and no
//! shutdown has begun.

use crate::db::Db;
use crate::outages;
use crate::outages::OutageClock;
use crate::{Error, metrics};
use std::fmt;
use std::sync::Arc;
use std::time::Instant;
use tochki_protocol::limits;
use tokio::sync::Mutex;
use tokio_util::sync::CancellationToken;

/// Reason why an instance is not ready.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotReady {
    /// It is shutting down.
    Closing,
    /// The database does not answer, or takes no changes, as with a full disk.
    Database,
    /// Its clock differs from that of the database by at least so many milliseconds.
    Clock(u64),
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Closing => f.write_str("The server is shutting down."),
            Self::Database => f.write_str("Nothing can be written to the database."),
            Self::Clock(ms) => write!(f, "The clock is {ms} ms off that of the database."),
        }
    }
}

/// The check, and its last result.
#[derive(Clone)]
pub struct Readiness {
    db: Db,
    outage_clock: OutageClock,
    shutdown: CancellationToken,
    /// Anybody may ask, so they all share an answer; the lock is held while the database is asked.
    last: Arc<Mutex<Last>>,
}

/// The last write to the database.
#[derive(Default)]
struct Last {
    /// Time and result of the last try.
    answer: Option<(Instant, bool)>,
    /// How many statements had failed for lack of space when new pages were last written. After one more, a write that fits
    /// into its page proves nothing.
    disk_failures: u64,
}

impl Readiness {
    pub(super) fn open(db: Db, outage_clock: OutageClock, shutdown: CancellationToken) -> Self {
        Self {
            db,
            outage_clock,
            shutdown,
            last: Arc::default(),
        }
    }

    /// Returns whether this instance can serve now.
    ///
    /// # Errors
    /// Why not.
    pub async fn check(&self) -> Result<(), NotReady> {
        if self.shutdown.is_cancelled() {
            return Err(NotReady::Closing);
        }
        if !self.is_written().await {
            return Err(NotReady::Database);
        }
        let off = self.outage_clock.clock_error();
        if off > limits::CLOCK_TOLERANCE {
            return Err(NotReady::Clock(off.as_millis() as u64));
        }
        Ok(())
    }

    async fn is_written(&self) -> bool {
        let mut last = self.last.lock().await;
        if let Some((at, written)) = last.answer
            && at.elapsed() < limits::READINESS_INTERVAL
        {
            return written;
        }
        let disk_failures = metrics::disk_failures();
        let write = async {
            outages::db::write_readiness(&self.db).await?;
            if last.disk_failures != disk_failures {
                outages::db::write_new_pages(&self.db).await?;
            }
            Ok::<_, Error>(())
        };
        let written = tokio::time::timeout(limits::HEALTH_CHECK_TIMEOUT, write).await;
        let written = written.is_ok_and(|written| written.is_ok());
        if written {
            last.disk_failures = disk_failures;
        }
        last.answer = Some((Instant::now(), written));
        written
    }
}
