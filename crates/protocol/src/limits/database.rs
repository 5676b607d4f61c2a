//! The database and its connections.

use std::time::Duration;

/// How many connections to the database an instance has.
pub const DATABASE_CONNECTIONS: u32 = 16;

/// How long a request waits for a connection to the database.
pub const DB_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Idle time up to which a connection to the database is used without a check.
pub const DB_UNCHECKED_IDLE_TIME: Duration = Duration::from_millis(100);

/// After how long the database gives up a statement.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// After how long the database gives up waiting for a lock.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// After how long the database ends a transaction in which nothing is asked.
pub const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a health check waits for the database.
pub const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// How long a result of the check for database writes is cached.
pub const READINESS_INTERVAL: Duration = Duration::from_millis(500);

/// How far the clock of an instance may be off that of the database.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(250);

/// To how many matches is appended with one statement.
pub const MATCH_WRITER_BATCH_LEN: usize = 256;

/// How long one attempt of the writer of matches to connect to the database may last. It tries again for
/// [`DB_CONNECT_TIMEOUT`].
pub const MATCH_WRITER_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// How many matches that another transaction has locked are appended to at once, each by a transaction of its own. More would
/// take the connections of requests that have nothing to do with these matches.
pub const LOCKED_APPENDS_AT_ONCE: usize = 4;

/// How many changes of presence are written with one statement.
pub const PRESENCE_BATCH_LEN: usize = 1024;

/// How long a failed batch of a writer (of matches, of presence) is split, to find the row at fault. Then all the rest of it
/// fails, so that those behind it do not wait for long.
pub const BATCH_SPLIT_TIME: Duration = Duration::from_secs(5);

/// The longest delay before a writer (of matches, of presence) tries again after a failure.
pub const WRITER_MAX_BACKOFF: Duration = Duration::from_secs(1);
