//! The wall clock of this instance.

use std::time::{SystemTime, UNIX_EPOCH};
use tochki_play::Timestamp;

/// The time by which the clocks of matches run. All instances must have the same time, as machines with NTP do. Sessions,
/// challenges and presence are timed by the database.
pub fn now() -> Timestamp {
    let since_1970 = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since_1970.as_millis()).unwrap_or(i64::MAX))
}
