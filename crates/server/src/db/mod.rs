//! The database: the only room that writes SQL. Each file is one noun of the schema.

pub mod accounts;
pub mod archive;
pub mod challenges;
pub mod chat;
pub mod guests;
pub mod match_status;
pub mod matches;
pub mod membership;
pub mod my_data;
pub mod operator;
pub mod outages;
pub mod presence;
pub mod profiles;
pub mod results;
pub mod standings;
mod start;
pub mod tables;
mod terms;

pub use start::start_match;

use crate::Error;
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
    sqlx::migrate!("../../migrations").run(&db).await?;
    Ok(db)
}

/// A transaction that sees one point in time and changes nothing.
pub async fn view(db: &Db) -> Result<Tx, Error> {
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
