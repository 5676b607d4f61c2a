//! House bots.

use super::days;
use std::time::Duration;

/// The rating of the house bots of level 2 until there are [`HOUSE_BOT_FIT_MATCHES`] to fit another to, and that of a player whose
/// strength is not known.
pub const HOUSE_BOT_LEVEL_2_RATING: f64 = 900.0;

/// Number of matches of rated people with the house bots of a game from which on their ratings are fitted to them.
pub const HOUSE_BOT_FIT_MATCHES: usize = 200;

/// Maximum number of matches that the ratings of the house bots of a game are fitted to: the latest.
pub const HOUSE_BOT_FIT_MAX_MATCHES: i64 = 5000;

/// Maximum number of these matches of one person, so that nobody sets the ratings alone.
pub const HOUSE_BOT_FIT_MAX_MATCHES_OF_ONE: i64 = 20;

/// Interval at which the ratings of the house bots are fitted.
pub const HOUSE_BOT_FIT_INTERVAL: Duration = days(7);

/// Maximum number of games that the house bots play at once.
pub const HOUSE_BOT_GAMES: u32 = 16;

/// Number of threads of the house bots' searches.
pub const HOUSE_BOT_THREADS: u32 = 1;

/// Duration of the lease by which an instance runs the house bots.
pub const HOUSE_BOT_LEASE: Duration = Duration::from_secs(6);

/// Interval at which the lease is renewed.
pub const HOUSE_BOT_LEASE_RENEWAL: Duration = Duration::from_secs(2);

/// The least time of a house bot for a move, as far as its clock allows: people want time to see the changes on the board.
pub const HOUSE_BOT_MIN_MOVE_TIME: Duration = Duration::from_millis(500);

/// The most time of a house bot for a move. Only the strongest needs it.
pub const HOUSE_BOT_MAX_MOVE_TIME: Duration = Duration::from_millis(1500);

/// Clock time below which a house bot moves at once: a move takes a few milliseconds besides thinking.
pub const HOUSE_BOT_TIME_TROUBLE: Duration = Duration::from_secs(3);

/// Time for which a house bot stays at a finished match for a rematch.
pub const HOUSE_BOT_REMATCH_TIMEOUT: Duration = Duration::from_mins(1);

/// Duration of an absence from a match against a house bot after which the match is lost. The clock of the match may end it before; it
/// is no longer, so that nobody occupies all house bots by matches with long clocks.
pub const HOUSE_BOT_ABSENCE_TIMEOUT: Duration = Duration::from_mins(10);

/// Delay after a failure before a house bot begins again with the state in the database.
pub const HOUSE_BOT_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Interval at which a house bot reads its match again, in case its instance has missed something.
pub const HOUSE_BOT_POLL_INTERVAL: Duration = Duration::from_secs(3);

/// The most time of the search by which a house bot judges an offer.
pub const HOUSE_BOT_OFFER_SEARCH_TIME: Duration = Duration::from_millis(300);

/// The most nodes of that search, which is one of the strongest level.
pub const HOUSE_BOT_OFFER_SEARCH_NODES: u64 = 4000;

/// Time slice of a house bot's search, after which the next search has its turn.
pub const HOUSE_BOT_TIME_SLICE: Duration = Duration::from_millis(20);

/// Intended time of a step of a search: short enough to keep the time of a search.
pub const HOUSE_BOT_STEP_TIME: Duration = Duration::from_millis(2);

/// The most nodes of a step, of which some take ten times longer than others.
pub const HOUSE_BOT_STEP_MAX_NODES: u64 = 1 << 12;

/// The memory of a search, in bytes.
pub const HOUSE_BOT_MEMORY_BYTES: usize = 8 << 20;

/// The memory of a search of the strongest level, in bytes. No other level has a large tree.
pub const HOUSE_BOT_STRONGEST_MEMORY_BYTES: usize = 32 << 20;
