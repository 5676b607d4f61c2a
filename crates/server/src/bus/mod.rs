//! The bus: notifications of changes between instances, by `LISTEN` and `NOTIFY` of their Postgres or, where the operator has
//! configured one, by a NATS server.
//!
//! 1. After its commit, code that changes something notifies the [`Notifier`]. A task batches the topics of
//!    [`limits::BUS_BATCH_DELAY`] into one message, on a connection of its own: never in a transaction of a match.
//! 2. A message has only topics ([`crate::bus::topic`]), no data. Receivers read the changes from the database.
//! 3. So a lost message costs time and no data: every reader also polls, every [`limits::POLL_INTERVAL`]. After a
//!    reconnection, everything is read once.
//!
//! [`limits::BUS_BATCH_DELAY`]: tochki_protocol::limits::BUS_BATCH_DELAY
//! [`limits::POLL_INTERVAL`]: tochki_protocol::limits::POLL_INTERVAL

pub(crate) mod channel;
mod db;
mod local;
mod nats;
pub(crate) mod notifier;
mod postgres;
pub(crate) mod topic;

use crate::bus::notifier::Notifier;
use crate::db::Db;
use crate::settings::Settings;
use crate::supervision::Tasks;
use local::Bus;

/// Connects this instance with the others, now and whenever the connection was lost.
pub(super) fn start(db: &Db, settings: &Settings, notifier: Notifier, tasks: &Tasks) {
    let bus = Bus {
        instance: format!("{:016x}", rand::random::<u64>()).into(),
        notifier,
        shutdown: tasks.shutdown(),
    };
    match &settings.nats_url {
        Some(url) => {
            let url = url.clone();
            tasks.spawn("bus", move || nats::run(bus.clone(), url.clone()));
        }
        None => {
            let (db, to_send, to_listen) = (db.clone(), bus.clone(), bus);
            tasks.spawn("bus sender", {
                let db = db.clone();
                move || postgres::send(to_send.clone(), db.clone())
            });
            tasks.spawn("bus listener", move || {
                postgres::listen(to_listen.clone(), db.clone())
            });
        }
    }
}
