//! The bus: what one instance changes wakes the others, by `LISTEN` and `NOTIFY` of their Postgres or, where the operator has
//! given one, by a NATS server.
//!
//! 1. Whoever changes something tells the [`Notifier`], after the commit. A task gathers what comes within
//!    [`limits::BUS_BATCH_DELAY`] and sends it as one message, on a connection of its own: never in a transaction of a match.
//! 2. A message names what has changed ([`crate::topic`]). Who receives it reads that from the database.
//! 3. So the loss of a message costs time and no data: every reader also polls, every [`limits::POLL_INTERVAL`]. After the
//!    connection was lost, everything is read once.
//!
//! [`limits::BUS_BATCH_DELAY`]: tochki_protocol::limits::BUS_BATCH_DELAY
//! [`limits::POLL_INTERVAL`]: tochki_protocol::limits::POLL_INTERVAL

mod local;
mod nats;
mod postgres;

use crate::db::Db;
use crate::notifier::Notifier;
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
