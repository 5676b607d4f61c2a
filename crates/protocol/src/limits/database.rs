//! The database and its connections.

use std::time::Duration;

/// Number of connections of an instance to the database.
pub const DATABASE_CONNECTIONS: u32 = 16;

/// Time-out of a request that waits for a connection to the database.
pub const DB_CONNECT_TIMEOUT: Duration = Duration::from_secs(5);

/// Idle time up to which a connection to the database is used without a check.
pub const DB_UNCHECKED_IDLE_TIME: Duration = Duration::from_millis(100);

/// Time after which the database cancels a statement.
pub const STATEMENT_TIMEOUT: Duration = Duration::from_secs(5);

/// Time after which the database cancels waiting for a lock.
pub const LOCK_TIMEOUT: Duration = Duration::from_secs(2);

/// Time after which the database ends a transaction without statements.
pub const IDLE_TRANSACTION_TIMEOUT: Duration = Duration::from_secs(30);

/// Time-out of a health check that waits for the database.
pub const HEALTH_CHECK_TIMEOUT: Duration = Duration::from_secs(3);

/// Time for which a result of the check for database writes is cached.
pub const READINESS_INTERVAL: Duration = Duration::from_millis(500);

/// Maximum difference between the clocks of an instance and of the database.
pub const CLOCK_TOLERANCE: Duration = Duration::from_millis(250);

/// Maximum number of matches that one statement appends to.
pub const MATCH_WRITER_BATCH_LEN: usize = 256;

/// Time-out of one attempt of the writer of matches to connect to the database. The writer tries again for
/// [`DB_CONNECT_TIMEOUT`].
pub const MATCH_WRITER_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Number of matches locked by another transaction that are appended to at once, each by a transaction of its own. More would
/// take the connections of requests that have nothing to do with these matches.
pub const LOCKED_APPENDS_AT_ONCE: usize = 4;

/// Maximum number of changes of presence that one statement writes.
pub const PRESENCE_BATCH_LEN: usize = 1024;

/// Time for which a failed batch of a writer (of matches, of presence) is split, to find the row at fault. Then all the rest of
/// it fails, so that those behind it do not wait for long.
pub const BATCH_SPLIT_TIME: Duration = Duration::from_secs(5);

/// The longest delay before a writer (of matches, of presence) tries again after a failure.
pub const WRITER_MAX_BACKOFF: Duration = Duration::from_secs(1);
