//! Leagues. The sizes of divisions and the numbers of movers are in `tochki_tournaments::league`.

use super::days;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Number of characters of the name of a league. The names of its divisions are longer.
pub const LEAGUE_NAME_CHARS: RangeInclusive<usize> = 3..=25;

/// Number of days until the first season of a new league.
pub const LEAGUE_LEAD_DAYS: RangeInclusive<u32> = 0..=60;

/// Number of days until the first season, where the operator has chosen none.
pub const LEAGUE_DEFAULT_LEAD_DAYS: u32 = 7;

/// Number of days of a round: a double round robin of eight players takes eight weeks.
pub const LEAGUE_ROUND_DAYS: u32 = 4;

/// Time from the start of a season to that of the next one.
pub const LEAGUE_SEASON: Duration = days(56);

/// Number of members of a league.
pub const LEAGUE_MAX_MEMBERS: i64 = 800;

/// Number of members without whom no season begins.
pub const LEAGUE_MIN_MEMBERS: usize = 3;

/// Time after which a league without enough members looks for them again.
pub const LEAGUE_RETRY: Duration = days(1);

/// Number of leagues in a list, of titles of a league, and of a player.
pub const LEAGUES_LEN: i64 = 50;

/// Number of leagues whose seasons are begun at one turn.
pub const LEAGUES_AT_ONCE: usize = 5;
