//! The stream of a match: every event after the one the client has, without gap or repeat.
//!
//! It listens first, then reads what was missed from the table of events, then passes on what it hears. Whatever it
//! hears out of order sends it back to the table of events, so nothing needs to be buffered for a slow reader.

use super::super::Arena;
use super::super::db::{Db, matches};
use super::super::presence::{Attendance, Place};
use super::super::tables::News;
use super::{frame, respond};
use crate::wire::{Account, ApiError, MatchId};
use axum::response::Response;
use bytes::Bytes;
use futures::{Stream, stream};
use std::collections::VecDeque;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// How many missed events are read at once.
const PAGE: u32 = 200;

/// Opens the stream from the event after `after`. A player's own stream makes them present at the table.
pub async fn match_stream(
    arena: &Arena,
    id: MatchId,
    after: u32,
    visitor: Option<Account>,
) -> Result<Response, ApiError> {
    let table = arena.tables.table(id).await?;
    let listener = table.listen();
    table.catch_up().await?;
    let seated = visitor.filter(|account| table.seat_of(account.id).is_some());
    let attendance = match seated {
        Some(player) => Some(arena.presence.enter(player.id, Place::Match(id)).await?),
        None => None,
    };
    let reached = table.known_version();
    let mut ready = VecDeque::new();
    if after > reached {
        ready.push_back(frame::resync());
    }
    let reader = Reader {
        db: arena.db.clone(),
        id,
        sent: after.min(reached),
        behind: true,
        ready,
        listener,
        _attendance: attendance,
    };
    Ok(respond(reader.frames(), arena.closing.clone()))
}

struct Reader {
    db: Db,
    id: MatchId,
    /// The version of the last event sent.
    sent: u32,
    /// Whether there may be events in the table that were not heard.
    behind: bool,
    /// What is read and not sent yet; at most a page.
    ready: VecDeque<Bytes>,
    listener: broadcast::Receiver<News>,
    /// The player is at the table for as long as this lives.
    _attendance: Option<Attendance>,
}

impl Reader {
    fn frames(self) -> impl Stream<Item = Bytes> {
        stream::unfold(self, |mut reader| async move {
            let frame = reader.next().await?;
            Some((frame, reader))
        })
    }

    /// The next frame; `None` ends the stream, and the client comes back with the last version it has.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.behind {
                self.read_missed().await?;
                continue;
            }
            match self.listener.recv().await {
                Ok(news) if news.version <= self.sent => {}
                Ok(news) if news.version == self.sent + 1 => {
                    self.sent = news.version;
                    return Some(news.frame);
                }
                Ok(_) | Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return None,
            }
        }
    }

    async fn read_missed(&mut self) -> Option<()> {
        let missed = matches::events_after(&self.db, self.id, self.sent, PAGE)
            .await
            .ok()?;
        self.behind = missed.len() == PAGE as usize;
        for event in missed {
            self.sent = event.version;
            self.ready
                .push_back(frame::match_frame(event.version, &event.kind, &event.body));
        }
        Some(())
    }
}
