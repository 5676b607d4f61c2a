//! The end of the bus at this instance.

use crate::bus::notifier::Notifier;
use crate::metrics;

use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The part of the bus at this instance.
#[derive(Clone)]
pub(super) struct Bus {
    /// The name of this instance, by which it knows its own messages.
    pub(super) instance: Arc<str>,
    pub(super) notifier: Notifier,
    pub(super) shutdown: CancellationToken,
}

impl Bus {
    /// Tells this instance of changes by other instances.
    pub(super) fn receive(&self, message: &str) {
        let topics = crate::bus::topic::read_message(&self.instance, message);
        if !topics.is_empty() {
            metrics::bus_message("received");
        }
        for topic in topics {
            self.notifier.notify_local(topic);
        }
    }

    /// The connection is there. Whatever was sent before has to be read.
    pub(super) fn connected(&self) {
        metrics::bus_connected(true);
        self.notifier.notify_local_of_everything();
    }
}
