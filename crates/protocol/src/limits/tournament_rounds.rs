//! Tournaments of rounds: their sizes, the times between rounds, and what staying away costs.

use super::days;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Number of rounds of a Swiss.
pub const SWISS_ROUNDS: RangeInclusive<u32> = 3..=15;

/// Number of players of a Swiss.
pub const SWISS_MAX_PLAYERS: i64 = 1_000;

/// Number of players of a round robin.
pub const ROUND_ROBIN_PLAYERS: RangeInclusive<i64> = 3..=16;

/// Time from the last game of a round to the next round.
pub const ROUND_BREAK: RangeInclusive<Duration> = Duration::from_secs(30)..=Duration::from_hours(1);

/// The break of a tournament whose creator has chosen none.
pub const DEFAULT_ROUND_BREAK: Duration = Duration::from_mins(2);

/// Longest time before a round in which players say that they are here.
pub const PRESENCE_WINDOW: Duration = Duration::from_mins(2);

/// Time without a Swiss after a game from which a player stayed away; it doubles each time.
pub const NO_SHOW_BAN: Duration = days(1);

/// Longest such time.
pub const NO_SHOW_BAN_MAX: Duration = days(30);

/// Number of times that a round is paired again because players came or left meanwhile, before whoever came is left out.
pub const ROUND_PAIRING_ATTEMPTS: u32 = 3;

/// Number of calls to rounds that a slow reader of a personal stream may lag behind.
pub const ROUND_CALLS_CAPACITY: usize = 16;
