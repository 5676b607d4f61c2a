//! Matches: timeouts of moves and offers, and the cache of an instance.

use std::time::Duration;

/// Time of a player on turn for their first move in a match.
pub const FIRST_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::FIRST_MOVE_TIMEOUT.0 as u64);

/// Time of a player on turn for their first move by correspondence.
pub const CORRESPONDENCE_FIRST_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::CORRESPONDENCE_FIRST_MOVE_TIMEOUT.0 as u64);

/// The longest text of refused conditional moves that is kept for their form, in bytes: more than the longest that can be accepted.
pub const REFUSED_CONDITIONS_MAX_BYTES: usize = 16 * 1024;

/// Maximum number of running matches by correspondence of a player.
pub const CORRESPONDENCE_MATCHES: i64 = 50;

/// Time for each move in a rated match without a clock.
pub const UNTIMED_MOVE_TIMEOUT: Duration =
    Duration::from_millis(tochki_play::UNTIMED_MOVE_TIMEOUT.0 as u64);

/// Time before the end of [`UNTIMED_MOVE_TIMEOUT`] at which both players are told.
pub const UNTIMED_MOVE_NOTICE: Duration = Duration::from_mins(2);

/// Time for which an offer in a live match is open.
pub const OFFER_TIMEOUT: Duration = Duration::from_millis(tochki_play::OFFER_TIMEOUT.0 as u64);

/// Time for which the opponent of a sealed move may stay away.
pub const RESUME_TIMEOUT: Duration = Duration::from_millis(tochki_play::RESUME_TIMEOUT.0 as u64);

/// Time before the one agreed on from which players may come to an adjourned match that goes on live.
pub const LIVE_RESUME_LEAD: Duration =
    Duration::from_millis(tochki_play::LIVE_RESUME_LEAD.0 as u64);

/// Time after the one agreed on in which an adjourned match goes on live.
pub const LIVE_RESUME_WINDOW: Duration =
    Duration::from_millis(tochki_play::LIVE_RESUME_WINDOW.0 as u64);

/// Maximum number of hours after which an adjourned match goes on live.
pub const RESUME_HOURS: u32 = 14 * 24;

/// Minimum time left on each side's clock after moves are taken back.
pub const TAKEBACK_MIN_LEFT: Duration =
    Duration::from_millis(tochki_play::MIN_LEFT_AFTER_TAKEBACK.0 as u64);

/// Time without an answer after which the page says that a move is being sent: the board shows it as made at once.
pub const MOVE_SENDING_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// Maximum number of moves and other commands of each player of a match in a second.
pub const MOVES_PER_SECOND: u32 = 20;

/// Maximum number of running matches that the page of a player's games shows.
pub const GAMES_OF_PLAYER: i64 = 100;

/// Hour of a player's day from which on no flag of theirs falls by correspondence.
pub const NIGHT_BEGINS_HOUR: i8 = 23;

/// Hour at which flags fall that would have fallen at night.
pub const NIGHT_ENDS_HOUR: i8 = 7;

/// Interval after a change of a player's time zone in which there is no other one.
pub const TIME_ZONE_CHANGE_INTERVAL: Duration = Duration::from_hours(14 * 24);

/// Longest time after a first game lost on time by correspondence in which further ones are unrated, unless their player is here.
pub const MASS_TIMEOUT: Duration = Duration::from_hours(7 * 24);

/// Time for which a profile says so.
pub const MASS_TIMEOUT_SHOWN: Duration = Duration::from_hours(30 * 24);

/// Vacation days of a new account.
pub const VACATION_DAYS_AT_START: u32 = tochki_play::VACATION_DAYS_AT_START;

/// Time in which an account gets another vacation day.
pub const VACATION_DAY_INTERVAL: Duration =
    Duration::from_millis(tochki_play::VACATION_DAY_INTERVAL.0 as u64);

/// Maximum number of vacation days of an account.
pub const MAX_VACATION_DAYS: u32 = tochki_play::MAX_VACATION_DAYS;

/// Maximum length of all vacations of a player in one match.
pub const MAX_VACATION_IN_MATCH: Duration =
    Duration::from_millis(tochki_play::MAX_VACATION_IN_MATCH.0 as u64);

/// Time that a clock has left when a vacation begins by itself.
pub const AUTOMATIC_VACATION_BEFORE: Duration = Duration::from_hours(1);

/// Interval between two searches for such clocks.
pub const AUTOMATIC_VACATION_INTERVAL: Duration = Duration::from_mins(1);

/// Maximum length of a player's notes on a match, in characters.
pub const NOTES_MAX_CHARS: usize = 4_000;

/// Maximum number of changes of the conditional moves of a player in a match in a minute, refused ones among them.
pub const CONDITIONAL_MOVES_CHANGES_PER_MINUTE: u32 = 10;

/// Interval at which answers by conditional moves that are due are looked for.
pub const DUE_ANSWERS_SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// Number of matches in which one round answers by conditional moves.
pub const DUE_ANSWERS_PER_SWEEP: i64 = 100;

/// The first delay before an answer by conditional moves is tried again that could not be made; twice as long after each that follows.
pub const ANSWER_MIN_RETRY: Duration = Duration::from_secs(5);

/// The longest such delay.
pub const ANSWER_MAX_RETRY: Duration = Duration::from_mins(30);

/// Time that is left to the player when an offer of the opponent is declined for an answer by conditional moves. No vacation has begun by
/// itself then ([`AUTOMATIC_VACATION_BEFORE`]).
pub const ANSWER_DECLINES_BEFORE: Duration = Duration::from_hours(2);

/// Number of overdue matches that are ended in one round.
pub const OVERDUE_MATCHES_PER_SWEEP: u32 = 100;

/// Number of overdue matches that are ended at once.
pub const OVERDUE_CONCURRENCY: usize = 16;

/// Number of cached matches of an instance beyond which idle ones are evicted.
pub const MATCHES_IN_MEMORY: usize = 2_000;

/// Time for which an idle match stays in the cache.
pub const MATCH_CACHE_IDLE_TIMEOUT: Duration = Duration::from_mins(1);

/// Time for which a match is suspended after a panic in it.
pub const MATCH_SUSPENSION: Duration = Duration::from_secs(5);

/// Number of events of a match that a slow subscriber may be behind before it reads them from the database.
pub const MATCH_CHANNEL_CAPACITY: usize = 64;

/// Number of events of a match in memory that are read from the database at once.
pub const MATCH_EVENTS_BATCH_LEN: u32 = 500;

/// Number of matches that are read at once when other instances have told of their events.
pub const MATCH_READ_CONCURRENCY: usize = 4;
