//! The bus over NATS. The client library reconnects by itself.

use super::local::Bus;
use crate::backoff::Backoff;
use crate::metrics;

use async_nats::connection::State;
use async_nats::{Client, ConnectOptions, Event};
use futures::StreamExt as _;
use std::sync::Arc;
use tochki_protocol::limits;
use tokio::sync::Notify;

/// The subject of all instances. If instances with another database share the NATS server, their messages only cause needless
/// queries here.
const SUBJECT: &str = "tochki.changes";

/// Sends and receives, until the shutdown.
pub(super) async fn run(bus: Bus, url: String) {
    let mut backoff = Backoff::new(limits::BUS_MAX_BACKOFF);
    loop {
        let connected = Arc::new(Notify::new());
        match connect(&url, connected.clone()).await {
            Ok(client) => {
                if exchange(&bus, client, &connected).await.is_none() {
                    return;
                }
            }
            Err(error) => {
                tracing::warn!(%error, "the NATS server cannot be used; this instance polls");
            }
        }
        if !backoff.wait(&bus.shutdown).await {
            return;
        }
    }
}

async fn connect(url: &str, connected: Arc<Notify>) -> Result<Client, async_nats::ConnectError> {
    ConnectOptions::new()
        .name("tochki")
        .retry_on_initial_connect()
        .event_callback(move |event| {
            match event {
                Event::Connected => connected.notify_one(),
                Event::Disconnected => {
                    metrics::bus_connected(false);
                    tracing::warn!("the connection to NATS is lost; this instance polls");
                }
                event => tracing::debug!(%event, "of the NATS server"),
            }
            std::future::ready(())
        })
        .connect(url)
        .await
}

/// Sends and receives by this client. `None` at the shutdown.
async fn exchange(bus: &Bus, client: Client, connected: &Notify) -> Option<()> {
    let mut messages = client
        .subscribe(SUBJECT)
        .await
        .inspect_err(|error| tracing::warn!(%error, "no subscription at the NATS server"))
        .ok();
    let Some(messages) = &mut messages else {
        return Some(());
    };
    // By this message the instance knows that its subscription is there.
    let greeting = &*bus.instance;
    loop {
        tokio::select! {
            () = bus.shutdown.cancelled() => return None,
            () = connected.notified() => {
                let _ = client.publish(SUBJECT, greeting.to_owned().into()).await;
                continue;
            }
            message = messages.next() => {
                let Some(message) = message else { return Some(()) };
                if message.payload == greeting {
                    bus.connected();
                } else {
                    bus.receive(&String::from_utf8_lossy(&message.payload));
                }
                continue;
            }
            () = bus.notifier.outgoing_notified() => tokio::time::sleep(limits::BUS_BATCH_DELAY).await,
        }
        let topics = bus.notifier.take_outgoing();
        if client.connection_state() != State::Connected {
            metrics::bus_message("lost");
        } else if !topics.is_empty() {
            for message in crate::bus::topic::messages(&bus.instance, topics) {
                let sent = client.publish(SUBJECT, message.into()).await;
                metrics::bus_message(if sent.is_ok() { "sent" } else { "lost" });
            }
        }
    }
}
