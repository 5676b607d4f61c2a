//! Constants of this crate.

use std::time::Duration;

/// The database that a server finds in its own Postgres, and the role that owns it.
pub(crate) const NAME: &str = "tochki";

/// The longest time that Postgres may take to start (recovery after a crash included) or to stop.
pub(crate) const START_TIMEOUT: Duration = Duration::from_mins(1);

/// The interval of polls while Postgres starts or stops.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The interval of checks whether Postgres still runs.
pub(crate) const WATCH_INTERVAL: Duration = Duration::from_millis(100);

/// The longest time that a server which is just being replaced may take to let go of the folder.
pub(crate) const SERVER_LOCK_TIMEOUT: Duration = Duration::from_secs(3);

/// The number of times in a row that Postgres may fail to start again. Failures with a full disk do not count.
pub(crate) const MAX_RESTARTS: u32 = 5;

/// The wait after the first failure; twice as long after each that follows.
pub(crate) const MIN_BACKOFF: Duration = Duration::from_millis(250);

/// The longest wait, so that Postgres is soon back once the disk has room.
pub(crate) const MAX_BACKOFF: Duration = Duration::from_secs(4);

/// The free space below which the disk counts as full. A start may need another segment of the log (16 MiB), and room to write
/// what a crash has left there.
pub(crate) const MIN_FREE_BYTES: u64 = 24 * 1024 * 1024;
