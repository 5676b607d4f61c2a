//! The calendar of tournaments that other programs subscribe to.

use super::days;
use std::time::Duration;

/// Number of tournaments to come, and of those that run, in a calendar.
pub const CALENDAR_LEN: usize = 200;

/// Number of finished tournaments in a calendar, and of cancelled ones.
pub const CALENDAR_PAST_LEN: usize = 50;

/// Time after its end for which a tournament is in a calendar.
pub const CALENDAR_PAST: Duration = days(30);

/// Time for which an instance answers with the same calendar.
pub const CALENDAR_MAX_AGE: Duration = Duration::from_secs(5);

/// Time for which a reader keeps a calendar without asking again.
pub const CALENDAR_KEPT: Duration = Duration::from_mins(5);

/// Interval at which a program that subscribes is asked to read a calendar again.
pub const CALENDAR_REFRESH: Duration = Duration::from_hours(1);

/// Number of characters of the description of a tournament in a calendar.
pub const CALENDAR_DESCRIPTION_CHARS: usize = 300;

/// Duration of a tournament of rounds in a calendar, as long as it is not over: nobody knows it.
pub const ASSUMED_DURATION: Duration = Duration::from_hours(2);
