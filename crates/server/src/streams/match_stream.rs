//! The stream of a match: every event after the one the client has, without gap or repeat.
//!
//! It listens first, then reads what was missed from the table of events, then passes on what it hears. Whatever it
//! hears out of order sends it back to the table of events, so nothing needs to be buffered for a slow reader. What goes
//! on round the match it tells as the difference to what it has told, and so begins with what is not as at the beginning.

use super::super::Arena;
use super::super::accounts::Visitor;
use super::super::chat::{ChatChannel, ChatSubscriptions, Chats};
use super::super::db::{Db, matches};
use super::super::matches::{PublishedEvent, StatusUpdate};
use super::super::presence::{Place, PresenceGuard};
use super::{EventStream, frame, serve};
use crate::{About as _, Error, LogFailure as _};
use bytes::Bytes;
use futures::{Stream, stream};
use std::collections::VecDeque;
use tochki_protocol::{ChatPlace, MatchId, MatchStatus, PlayerId, StatusEvent};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::{broadcast, watch};

/// How many missed events are read at once.
const PAGE: u32 = 200;

/// Where a client has got to.
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    /// The version of the last event it has.
    pub after: u32,
    /// Whether it comes back to a stream that broke, and so knows the times that its events said.
    pub comes_back: bool,
}

/// Opens the stream from the event after the bookmark. A player's own stream makes them present at the table; everybody else is
/// counted among those who watch.
pub async fn match_stream(
    arena: &Arena,
    id: MatchId,
    from: Cursor,
    visitor: Option<Visitor>,
) -> Result<EventStream, Error> {
    let table = arena.matches.table(id).await?;
    let listener = table.listen();
    table.catch_up().await?;
    let (account, stay) = visitor
        .map(|visitor| (visitor.account, visitor.stay))
        .unzip();
    let account_id = account.as_ref().map(|account| account.id);
    let seated = account.filter(|account| table.seat_of(account.id).is_some());
    let is_seated = seated.is_some();
    let attendance = match seated {
        Some(player) => arena.presence.enter(player.id, Place::Match(id)).await?,
        None => arena.presence.watch(id).await?,
    };
    table.look().await?;
    let mut status = table.status_updates();
    let times = status.borrow().times;
    status.mark_changed();
    let reached = table.known_version();
    let mut ready = VecDeque::new();
    if from.after > reached || from.comes_back && table.shows_other_times().await {
        ready.push_back(frame::notice_frame(&StatusEvent::Resync {}));
    }
    let ears = arena.chats.listen(ChatPlace::Match(id), account_id).await?;
    let reader = Reader {
        db: arena.db.clone(),
        chats: arena.chats.clone(),
        id,
        account: account_id,
        ears,
        seated: is_seated,
        sent: from.after.min(reached),
        behind: true,
        ready,
        listener,
        status,
        told: MatchStatus::default(),
        over: false,
        times,
        _attendance: attendance,
    };
    Ok(serve(reader.frames(), stay, arena.closing.clone()))
}

struct Reader {
    db: Db,
    chats: Chats,
    id: MatchId,
    /// Who reads, if they are signed in, and whether they play.
    account: Option<PlayerId>,
    seated: bool,
    /// What they hear of what is said.
    ears: ChatSubscriptions,
    /// The version of the last event sent.
    sent: u32,
    /// Whether there may be events in the table that were not heard.
    behind: bool,
    /// What is read and not sent yet; at most a page.
    ready: VecDeque<Bytes>,
    listener: broadcast::Receiver<PublishedEvent>,
    status: watch::Receiver<StatusUpdate>,
    /// What was told of that.
    told: MatchStatus,
    /// Whether the match is known to have ended.
    over: bool,
    /// The times that the events which were sent belong to.
    times: u32,
    /// Whoever reads is at the table for as long as this lives.
    _attendance: PresenceGuard,
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
            let heard = tokio::select! {
                biased;
                heard = self.listener.recv() => heard,
                changed = self.status.changed() => {
                    changed.ok()?;
                    self.send_status();
                    // After the end players hear what those who watch have said.
                    if self.seated && self.over {
                        let room = ChatChannel::Spectators(self.id);
                        let heard = self.chats.listen_to_spectators(&mut self.ears, room, self.account);
                        heard.await.about(self.id).log_failure("subscribing to the spectators' chat")?;
                    }
                    continue;
                }
                said = self.ears.next() => return said,
            };
            match heard {
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

    fn send_status(&mut self) {
        let StatusUpdate {
            around,
            over,
            times,
        } = self.status.borrow_and_update().clone();
        if times != self.times {
            self.times = times;
            self.ready
                .push_back(frame::notice_frame(&StatusEvent::Resync {}));
        }
        self.over = over;
        if over {
            // Its end has been told, and nobody is missed any more.
            self.told.gone_at = around.gone_at;
        }
        let news = around.updates_since(&self.told);
        self.ready.extend(news.iter().map(frame::notice_frame));
        self.told = around;
    }

    async fn read_missed(&mut self) -> Option<()> {
        let missed = matches::events_after(&self.db, self.id, self.sent, PAGE)
            .await
            .about(self.id)
            .log_failure("reading missed events")?;
        self.behind = missed.len() == PAGE as usize;
        for event in missed {
            self.sent = event.version;
            self.ready
                .push_back(frame::match_frame(event.version, &event.kind, &event.body));
        }
        Some(())
    }
}
