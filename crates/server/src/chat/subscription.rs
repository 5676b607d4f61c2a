//! Listening to chats, as part of a stream.

use super::{ChatChannel, HISTORY, PublishedMessage};
use crate::LogFailure as _;
use crate::db::{self, Db};
use crate::streams::said_frame;
use bytes::Bytes;
use futures::future;
use std::collections::VecDeque;
use tochki_protocol::{MessageId, PlayerId};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// Somebody who listens to one chat.
pub(super) struct ChatSubscription {
    db: Db,
    room: ChatChannel,
    reader: Option<PlayerId>,
    /// The last message that was heard.
    heard: MessageId,
    /// Whether there may be messages that were not: at the beginning, and after not listening for long.
    behind: bool,
    /// What is read and not passed on yet; no more than whoever begins gets.
    ready: VecDeque<Bytes>,
    news: broadcast::Receiver<PublishedMessage>,
}

impl ChatSubscription {
    pub(super) fn new(
        db: Db,
        room: ChatChannel,
        reader: Option<PlayerId>,
        news: broadcast::Receiver<PublishedMessage>,
    ) -> Self {
        Self {
            db,
            room,
            reader,
            heard: MessageId(0),
            behind: true,
            ready: VecDeque::new(),
            news,
        }
    }

    /// The next message; `None` when there is nothing more to be heard. Whoever stops waiting for it misses nothing.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.behind {
                let missed =
                    db::chat::last(&self.db, self.room, self.reader, self.heard, HISTORY).await;
                for said in missed.log_failure("reading missed chat messages")? {
                    self.heard = said.id;
                    self.ready.push_back(said_frame(&said));
                }
                self.behind = false;
                continue;
            }
            match self.news.recv().await {
                Ok(news) if news.id <= self.heard => {}
                Ok(news) => {
                    self.heard = news.id;
                    if self
                        .reader
                        .is_none_or(|reader| !news.muted_by.contains(&reader.0))
                    {
                        return Some(news.frame);
                    }
                }
                Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }
}

/// Somebody who listens to the chats of a place.
#[derive(Default)]
pub struct ChatSubscriptions(Vec<ChatSubscription>);

impl ChatSubscriptions {
    pub(super) fn add(&mut self, ear: ChatSubscription) {
        self.0.push(ear);
    }

    /// Whether this chat is heard.
    pub(super) fn hear(&self, room: ChatChannel) -> bool {
        self.0.iter().any(|ear| ear.room == room)
    }

    /// The next message of any; `None` when there is nothing more to be heard. Whoever stops waiting for it misses nothing.
    pub async fn next(&mut self) -> Option<Bytes> {
        if self.0.is_empty() {
            return future::pending().await;
        }
        let next = self.0.iter_mut().map(|ear| Box::pin(ear.next()));
        future::select_all(next).await.0
    }
}
