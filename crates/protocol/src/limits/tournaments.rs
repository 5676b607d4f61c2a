//! Tournaments: who may make and enter them, their sizes, and how an instance drives them.

use super::days;
use std::ops::RangeInclusive;
use std::time::Duration;

/// Number of characters of the name of a tournament.
pub const TOURNAMENT_NAME_CHARS: RangeInclusive<usize> = 3..=40;

/// Maximum number of characters of the description of a tournament.
pub const TOURNAMENT_DESCRIPTION_MAX_CHARS: usize = 1_000;

/// Least age of an account that makes a tournament.
pub const TOURNAMENT_CREATOR_MIN_AGE: Duration = days(7);

/// Number of rated matches that the creator of a tournament has played.
pub const TOURNAMENT_CREATOR_MIN_MATCHES: i64 = 5;

/// Number of tournaments of one account that are open or running.
pub const TOURNAMENTS_PER_PLAYER: i64 = 2;

/// Number of tournaments that are made at one address in [`TOURNAMENT_ADDRESS_WINDOW`].
pub const TOURNAMENTS_BY_ADDRESS: i64 = 3;

/// Time in which the tournaments made at one address are counted.
pub const TOURNAMENT_ADDRESS_WINDOW: Duration = days(1);

/// Least time from making a tournament to its start.
pub const TOURNAMENT_MIN_LEAD: Duration = Duration::from_mins(1);

/// Longest time from making a tournament to its start.
pub const TOURNAMENT_MAX_LEAD: Duration = days(60);

/// Duration of an arena in minutes.
pub const ARENA_MINUTES: RangeInclusive<u32> = 20..=360;

/// Number of players of an arena.
pub const ARENA_MAX_PLAYERS: i64 = 5_000;

/// Number of wrong passwords of tournaments at once, by player and by address.
pub const ENTRY_PASSWORDS: u32 = 5;

/// Time until one more may be tried.
pub const ENTRY_PASSWORD_PERIOD: Duration = Duration::from_secs(12);

/// Number of guests from one address in a tournament.
pub const TOURNAMENT_GUESTS_BY_ADDRESS: i64 = 2;

/// Number of players from which on a tournament without a password rates games as any waiting room would not.
pub const TOURNAMENT_UNBOUNDED_PLAYERS: i64 = 8;

/// Number of players of other addresses who have played in an arena, from which on games of two accounts of one address do not count.
pub const TOURNAMENT_OTHERS_TO_MEET: i64 = 8;

/// Number of rows on a page of the standings of a tournament.
pub const TOURNAMENT_PAGE_LEN: u32 = 50;

/// Number of tournaments on a page of a list.
pub const TOURNAMENTS_PAGE_LEN: i64 = 20;

/// Interval at which an instance looks for tournaments to drive, and for a wave of pairings.
pub const TOURNAMENT_INTERVAL: Duration = Duration::from_secs(2);

/// Duration of the lease by which an instance drives a tournament.
pub const TOURNAMENT_LEASE: Duration = Duration::from_secs(6);

/// Number of pairings that are made in one transaction.
pub const PAIRINGS_PER_TRANSACTION: usize = 8;

/// Number of tournaments that an instance drives at once.
pub const TOURNAMENTS_AT_ONCE: usize = 4;

/// Number of tournaments whose standings an instance keeps in memory.
pub const STANDINGS_IN_MEMORY: usize = 64;

/// Time for which the standings of a large tournament are not ranked again, however often they change.
pub const STANDINGS_MIN_AGE: Duration = Duration::from_secs(1);

/// Number of players from which on a tournament is large in this sense.
pub const LARGE_STANDINGS: usize = 100;

/// Time after which standings are read again though nothing has changed in the tournament: its players may have other names.
pub const STANDINGS_MAX_AGE: Duration = Duration::from_mins(1);

/// Interval at which those who watch a tournament are told what has changed.
pub const TOURNAMENT_FEED_INTERVAL: Duration = Duration::from_secs(1);

/// Number of batches of events that a slow reader of the stream of a tournament may lag behind, before it gets a snapshot instead.
pub const TOURNAMENT_FEED_CAPACITY: usize = 16;

/// Number of events of one second from which on those who watch get a snapshot and the standings instead.
pub const TOURNAMENT_FEED_EVENTS: usize = 50;

/// Number of rows of the standings that travel as an event.
pub const STANDINGS_TOP_LEN: usize = 10;

/// Longest time before a page reads the standings again after they have changed: each page at another moment.
pub const STANDINGS_READ_INTERVAL: Duration = Duration::from_secs(10);

/// Time before its start from which on pages point to a tournament.
pub const TOURNAMENT_ANNOUNCED_BEFORE: Duration = days(1);

/// Number of players from which on pages point to a tournament that no operator has made.
pub const TOURNAMENT_ANNOUNCED_FROM: i64 = 4;

/// Number of games of an arena that are read at once for its file.
pub const ARENA_FILE_BATCH_LEN: usize = 500;

/// Number of running games whose boards the page of a tournament shows.
pub const TOURNAMENT_BOARDS: usize = 6;

/// Number of games of the winner whose boards the page of a finished tournament shows.
pub const TOURNAMENT_BEST_GAMES: usize = 3;
