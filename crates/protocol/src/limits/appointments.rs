//! Tournaments over days, and games by appointment.

use super::days;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Number of days from the start of a round to that of the next one.
pub const ROUND_DAYS: RangeInclusive<u32> = 1..=30;

/// Such a day, as a round begins at the same hour.
pub const ROUND_DAY: Duration = days(1);

/// Least time from proposing a time to that time.
pub const APPOINTMENT_MIN_LEAD: Duration = Duration::from_mins(5);

/// Difference up to which two proposed times are the same.
pub const APPOINTMENT_TOLERANCE: Duration = Duration::from_mins(1);

/// Number of times that a player proposes for a game; a further one takes the place of the oldest.
pub const APPOINTMENT_PROPOSALS: i64 = 5;

/// Time before a game by appointment from which on players may say that they are here for it.
pub const APPOINTMENT_PRESENCE: Duration = Duration::from_mins(10);

/// Time after which a game by appointment is lost for whoever has not come.
pub const APPOINTMENT_WAIT: Duration = Duration::from_mins(15);

/// Times before a game by appointment at which its players are reminded.
pub const APPOINTMENT_REMINDED_BEFORE: [Duration; 2] = [days(1), Duration::from_hours(1)];

/// Time before the end of a round until which a proposal counts as an attempt to play: whoever has made none loses to who has.
pub const APPOINTMENT_ATTEMPT: Duration = days(1);

/// Number of games by appointment that a player misses before being out.
pub const APPOINTMENTS_MISSED: i32 = 2;

/// Time for which a player is not told again that the opponent proposes a time.
pub const APPOINTMENT_TOLD_EVERY: Duration = Duration::from_hours(1);
