//! Reminders of tournaments.

use std::time::Duration;

/// Time before its start at which players are reminded of a tournament. Of one that was made later than that, nobody is.
pub const TOURNAMENT_REMINDED_BEFORE: Duration = Duration::from_mins(10);

/// Number of tournaments of which one statement reminds.
pub const TOURNAMENT_REMINDERS_AT_ONCE: usize = 20;
