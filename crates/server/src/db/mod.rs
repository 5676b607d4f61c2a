//! The database: the only module with SQL. Each file is about one subject of the schema.

pub mod account_management;
pub mod accounts;
pub mod annulments;
pub mod attempts;
pub mod challenges;
pub mod chat;
pub mod devices;
pub mod finished_matches;
pub mod guests;
pub mod house;
pub mod match_status;
pub mod matches;
pub mod my_data;
pub mod names;
pub mod operator;
pub mod outages;
pub mod pairs;
pub mod passkeys;
pub mod presence;
pub mod profiles;
pub mod recovery;
pub mod results;
mod rows;
pub mod sanctions;
pub mod standings;
mod start;
pub mod tables;
mod terms;

pub use start::start_match;

use crate::Error;
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, Postgres};
use tochki_protocol::limits;

/// The pool of connections.
pub type Db = PgPool;

/// A transaction.
pub type Tx = sqlx::Transaction<'static, Postgres>;

/// Connects and brings the schema up to date.
pub async fn open(options: PgConnectOptions, connections: u32) -> Result<Db, sqlx::Error> {
    let db = PgPoolOptions::new()
        .max_connections(connections)
        // A request fails soon if the database is unreachable.
        .acquire_timeout(limits::DB_CONNECT_TIMEOUT)
        .connect_with(options)
        .await?;
    sqlx::migrate!("../../migrations").run(&db).await?;
    Ok(db)
}

/// Begins a read-only transaction that sees one snapshot of the database.
pub async fn begin_read_only(db: &Db) -> Result<Tx, Error> {
    Ok(db
        .begin_with("begin isolation level repeatable read read only")
        .await?)
}

/// Whether the database answers within [`limits::HEALTH_CHECK_TIMEOUT`].
pub async fn is_reachable(db: &Db) -> bool {
    let query = sqlx::query_scalar!("select 1").fetch_one(db);
    tokio::time::timeout(limits::HEALTH_CHECK_TIMEOUT, query)
        .await
        .is_ok_and(|answer| answer.is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::error::{About as _, LogFailure as _};
    use std::sync::Mutex;
    use std::time::Duration;
    use tochki_protocol::MatchId;

    /// What is written to the log while `work` is done.
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
                let load = matches::load(&db, MatchId(41)).await;
                assert!(load.about(MatchId(41)).log_failure("testing").is_none());
            }
            let other = matches::load(&db, MatchId(42)).await;
            let _ = other.about(MatchId(42)).log_failure("testing");
        })
        .await;
        let lines: Vec<&str> = log.lines().collect();
        assert_eq!(lines.len(), 2, "{log}");
        for (line, subject) in lines.iter().zip(["match 41", "match 42"]) {
            for part in ["ERROR", "failed while testing", "db/matches.rs:", subject] {
                assert!(line.contains(part), "no {part} in {line}");
            }
        }
    }

    #[tokio::test]
    async fn a_round_that_meets_a_closed_pool_logs_nothing() {
        let db = sqlx::PgPool::connect_lazy("postgres://localhost/none").unwrap();
        db.close().await;
        let log = logged_by(async {
            let load = matches::load(&db, MatchId(43)).await;
            assert!(load.about(MatchId(43)).log_failure("testing").is_none());
        })
        .await;
        assert_eq!(log, "");
    }
}
