//! Subscriptions to chat channels, as parts of a stream.

use super::published::{HISTORY_LEN, PublishedMessage};
use crate::LogFailure as _;
use crate::bus::channel::ChatChannel;
use crate::chat::db;
use crate::db::Db;
use crate::detached::run_detached;
use crate::frame::message_frame;
use bytes::Bytes;
use futures::stream::{self, BoxStream, SelectAll};
use futures::{StreamExt as _, future};
use std::collections::VecDeque;
use tochki_protocol::{MessageId, PlayerId};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;
use tracing::{Instrument as _, Span};

/// A subscription to one channel.
pub(super) struct ChatSubscription {
    db: Db,
    channel: ChatChannel,
    reader: Option<PlayerId>,
    /// The last message that was passed on or left out.
    last_seen: MessageId,
    /// Whether messages may have been missed: at the beginning, and after falling behind.
    behind: bool,
    /// Messages read but not yet sent, at most [`HISTORY_LEN`].
    ready: VecDeque<Bytes>,
    messages: broadcast::Receiver<PublishedMessage>,
    /// The request that subscribed, for the log.
    request: Span,
}

impl ChatSubscription {
    pub(super) fn new(
        db: Db,
        channel: ChatChannel,
        reader: Option<PlayerId>,
        messages: broadcast::Receiver<PublishedMessage>,
    ) -> Self {
        Self {
            db,
            channel,
            reader,
            last_seen: MessageId(0),
            behind: true,
            ready: VecDeque::new(),
            messages,
            request: Span::current(),
        }
    }

    /// The next message; `None` when there will be no more.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.behind {
                let request = self.request.clone();
                self.read_missed().instrument(request).await?;
                self.behind = false;
                continue;
            }
            match self.messages.recv().await {
                // A removed message that was not passed on yet is read as removed.
                Ok(message) if message.removed != (message.id <= self.last_seen) => {}
                Ok(message) => {
                    self.last_seen = self.last_seen.max(message.id);
                    if self
                        .reader
                        .is_none_or(|reader| !message.muted_by.contains(&reader.0))
                    {
                        return Some(message.frame);
                    }
                }
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    /// Reads the messages that were missed. `None` if the read has failed.
    async fn read_missed(&mut self) -> Option<()> {
        let (db, channel, reader) = (self.db.clone(), self.channel, self.reader);
        let after = self.last_seen;
        // It has a connection, so it must not depend on this stream being read.
        let reading =
            run_detached(async move { db::latest(&db, channel, reader, after, HISTORY_LEN).await });
        for message in reading.await.log_failure("reading missed chat messages")? {
            self.last_seen = message.id;
            let frame = message_frame(&message).log_failure("encoding a chat message")?;
            self.ready.push_back(frame);
        }
        Some(())
    }
}

/// Subscriptions to the channels of a place. Each is polled only when it has something new.
#[derive(Default)]
pub struct ChatSubscriptions {
    channels: Vec<ChatChannel>,
    /// `None` where a subscription has ended.
    messages: SelectAll<BoxStream<'static, Option<Bytes>>>,
}

impl ChatSubscriptions {
    pub(super) fn add(&mut self, subscription: ChatSubscription) {
        self.channels.push(subscription.channel);
        let messages = stream::unfold(subscription, |mut subscription| async {
            Some((subscription.next().await, subscription))
        });
        self.messages.push(messages.boxed());
    }

    /// Returns whether this channel is subscribed to.
    pub(super) fn contains(&self, channel: ChatChannel) -> bool {
        self.channels.contains(&channel)
    }

    /// The next message of any; `None` when there will be no more. Cancel-safe.
    pub async fn next(&mut self) -> Option<Bytes> {
        match self.messages.next().await {
            Some(message) => message,
            // There is no channel.
            None => future::pending().await,
        }
    }
}
