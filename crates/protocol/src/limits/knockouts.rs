//! Knockouts.

use std::ops::RangeInclusive;
use std::time::Duration;

/// Number of players of a knockout.
pub const KNOCKOUT_PLAYERS: RangeInclusive<i64> = 4..=64;

/// Numbers of games that a pair may play before a play-off.
pub const KNOCKOUT_BEST_OF: [u32; 3] = [1, 2, 4];

/// Pause between two games of a pair.
pub const DUEL_PAUSE: Duration = Duration::from_secs(10);

/// Time after a game of a pair in which a player who plays elsewhere has to come back for the next one.
pub const DUEL_WAIT: Duration = Duration::from_mins(3);

/// Time in which the better seed chooses a side for the last game.
pub const SIDE_CHOICE_TIME: Duration = Duration::from_mins(1);
