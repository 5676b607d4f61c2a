//! The stream of an open table: the table, and again whenever something changes at it; at last how it was closed.

use super::super::Arena;
use super::super::accounts::Visitor;
use super::super::db::tables::TableState;
use super::super::presence::{Place, PresenceGuard};
use super::frame::lobby_frame;
use super::{EventStream, serve};
use crate::Error;
use crate::error::LogFailure as _;
use bytes::Bytes;
use futures::{Stream, stream};
use std::collections::VecDeque;
use tochki_protocol::{LobbyEvent, Table, TableClosed, TableLink};
use tokio::sync::watch;

/// Opens the stream for whoever has the link. A player's own stream is a sign of life at the table.
pub async fn table_stream(
    arena: &Arena,
    link: &TableLink,
    visitor: Option<Visitor>,
) -> Result<EventStream, Error> {
    let (id, mut seen) = arena.tables.watch(link).await?;
    let (account, stay) = visitor
        .map(|visitor| (visitor.account, visitor.stay))
        .unzip();
    let attendance = match account {
        Some(player) => Some(arena.presence.enter(player.id, Place::Table(id)).await?),
        None => None,
    };
    seen.mark_changed();
    let reader = Reader {
        seen,
        told: None,
        ready: VecDeque::new(),
        _attendance: attendance,
    };
    Ok(serve(reader.frames(), stay, arena.closing.clone()))
}

struct Reader {
    seen: watch::Receiver<TableState>,
    /// The table as it was told last.
    told: Option<Table>,
    ready: VecDeque<Bytes>,
    /// A player is at the table for as long as this lives.
    _attendance: Option<PresenceGuard>,
}

impl Reader {
    fn frames(self) -> impl Stream<Item = Bytes> {
        stream::unfold(self, |mut reader| async move {
            let frame = reader.next().await?;
            Some((frame, reader))
        })
    }

    async fn next(&mut self) -> Option<Bytes> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Some(frame);
            }
            if self.seen.changed().await.is_err() {
                // A table that is closed for so long that it is forgotten has nothing more to say.
                return std::future::pending().await;
            }
            let TableState { table, called } = self.seen.borrow_and_update().clone();
            if self.told.as_ref() == Some(&table) {
                continue;
            }
            // What is closed was told as it was before, but for those who come only now.
            if self.told.is_none() || !table.closed {
                self.tell(&LobbyEvent::Table(table.clone()))?;
            }
            if let Some(called) = called {
                self.tell(&LobbyEvent::MatchStarted(called))?;
            } else if table.closed {
                self.tell(&LobbyEvent::TableClosed(TableClosed { id: table.id }))?;
            }
            self.told = Some(table);
        }
    }

    /// Nothing if it cannot be told; then the stream ends.
    fn tell(&mut self, event: &LobbyEvent) -> Option<()> {
        let frame = lobby_frame(event).log_failure("telling of an open table")?;
        self.ready.push_back(frame);
        Some(())
    }
}
