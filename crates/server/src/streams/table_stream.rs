//! The stream of an open table: the table after each change, the chat of its players for these, and at last the match or the closing.

use super::{EventStream, FrameSource, StreamContext as _, StreamFailure, Viewer, serve};
use crate::Error;
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::bus::channel::ChatChannel;
use crate::chat::{ChatSubscriptions, Chats};
use crate::frame::lobby_frame;
use crate::presence::PresenceGuard;
use crate::presence::place::Place;
use crate::tables::db::TableState;
use bytes::Bytes;
use std::collections::VecDeque;
use tochki_protocol::{LobbyEvent, PlayerId, Table, TableClosed, TableLink};
use tokio::sync::watch;

/// Opens the stream for anybody who has the link. The stream of a player is presence at the table.
///
/// # Errors
/// `no_such_table`.
pub async fn table_stream(
    app: &AppState,
    link: &TableLink,
    caller: Option<StreamCaller>,
) -> Result<EventStream, Error> {
    let (viewer, session) = caller.map(Viewer::of).unzip();
    let reader = open(app, link, viewer.as_ref()).await?;
    let player = viewer.map(|viewer| viewer.account.id);
    Ok(serve(app, "table", reader, player, session))
}

/// Subscribes to the table, and makes a player present.
pub(super) async fn open(
    app: &AppState,
    link: &TableLink,
    viewer: Option<&Viewer>,
) -> Result<Reader, Error> {
    let (id, mut table) = app.tables.watch(link).await?;
    let presence = match viewer.filter(|viewer| viewer.may_play) {
        Some(viewer) => Some(
            app.presence
                .join(viewer.account.id, Place::Table(id))
                .await?,
        ),
        None => None,
    };
    let creator = table.borrow().table.creator.id;
    let mutes_creator = match viewer {
        Some(viewer) => app.tables.mutes(viewer.account.id, creator).await?,
        None => false,
    };
    table.mark_changed();
    Ok(Reader {
        table,
        mutes_creator,
        sent: None,
        ready: VecDeque::new(),
        chats: app.chats.clone(),
        account: viewer.map(|viewer| viewer.account.id),
        channel: None,
        chat: ChatSubscriptions::default(),
        _presence: presence,
    })
}

/// The frames of a table.
pub(super) struct Reader {
    table: watch::Receiver<TableState>,
    /// Whether the reader had muted the creator when the stream was opened, and is not told what the creator says: the name of the
    /// table. Each stream encodes its own frames, so that costs no more.
    mutes_creator: bool,
    /// The table as last sent.
    sent: Option<Table>,
    ready: VecDeque<Bytes>,
    chats: Chats,
    /// The signed-in reader.
    account: Option<PlayerId>,
    /// The chat that the reader has with the other player, and the subscription to it.
    channel: Option<ChatChannel>,
    chat: ChatSubscriptions,
    /// A signed-in player is present while this lives.
    _presence: Option<PresenceGuard>,
}

impl FrameSource for Reader {
    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            tokio::select! {
                biased;
                changed = self.table.changed() => {
                    if changed.is_err() {
                        // A table that was closed long ago is dropped, and has no more events.
                        return std::future::pending().await;
                    }
                }
                message = self.chat.next() => return Ok(message),
            }
            let TableState { mut table, started } = self.table.borrow_and_update().clone();
            if self.mutes_creator {
                table.hide_name();
            }
            if self.sent.as_ref() == Some(&table) {
                continue;
            }
            // Of a closed table only the closing is sent, except to a new stream.
            if self.sent.is_none() || !table.closed {
                self.push(&LobbyEvent::Table(table.clone()))?;
            }
            if let Some(started) = started {
                self.push(&LobbyEvent::MatchStarted(started))?;
            } else if table.closed {
                self.push(&LobbyEvent::TableClosed(TableClosed { id: table.id }))?;
            }
            self.follow_chat(&table).await?;
            self.sent = Some(table);
        }
    }
}

impl Reader {
    /// Subscribes to the chat of the reader with the other player, when one of them has changed.
    async fn follow_chat(&mut self, table: &Table) -> Result<(), StreamFailure> {
        let seated: Vec<PlayerId> = table.seated_players().map(|seated| seated.id).collect();
        let both: Option<[PlayerId; 2]> = seated.try_into().ok();
        let own = both.filter(|both| self.account.is_some_and(|reader| both.contains(&reader)));
        let channel = own.map(|both| ChatChannel::of_table(table.id, both));
        if self.channel == channel {
            return Ok(());
        }
        self.chat = ChatSubscriptions::default();
        if let Some(channel) = channel {
            let subscribed = self
                .chats
                .subscribe_to_channel(&mut self.chat, channel, self.account);
            subscribed
                .await
                .context("subscribing to the chat of a table")?;
        }
        self.channel = channel;
        Ok(())
    }

    fn push(&mut self, event: &LobbyEvent) -> Result<(), StreamFailure> {
        let frame = lobby_frame(event).context("encoding a table")?;
        self.ready.push_back(frame);
        Ok(())
    }
}
