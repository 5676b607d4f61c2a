//! Messages between instances by `LISTEN` and `NOTIFY`, each side on a connection of its own.

use crate::db::{ConnectOptions, Db};
use sqlx::postgres::{PgListener, PgPoolOptions};
use sqlx::{Connection as _, PgConnection};
use tochki_protocol::limits;

/// The channel of all instances on this database.
const CHANNEL: &str = "tochki";

/// Sends messages. They are no part of any other transaction: `NOTIFY` makes commits wait for each other.
pub(crate) struct BusSender(PgConnection);

/// Receives the messages of all instances, also its own.
pub(crate) struct BusListener(PgListener);

impl BusSender {
    /// Connects.
    pub(crate) async fn connect(db: &Db) -> Result<Self, sqlx::Error> {
        // A message that a crash loses is no harm, so nothing waits for the disk.
        let options = options(db).options([("synchronous_commit", "off")]);
        let connecting = PgConnection::connect_with(&options);
        let connected = tokio::time::timeout(limits::DB_CONNECT_TIMEOUT, connecting);
        Ok(Self(
            connected.await.map_err(|_| sqlx::Error::PoolTimedOut)??,
        ))
    }

    /// Sends messages of less than 8000 bytes each.
    pub(crate) async fn send(&mut self, messages: &[String]) -> Result<(), sqlx::Error> {
        sqlx::query!(
            "select pg_notify($1, message) from unnest($2::text[]) as message",
            CHANNEL,
            messages
        )
        .execute(&mut self.0)
        .await?;
        Ok(())
    }
}

impl BusListener {
    /// Connects. Every message that is sent after this is received.
    pub(crate) async fn connect(db: &Db) -> Result<Self, sqlx::Error> {
        let pool = PgPoolOptions::new()
            .max_connections(1)
            .max_lifetime(None)
            .idle_timeout(None)
            .acquire_timeout(limits::DB_CONNECT_TIMEOUT)
            .connect_lazy_with(options(db));
        let mut listener = PgListener::connect_with(&pool).await?;
        // What was missed in between has to be read, so the caller connects again itself.
        listener.eager_reconnect(false);
        listener.listen(CHANNEL).await?;
        Ok(Self(listener))
    }

    /// The next message; `None` when the connection has ended.
    pub(crate) async fn next(&mut self) -> Result<Option<String>, sqlx::Error> {
        let received = self.0.try_recv().await?;
        Ok(received.map(|notification| notification.payload().to_owned()))
    }
}

/// The options of the pool, with an application name that identifies the connection.
fn options(db: &Db) -> ConnectOptions {
    let options = db.connect_options();
    ConnectOptions::clone(&options).application_name("tochki bus")
}
