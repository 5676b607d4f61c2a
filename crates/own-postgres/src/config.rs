//! What all parts of this crate agree on.

use std::time::Duration;

/// The database that a server finds in its own Postgres, and the role that owns it.
pub(crate) const NAME: &str = "tochki";

/// How long Postgres may take to start (recovery after a crash included) or to stop.
pub(crate) const START_TIMEOUT: Duration = Duration::from_mins(1);

/// How often it is polled whether Postgres has started or stopped.
pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(20);
