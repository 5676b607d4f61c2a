//! The stream of a match: every event after the one the client has, without gap or repeat.
//!
//! It subscribes first, then reads what the client missed from the table of events, then passes on what it receives. An
//! event out of order sends it back to the table of events, so nothing is buffered for a slow client. It sends the status
//! of the match as the difference to what it has sent before, beginning with the default status.

use super::{EventStream, FrameSource, StreamContext as _, StreamFailure, Viewer, serve};
use crate::accounts::StreamCaller;
use crate::app_state::AppState;
use crate::bus::channel::ChatChannel;
use crate::chat::{ChatSubscriptions, Chats};
use crate::db::Db;
use crate::detached::run_detached;
use crate::matches::{self, PublishedEvent, StatusUpdate};
use crate::presence::PresenceGuard;
use crate::presence::place::Place;
use crate::{Error, WithSubject as _, frame};
use bytes::Bytes;
use futures::StreamExt as _;
use futures::stream::{self, BoxStream, SelectAll};
use std::collections::VecDeque;
use tochki_protocol::{Account, ChatPlace, MatchId, MatchStatus, PlayerId, StatusEvent, limits};
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

/// The position of a client in the events of a match.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The version of the last event it has.
    pub after: u32,
    /// Whether it reconnects, and so has deadlines that an outage may have shifted since.
    pub is_reconnect: bool,
}

/// Opens the stream from the event after the cursor. The stream of a player is presence at the match, that of a signed-in
/// spectator presence as one who watches, and every other one is audience.
///
/// # Errors
/// `no_such_match`.
pub async fn match_stream(
    app: &AppState,
    id: MatchId,
    from: Cursor,
    caller: Option<StreamCaller>,
) -> Result<EventStream, Error> {
    let (viewer, session) = caller.map(Viewer::of).unzip();
    let reader = open(app, id, from, viewer.as_ref()).await?;
    let player = viewer.map(|viewer| viewer.account.id);
    Ok(serve(app, "match", reader, player, session))
}

/// Subscribes to the match, and makes the viewer present.
pub(super) async fn open(
    app: &AppState,
    id: MatchId,
    from: Cursor,
    viewer: Option<&Viewer>,
) -> Result<Reader, Error> {
    let live = app.matches.get(id).await?;
    let events = live.subscribe();
    live.catch_up().await?;
    let may_play = viewer.is_none_or(|viewer| viewer.may_play);
    let account_id = viewer.map(|viewer| viewer.account.id);
    let is_seated = account_id.is_some_and(|player| live.seat_of(player).is_some());
    // A player who watches is counted once, however many streams they have.
    let presence = match account_id {
        // A program that may only read holds nobody's seat.
        Some(_) if is_seated && !may_play => None,
        Some(player) if is_seated => Some(app.presence.join(player, Place::Match(id)).await?),
        Some(player) => Some(app.presence.join(player, Place::Watch(id)).await?),
        None => Some(app.presence.watch(id).await?),
    };
    if let Some(player) = account_id.filter(|_| is_seated && may_play) {
        app.notifications.mark_match_read(player, id).await?;
    }
    live.refresh_status().await?;
    let mut status = live.subscribe_to_status();
    let (time_shifts, is_annulled) = {
        let status = status.borrow();
        (status.time_shifts, status.status.annulled)
    };
    status.mark_changed();
    let status = stream::unfold(status, |mut status| async {
        status.changed().await.ok()?;
        let update = status.borrow_and_update().clone();
        Some((update, status))
    });
    let reached = live.known_version();
    let mut ready = VecDeque::new();
    if from.after > reached || from.is_reconnect && live.has_shifted_times().await {
        ready.push_back(frame::status_frame(&StatusEvent::Resync {})?);
    }
    let chat = app
        .chats
        .subscribe(ChatPlace::Match(id), account_id)
        .await?;
    Ok(Reader {
        db: app.db.clone(),
        chats: app.chats.clone(),
        id,
        account: account_id,
        chat,
        seated: is_seated,
        sent: from.after.min(reached),
        behind: true,
        ready,
        events,
        status: SelectAll::from_iter([status.boxed()]),
        // Whoever connects has read whether the match is annulled.
        sent_status: MatchStatus {
            annulled: is_annulled,
            ..MatchStatus::default()
        },
        sent_watchers: Vec::new(),
        finished: false,
        time_shifts,
        _presence: presence,
    })
}

