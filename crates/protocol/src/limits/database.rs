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

/// How long the writer of matches waits for its connection to the database. Without it a match is appended to by a
/// transaction of its own.
pub const MATCH_WRITER_CONNECT_TIMEOUT: Duration = Duration::from_secs(1);

/// Delay before the writer of matches connects again after a failure.
pub const MATCH_WRITER_RETRY_DELAY: Duration = Duration::from_secs(1);
