//! Matches: timeouts of moves and offers, and the cache of an instance.

use std::time::Duration;

/// How long a player on turn has for their first move in a match.
pub const FIRST_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::FIRST_MOVE_TIMEOUT.0 as u64);

/// How long each move may take in a rated match without a clock.
pub const UNTIMED_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::UNTIMED_MOVE_TIMEOUT.0 as u64);

/// How long before the end of [`UNTIMED_MOVE_TIMEOUT`] both players are told.
pub const UNTIMED_MOVE_NOTICE: Duration = Duration::from_mins(2);

/// How long an offer in a match is open.
pub const OFFER_TIMEOUT: Duration = Duration::from_millis(tochki_play::OFFER_TIMEOUT.0 as u64);

/// What each side has left on its clock at least after moves are taken back.
pub const TAKEBACK_MIN_LEFT: Duration =
    Duration::from_millis(tochki_play::MIN_LEFT_AFTER_TAKEBACK.0 as u64);

/// After how long without an answer the page says that a move is being sent: the board shows it as made at once.
pub const MOVE_SENDING_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// How many moves and other commands each player of a match may send to it in a second.
pub const MOVES_PER_SECOND: u32 = 20;

/// How many overdue matches are ended in one round.
pub const OVERDUE_MATCHES_PER_SWEEP: u32 = 100;

/// Number of cached matches of an instance beyond which idle ones are evicted.
pub const MATCHES_IN_MEMORY: usize = 2_000;

/// How long an idle match stays in the cache.
pub const MATCH_CACHE_IDLE_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a match is suspended after a panic in it.
pub const MATCH_SUSPENSION: Duration = Duration::from_secs(5);

/// How many events of a match a slow subscriber may be behind before it reads them from the database.
pub const MATCH_CHANNEL_CAPACITY: usize = 64;

/// How many events of a match in memory are read from the database at once.
pub const MATCH_EVENTS_BATCH_LEN: u32 = 500;

/// How many matches are read at once when other instances have told of their events.
pub const MATCH_READ_CONCURRENCY: usize = 4;
