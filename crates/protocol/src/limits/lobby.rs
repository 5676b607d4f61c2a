//! Waiting rooms: challenges and tables.

use super::days;
use std::time::Duration;

/// How long a challenge is open.
pub const CHALLENGE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a player who was declined waits before asking the same player again.
pub const CHALLENGE_PAUSE: Duration = Duration::from_mins(1);

/// How many challenges a player gets within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW: u32 = 10;

/// How many challenges a player gets from one other player within [`CHALLENGE_WINDOW`].
pub const CHALLENGES_PER_WINDOW_FROM_ONE: u32 = 3;

/// See [`CHALLENGES_PER_WINDOW`].
pub const CHALLENGE_WINDOW: Duration = Duration::from_mins(1);

/// How many ended challenges a waiting room shows without scripts: the page reloads before anybody could read more.
pub const ENDED_CHALLENGES_MAX_SHOWN: usize = 3;

/// How long a closed challenge and a finished match stay in the state of a waiting room.
pub const LOBBY_HISTORY: Duration = Duration::from_secs(20);

/// Delay before a waiting room is read again, so that many changes are batched into one read.
pub const LOBBY_REFRESH_DELAY: Duration = Duration::from_millis(100);

/// How many updates of a waiting room a slow subscriber may be behind before it is sent a new snapshot instead.
pub const LOBBY_CHANNEL_CAPACITY: usize = 256;

/// Shortest interval at which a waiting room sends the scores of its running matches.
pub const SCORES_INTERVAL: Duration = Duration::from_secs(1);

/// Of how many of the latest running matches the front page shows the one with the most events.
pub const SHOWCASE_CANDIDATES: u32 = 50;

/// The longest name of a table, in characters.
pub const TABLE_NAME_MAX_CHARS: usize = 40;

/// How long a table is listed after its creator was last seen. In the schema, for the release before: the view
/// `laid_tables`.
pub const TABLE_LISTING_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a table stays open after its creator was last seen. On a phone, sending the link means leaving the page.
pub const TABLE_TIMEOUT: Duration = Duration::from_mins(30);

/// How many open tables a player may have.
pub const TABLES_PER_PLAYER: u32 = 1;

/// How many open tables one address may have.
pub const TABLES_BY_ADDRESS: u32 = 20;

/// How many tables a player may open in a row. What is played at does not count.
pub const TABLE_OPENINGS: u32 = 10;

/// How often a player may open another table once [`TABLE_OPENINGS`] are used up.
pub const TABLE_OPENING_PERIOD: Duration = Duration::from_secs(30);

/// How many tables may be opened in a row from one address. What is played at does not count.
pub const TABLE_OPENINGS_BY_ADDRESS: u32 = 60;

/// How often another table may be opened from one address once [`TABLE_OPENINGS_BY_ADDRESS`] are used up.
pub const TABLE_OPENING_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(5);

/// How often a player may sit down at tables of others in a row. What is played does not count.
pub const SEAT_CHANGES: u32 = 20;

/// How often a player may sit down again once [`SEAT_CHANGES`] are used up.
pub const SEAT_CHANGE_PERIOD: Duration = Duration::from_secs(10);

/// How many open tables with a present creator there may be.
pub const TABLES_MAX: u32 = 500;

/// Precision of the stored time at which a player at a table was last seen.
pub const TABLE_SEEN_INTERVAL: Duration = Duration::from_secs(3);

/// How often the presence at open tables is checked.
pub const TABLE_SWEEP_INTERVAL: Duration = Duration::from_secs(1);

/// How often the lock of a table and its players is tried when somebody sits down meanwhile.
pub const TABLE_LOCK_MAX_ATTEMPTS: usize = 5;

/// How long a player who did not create the table keeps a seat after being last seen.
pub const SEAT_TIMEOUT: Duration = Duration::from_mins(1);

/// How long a seated player counts as ready after being last seen.
pub const READY_TIMEOUT: Duration = Duration::from_secs(30);

/// How long closed challenges and closed tables are kept.
pub const CLOSED_LIFETIME: Duration = days(1);
