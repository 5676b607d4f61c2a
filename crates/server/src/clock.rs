//! The wall clock of this instance.

use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};
use tochki_play::Timestamp;
use tochki_protocol::MatchId;

/// The reader of the clock. A test can give each reader another time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClockReader {
    /// The heartbeat, which compares it with the clock of the database.
    Heartbeat,
    /// A command that arrives for a match.
    Arrival(MatchId),
    /// A command of a match that is executed.
    Match(MatchId),
    /// The beginning or the end of a vacation.
    Vacation,
}

/// The clock by which matches run. All instances must have the same time, as machines with NTP do, so each compares its
/// clock with that of the database. Sessions, challenges and presence are timed by the database.
#[derive(Clone)]
pub struct Clock(Arc<dyn Fn(ClockReader) -> Timestamp + Send + Sync>);

impl Clock {
    /// The clock of the machine.
    pub fn system() -> Self {
        Self::new(|_| now())
    }

    /// Another clock.
    pub fn new(read: impl Fn(ClockReader) -> Timestamp + Send + Sync + 'static) -> Self {
        Self(Arc::new(read))
    }

    pub(crate) fn read(&self, reader: ClockReader) -> Timestamp {
        (self.0)(reader)
    }
}

/// The time of the machine.
pub fn now() -> Timestamp {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}
