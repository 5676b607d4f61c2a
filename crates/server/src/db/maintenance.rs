//! Queries of the maintenance commands. The database may be in use by a server, or not be one of Tochki.

use super::{ConnectOptions, Db, MIGRATOR};
use crate::Error;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection as _, PgConnection};
use std::fmt;
use tochki_protocol::limits;

/// Errors of opening a database for reading.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// It cannot be reached.
    #[error("cannot use the database: {0}")]
    Database(#[from] sqlx::Error),
    /// It has another schema.
    #[error(
        "the database has schema {found}, and this program reads {expected}: use the program of the server that runs on it"
    )]
    OtherSchema {
        /// The last migration of the database; 0 where there is none.
        found: i64,
        /// The last migration of this program.
        expected: i64,
    },
}

/// Connects to read, without bringing the schema up to date: a server of another release may run on it. One connection,
/// whose statements may take as long as they do.
///
/// # Errors
/// When the schema is not that of this program.
pub async fn open_to_read(options: ConnectOptions) -> Result<Db, OpenError> {
    let db = PgPoolOptions::new()
        .max_connections(1)
        .acquire_timeout(limits::DB_CONNECT_TIMEOUT)
        .connect_with(options)
        .await?;
    let found = match sqlx::query_scalar!("select max(version) from _sqlx_migrations where success")
        .fetch_one(&db)
        .await
    {
        Ok(found) => found.unwrap_or(0),
        // 42P01, `undefined_table`
        Err(sqlx::Error::Database(error)) if error.code().as_deref() == Some("42P01") => 0,
        Err(error) => return Err(error.into()),
    };
    let expected = MIGRATOR.iter().map(|migration| migration.version).max();
    let expected = expected.unwrap_or(0);
    if found == expected {
        Ok(db)
    } else {
        Err(OpenError::OtherSchema { found, expected })
    }
}

/// The major version of the server.
pub async fn server_version(options: &ConnectOptions) -> Result<u32, Error> {
    let connection = PgConnection::connect_with(options).await?;
    let version = connection.server_version_num().unwrap_or_default() / 10_000;
    connection.close().await?;
    Ok(version)
}

/// Returns whether there is nothing in the database yet: no table, view, sequence, function or type but those of extensions.
pub async fn is_empty(options: &ConnectOptions) -> Result<bool, Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    let used = sqlx::query_scalar!(
        r#"with ours as (
               select oid from pg_namespace
               where nspname not in ('pg_catalog', 'information_schema') and nspname !~ '^pg_(toast|temp)'
           ), objects as (
               select c.oid from pg_class c where c.relnamespace in (select oid from ours)
               union all
               select p.oid from pg_proc p where p.pronamespace in (select oid from ours)
               union all
               select t.oid from pg_type t where t.typnamespace in (select oid from ours)
           )
           select exists (select from objects o
               where not exists (select from pg_depend d where d.objid = o.oid and d.deptype in ('e', 'i'))) as "used!""#
    )
    .fetch_one(&mut connection)
    .await?;
    connection.close().await?;
    Ok(!used)
}

/// Lets Postgres collect statistics of the tables: a backup does not contain them, and without them queries are planned badly.
pub async fn analyze(options: &ConnectOptions) -> Result<(), Error> {
    let mut connection = PgConnection::connect_with(options).await?;
    sqlx::raw_sql("analyze").execute(&mut connection).await?;
    connection.close().await?;
    Ok(())
}

/// The disk space of the database, and what a finished game takes of it.
pub struct GameSizes {
    /// Number of finished games.
    finished: i64,
    /// How many of them are packed, and the bytes of their packs alone.
    packed: (i64, i64),
    /// The same of those with 55 to 65 events.
    of_sixty: (i64, i64),
    /// The name of each table, its bytes, and those of its indexes.
    tables: Vec<(String, i64, i64)>,
}

/// Measures all tables. It counts games, so it reads whole tables.
pub async fn game_sizes(db: &Db) -> Result<GameSizes, Error> {
    let counts = sqlx::query!(
        r#"/* reads all */
           select (select count(*) from matches where finished_at is not null) as "finished!",
                  count(*) as "packed!", coalesce(sum(length(p.events)), 0)::bigint as "bytes!",
                  count(*) filter (where m.version between 55 and 65) as "of_sixty!",
                  coalesce(sum(length(p.events)) filter (where m.version between 55 and 65), 0)::bigint as "bytes_of_sixty!"
           from packed_matches p join matches m on m.id = p.match_id"#
    )
    .fetch_one(db)
    .await?;
    let rows = sqlx::query!(
        r#"select c.relname::text as "name!", pg_table_size(c.oid) as "bytes!", pg_indexes_size(c.oid) as "of_indexes!"
           from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
           order by pg_total_relation_size(c.oid) desc, c.relname"#
    )
    .fetch_all(db)
    .await?;
    Ok(GameSizes {
        finished: counts.finished,
        packed: (counts.packed, counts.bytes),
        of_sixty: (counts.of_sixty, counts.bytes_of_sixty),
        tables: rows
            .into_iter()
            .map(|row| (row.name, row.bytes, row.of_indexes))
            .collect(),
    })
}

impl fmt::Display for GameSizes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let each = |bytes: i64, games: i64| bytes as f64 / games.max(1) as f64;
        let (packed, bytes) = self.packed;
        let (of_sixty, bytes_of_sixty) = self.of_sixty;
        writeln!(
            f,
            "{} finished games, {packed} of them packed: {:.1} bytes a pack; {of_sixty} of 55 to 65 events: {:.1} bytes a pack",
            self.finished,
            each(bytes, packed),
            each(bytes_of_sixty, of_sixty)
        )?;
        writeln!(
            f,
            "{:<28} {:>14} {:>14} {:>12}",
            "table", "bytes", "of indexes", "a game"
        )?;
        let all = self
            .tables
            .iter()
            .fold((0, 0), |(one, two), (_, bytes, of_indexes)| {
                (one + bytes, two + of_indexes)
            });
        let in_all = ("all".to_owned(), all.0, all.1);
        for (name, bytes, of_indexes) in self.tables.iter().chain([&in_all]) {
            let of_game = each(bytes + of_indexes, self.finished);
            writeln!(f, "{name:<28} {bytes:>14} {of_indexes:>14} {of_game:>12.1}")?;
        }
        Ok(())
    }
}
