//! Series of tournaments. The rules that may be are in `tochki_tournaments::recurrence`.

/// Number of series in a calendar.
pub const SERIES_LEN: usize = 50;

/// Number of dates of a series in a calendar for which no tournament is made yet.
pub const SERIES_PLANNED: usize = 5;

/// Longest name of a time zone, in bytes.
pub const ZONE_MAX_BYTES: usize = 64;
