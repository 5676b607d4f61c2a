//! The database: the only room that writes SQL. Each file is one noun of the schema.

pub mod accounts;
pub mod archive;
pub mod around;
pub mod challenges;
pub mod chat;
pub mod guests;
pub mod matches;
pub mod membership;
pub mod my_data;
pub mod open_tables;
pub mod operator;
pub mod outages;
pub mod presence;
pub mod profiles;
pub mod results;
pub mod standings;
mod start;
mod terms;

pub use start::start_match;

use crate::wire::{ApiError, Code};
use sqlx::postgres::{PgConnectOptions, PgPoolOptions};
use sqlx::{PgPool, Postgres};
use std::time::Duration;

/// The pool of connections.
pub type Db = PgPool;

/// A transaction.
pub type Tx = sqlx::Transaction<'static, Postgres>;

/// Connects and brings the schema up to date.
pub async fn open(options: PgConnectOptions, connections: u32) -> Result<Db, sqlx::Error> {
    let db = PgPoolOptions::new()
        .max_connections(connections)
        // A player waits for an answer, so a database that is away is told soon.
        .acquire_timeout(Duration::from_secs(5))
        .connect_with(options)
        .await?;
    sqlx::migrate!().run(&db).await?;
    Ok(db)
}

/// A transaction that sees one point in time and changes nothing.
pub async fn view(db: &Db) -> Result<Tx, ApiError> {
    Ok(db
        .begin_with("begin isolation level repeatable read read only")
        .await?)
}

/// Whether the database answers.
pub async fn answers(db: &Db) -> bool {
    let asked = sqlx::query_scalar!("select 1").fetch_one(db);
    // One that is silent is as good as away.
    tokio::time::timeout(Duration::from_secs(3), asked)
        .await
        .is_ok_and(|answer| answer.is_ok())
}

impl From<sqlx::Error> for ApiError {
    fn from(error: sqlx::Error) -> Self {
        let constraint = error
            .as_database_error()
            .and_then(|error| error.constraint());
        let code = match constraint {
            Some("players_name_unique") => Code::NameTaken,
            Some("challenges_one_open") => Code::AlreadyChallenging,
            Some("playing_pkey") => Code::AlreadyPlaying,
            _ if is_away(&error) => Code::Unavailable,
            _ => Code::Internal,
        };
        if matches!(code, Code::Internal | Code::Unavailable) {
            tracing::error!(%error, "the database refused");
        }
        code.into()
    }
}

/// Asking again may well succeed: the connection is at fault, or another transaction came in between.
fn is_away(error: &sqlx::Error) -> bool {
    match error {
        sqlx::Error::Io(_)
        | sqlx::Error::PoolTimedOut
        | sqlx::Error::PoolClosed
        | sqlx::Error::WorkerCrashed => true,
        // 57P0x: Postgres is shutting down or starting; 08xxx: the connection broke; 53300: too many connections;
        // 40P01, 40001: a deadlock, or a snapshot that could not be kept.
        sqlx::Error::Database(error) => error.code().is_some_and(|code| {
            code.starts_with("57P0")
                || code.starts_with("08")
                || matches!(&*code, "53300" | "40P01" | "40001")
        }),
        _ => false,
    }
}