/// The frames of a match.
pub(super) struct Reader {
    db: Db,
    chats: Chats,
    id: MatchId,
    /// The signed-in reader, and whether they play.
    account: Option<PlayerId>,
    seated: bool,
    /// Their subscriptions to the chat.
    chat: ChatSubscriptions,
    /// The version of the last event sent.
    sent: u32,
    /// Whether events may have been missed.
    behind: bool,
    /// Events read but not sent yet, at most [`limits::MISSED_EVENTS_BATCH_LEN`].
    ready: VecDeque<Bytes>,
    events: broadcast::Receiver<PublishedEvent>,
    /// Polled only when it has changed.
    status: SelectAll<BoxStream<'static, StatusUpdate>>,
    /// The status as last sent.
    sent_status: MatchStatus,
    /// The players who watch, as last sent to a player of the match.
    sent_watchers: Vec<Account>,
    /// Whether the match is known to have ended.
    finished: bool,
    /// The number of time shifts that the sent events take into account.
    time_shifts: u32,
    /// Presence or audience, while this lives.
    _presence: Option<PresenceGuard>,
}

impl FrameSource for Reader {
    fn heartbeat() -> Bytes {
        frame::heartbeat_event()
    }

    async fn next_frame(&mut self) -> Result<Option<Bytes>, StreamFailure> {
        loop {
            if let Some(frame) = self.ready.pop_front() {
                return Ok(Some(frame));
            }
            if self.behind {
                self.read_missed().await?;
                continue;
            }
            let received = tokio::select! {
                biased;
                received = self.events.recv() => received,
                update = self.status.next() => {
                    let Some(update) = update else {
                        return Ok(None);
                    };
                    self.send_status(update)
                        .with_subject(self.id)
                        .context("encoding the status of a match")?;
                    // After the end players get the chat of the spectators.
                    if self.seated && self.finished {
                        let channel = ChatChannel::Spectators(self.id);
                        let received = self.chats.subscribe_to_channel(&mut self.chat, channel, self.account);
                        received
                            .await
                            .with_subject(self.id)
                            .context("subscribing to the spectators' chat")?;
                    }
                    continue;
                }
                message = self.chat.next() => return Ok(message),
            };
            match received {
                Ok(event) if event.version <= self.sent => {}
                Ok(event) if event.version == self.sent + 1 => {
                    self.sent = event.version;
                    return Ok(Some(event.frame));
                }
                Ok(_) | Err(RecvError::Lagged(_)) => self.behind = true,
                Err(RecvError::Closed) => return Ok(None),
            }
        }
    }
}

impl Reader {
    fn send_status(&mut self, update: StatusUpdate) -> Result<(), Error> {
        let StatusUpdate {
            status,
            finished,
            time_shifts,
            watchers,
        } = update;
        if time_shifts != self.time_shifts {
            self.time_shifts = time_shifts;
            self.ready
                .push_back(frame::status_frame(&StatusEvent::Resync {})?);
        }
        self.finished = finished;
        if finished {
            // After the end absences are no longer announced.
            self.sent_status.gone_at = status.gone_at;
        }
        for event in status.updates_since(&self.sent_status) {
            self.ready.push_back(frame::status_frame(&event)?);
        }
        if status.annulled && !self.sent_status.annulled {
            self.ready.push_back(frame::annulled());
        }
        self.sent_status = status;
        if self.seated && self.sent_watchers != watchers {
            self.ready.push_back(frame::watchers_frame(&watchers)?);
            self.sent_watchers = watchers;
        }
        Ok(())
    }

    async fn read_missed(&mut self) -> Result<(), StreamFailure> {
        let (db, id, sent) = (self.db.clone(), self.id, self.sent);
        // It has a connection, so it must not depend on this stream being read.
        let reading = run_detached(async move {
            matches::db::events_after(&db, id, sent, limits::MISSED_EVENTS_BATCH_LEN).await
        });
        let missed = reading
            .await
            .with_subject(self.id)
            .context("reading missed events")?;
        self.behind = missed.len() == limits::MISSED_EVENTS_BATCH_LEN as usize;
        for event in missed {
            self.sent = event.version;
            self.ready
                .push_back(frame::match_frame(event.version, &event.kind, &event.body));
        }
        Ok(())
    }
}
