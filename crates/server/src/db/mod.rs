//! The database: its pool, transactions and migrations, and the types that several modules read from it. The SQL of a domain
//! is in the module `db` of its folder.
//!
//! # The order of locks
//!
//! A transaction that locks rows of several tables takes them in this order, and those of one table in the order of their
//! keys, so that no two wait for each other (`tests/server/lock_order.rs`):
//!
//! 1. `heartbeat`, after an outage alone; `packing_progress`, of those that pack and of the recount of ratings,
//! 2. `players` ([`crate::pairing::db::players::lock_players`]),
//! 3. the advisory lock of [`crate::pairing::db::table_counts::lock`], `open_tables`, `table_seats`,
//! 4. `challenges`,
//! 5. the advisory lock of [`crate::pairing::db::count_running`], `matches`,
//! 6. `playing`, `absences`, `time_away`,
//! 7. the advisory lock of [`crate::matches::db::time_losses::insert`], `tallies`, `ratings`,
//! 8. the advisory lock of a chat channel, `messages`.
//!
//! Statements on the rows of many players skip the locked rows, and are repeated for them later: heartbeats, sweeps, the ends of
//! absences, appends of many matches.

pub mod maintenance;
pub(crate) mod notification_row;
pub(crate) mod rows;
pub(crate) mod terms;

pub use sqlx::PgConnection as Connection;
pub use sqlx::postgres::PgConnectOptions as ConnectOptions;

use crate::detached::join_detached;
use crate::{Error, metrics};
use sqlx::migrate::Migrator;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection as _, PgPool, Postgres, Transaction};
use std::io;
use std::ops::{Deref, DerefMut};
use std::sync::LazyLock;
use std::time::Duration;
use tochki_protocol::limits;

/// The pool of connections.
pub type Db = PgPool;

/// The migrations, which are part of the program. A database may have newer ones: while instances are upgraded one after the
/// other, those of the release before start on it, too.
static MIGRATOR: LazyLock<Migrator> = LazyLock::new(|| {
    let mut migrator = sqlx::migrate!("../../migrations");
    migrator.set_ignore_missing(true);
    migrator
});

/// A transaction. If it is dropped, it is rolled back.
pub struct Tx(Transaction<'static, Postgres>);

impl Tx {
    /// Commits, also if the caller goes away meanwhile: sqlx would then send a `ROLLBACK` after the `COMMIT`, of which Postgres
    /// warns. So a task of its own waits for it.
    pub async fn commit(self) -> Result<(), sqlx::Error> {
        detached(self.0.commit()).await
    }

    /// Rolls back, in the same way.
    pub async fn rollback(self) -> Result<(), sqlx::Error> {
        detached(self.0.rollback()).await
    }
}

impl Deref for Tx {
    type Target = Connection;

    fn deref(&self) -> &Connection {
        &self.0
    }
}

impl DerefMut for Tx {
    fn deref_mut(&mut self) -> &mut Connection {
        &mut self.0
    }
}

/// After how long the database gives up, so that nothing that hangs keeps its connection, its locks or its snapshot.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// A statement.
    pub statement: Duration,
    /// Waiting for a lock.
    pub lock: Duration,
    /// A transaction in which nothing is asked.
    pub idle_transaction: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        Self {
            statement: limits::STATEMENT_TIMEOUT,
            lock: limits::LOCK_TIMEOUT,
            idle_transaction: limits::IDLE_TRANSACTION_TIMEOUT,
        }
    }
}

/// Brings the schema up to date and connects.
pub async fn open(
    options: ConnectOptions,
    connections: u32,
    timeouts: Timeouts,
) -> Result<Db, sqlx::Error> {
    // On a connection of its own, because a migration may take longer than a statement of a request.
    let connecting = Connection::connect_with(&options);
    let mut connection = tokio::time::timeout(limits::DB_CONNECT_TIMEOUT, connecting)
        .await
        .map_err(|_| sqlx::Error::PoolTimedOut)??;
    MIGRATOR.run(&mut connection).await?;
    connection.close().await?;
    let in_ms = |limit: Duration| limit.as_millis().to_string();
    let options = options.options([
        ("statement_timeout", in_ms(timeouts.statement)),
        ("lock_timeout", in_ms(timeouts.lock)),
        (
            "idle_in_transaction_session_timeout",
            in_ms(timeouts.idle_transaction),
        ),
    ]);
    pool_of(connections).connect_with(options).await
}

/// Connections of their own to the same database, for the heartbeats of [`crate::outages`] and [`crate::presence`], and
/// for the writer of presence, one each. However many requests wait for a connection of the pool, none of these waits with
/// them.
pub fn separate_connections(db: &Db) -> Db {
    pool_of(3).connect_lazy_with((*db.connect_options()).clone())
}

