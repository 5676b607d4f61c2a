//! Queries of the maintenance commands. The database may be in use by a server, or not be one of Tochki.

use super::{ConnectOptions, Db, MIGRATOR};
use crate::Error;
use sqlx::postgres::PgPoolOptions;
use sqlx::{Connection as _, PgConnection};
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
