//! The bus over `LISTEN` and `NOTIFY`.

use super::local::Bus;
use crate::backoff::Backoff;
use crate::bus::db::{BusListener, BusSender};
use crate::db::Db;
use crate::metrics;

use tochki_protocol::limits;

/// Sends the changes of this instance, until the shutdown.
pub(super) async fn send(bus: Bus, db: Db) {
    let mut backoff = Backoff::new(limits::BUS_MAX_BACKOFF);
    let mut unsent = Vec::new();
    loop {
        match BusSender::connect(&db).await {
            Ok(sender) => {
                backoff.reset();
                let Some(error) = send_on(&bus, sender, &mut unsent).await else {
                    return;
                };
                tracing::warn!(%error, "the NOTIFY connection is lost; its messages are sent again");
            }
            Err(error) => {
                let outgoing = bus.notifier.take_outgoing();
                if !unsent.is_empty() || !outgoing.is_empty() {
                    metrics::bus_message("lost");
                }
                unsent.clear();
                tracing::warn!(%error, "connecting for NOTIFY failed; other instances poll");
            }
        }
        if !backoff.wait(&bus.shutdown).await {
            return;
        }
    }
}

/// Sends on this connection, beginning with the messages that the connection before could not send. `None` at the shutdown.
async fn send_on(
    bus: &Bus,
    mut sender: BusSender,
    unsent: &mut Vec<String>,
) -> Option<sqlx::Error> {
    let again = std::mem::take(unsent);
    if !again.is_empty() {
        if let Err(error) = sender.send(&again).await {
            metrics::bus_message("lost");
            return Some(error);
        }
        metrics::bus_message("sent");
    }
    loop {
        tokio::select! {
            () = bus.shutdown.cancelled() => return None,
            () = bus.notifier.outgoing_notified() => tokio::time::sleep(limits::BUS_BATCH_DELAY).await,
            () = tokio::time::sleep(limits::BUS_HEARTBEAT_INTERVAL) => {}
        }
        let messages = crate::bus::topic::messages(&bus.instance, bus.notifier.take_outgoing());
        if let Err(error) = sender.send(&messages).await {
            *unsent = messages;
            return Some(error);
        }
        metrics::bus_message("sent");
    }
}

/// Receives the changes of other instances, until the shutdown.
pub(super) async fn listen(bus: Bus, db: Db) {
    let mut backoff = Backoff::new(limits::BUS_MAX_BACKOFF);
    loop {
        match BusListener::connect(&db).await {
            Ok(listener) => {
                backoff.reset();
                bus.connected();
                if listen_on(&bus, listener).await.is_none() {
                    return;
                }
                metrics::bus_connected(false);
                tracing::warn!("the LISTEN connection is lost; polling until it is back");
            }
            Err(error) => {
                metrics::bus_connected(false);
                tracing::warn!(%error, "LISTEN for changes of other instances failed; polling");
            }
        }
        if !backoff.wait(&bus.shutdown).await {
            return;
        }
    }
}

/// Receives on this connection. `None` at the shutdown.
async fn listen_on(bus: &Bus, mut listener: BusListener) -> Option<()> {
    loop {
        let received = tokio::select! {
            () = bus.shutdown.cancelled() => return None,
            received = tokio::time::timeout(limits::BUS_IDLE_TIMEOUT, listener.next()) => received,
        };
        match received {
            Ok(Ok(Some(message))) => bus.receive(&message),
            Ok(Ok(None) | Err(_)) | Err(_) => return Some(()),
        }
    }
}