fn pool_of(connections: u32) -> PgPoolOptions {
    PgPoolOptions::new()
        .max_connections(connections)
        // A request fails soon if the database is unreachable.
        .acquire_timeout(limits::DB_CONNECT_TIMEOUT)
        // A connection that was used just now is not asked whether it lives: that is a round trip for each statement.
        .test_before_acquire(false)
        .before_acquire(|connection, state| {
            Box::pin(async move {
                if state.idle_for > limits::DB_UNCHECKED_IDLE_TIME {
                    connection.ping().await?;
                }
                Ok(true)
            })
        })
}

/// The failure of a statement that the database has not answered in time.
#[track_caller]
pub(crate) fn unanswered() -> Error {
    sqlx::Error::Io(io::ErrorKind::TimedOut.into()).into()
}

/// Begins a transaction.
///
/// `Pool::begin` must not be called but here. A caller that goes away while it waits for `BEGIN` would leave the connection to
/// the pool within the transaction, and the writes of the next ones there would never be committed
/// (<https://github.com/transact-rs/sqlx/issues/4393>, in sqlx 0.9.0). So a task of its own waits for it.
pub async fn begin(db: &Db) -> Result<Tx, sqlx::Error> {
    begin_with(db, "begin").await
}

/// Begins a read-only transaction that sees one snapshot of the database.
pub async fn begin_read_only(db: &Db) -> Result<Tx, Error> {
    Ok(begin_with(db, "begin isolation level repeatable read read only").await?)
}

async fn begin_with(db: &Db, statement: &'static str) -> Result<Tx, sqlx::Error> {
    let db = db.clone();
    let begun = detached(async move {
        let _guard = metrics::BeginGuard::count();
        db.begin_with(statement).await
    });
    begun.await.map(Tx)
}

/// Does this whether or not the caller waits for it.
async fn detached<T: Send + 'static>(
    work: impl Future<Output = Result<T, sqlx::Error>> + Send + 'static,
) -> Result<T, sqlx::Error> {
    let done = join_detached(work).await;
    done.unwrap_or(Err(sqlx::Error::PoolClosed))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{LogFailure as _, WithSubject as _};
    use crate::matches;
    use std::sync::Mutex;
    use tochki_protocol::MatchId;

    /// Returns the text that `work` logs.
    async fn logged_by(work: impl Future<Output = ()>) -> String {
        use std::sync::Arc;
        use tracing::instrument::WithSubscriber as _;

        #[derive(Clone, Default)]
        struct Log(Arc<Mutex<Vec<u8>>>);

        impl std::io::Write for Log {
            fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
                self.0.lock().unwrap().write(bytes)
            }

            fn flush(&mut self) -> std::io::Result<()> {
                Ok(())
            }
        }

        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_ansi(false)
            .with_writer(move || writer.clone())
            .finish();
        work.with_subscriber(subscriber).await;
        let bytes = log.0.lock().unwrap().clone();
        String::from_utf8(bytes).unwrap()
    }

    #[tokio::test]
    async fn a_query_that_fails_in_each_round_is_logged_once_with_location_and_subject() {
        // Nothing listens there.
        let options = PgPoolOptions::new().acquire_timeout(Duration::from_millis(1));
        let db = options.connect_lazy("postgres://127.0.0.1:1/none").unwrap();
        let log = logged_by(async {
            for _ in 0..3 {
                let load = matches::db::load(&db, MatchId(41)).await;
                assert!(
                    load.with_subject(MatchId(41))
                        .log_failure("testing")
                        .is_none()
                );
            }
            let other = matches::db::load(&db, MatchId(42)).await;
            let _ = other.with_subject(MatchId(42)).log_failure("testing");
        })
        .await;
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(lines.len(), 2, "{log}");
        for (line, subject) in lines.iter().zip(["match 41", "match 42"]) {
            for part in [
                "ERROR",
                "failed while testing",
                "matches/db/mod.rs:",
                subject,
            ] {
                assert!(line.contains(part), "no {part} in {line}");
            }
        }
    }

    #[tokio::test]
    async fn a_round_that_meets_a_closed_pool_logs_nothing() {
        let db = sqlx::PgPool::connect_lazy("postgres://localhost/none").unwrap();
        db.close().await;
        let log = logged_by(async {
            let load = matches::db::load(&db, MatchId(43)).await;
            assert!(
                load.with_subject(MatchId(43))
                    .log_failure("testing")
                    .is_none()
            );
        })
        .await;
        assert_eq!(log, "");
    }
}
