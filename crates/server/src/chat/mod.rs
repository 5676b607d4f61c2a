//! Chat: that of the waiting rooms, and two at each match.
//!
//! The truth is in the database. An instance reads on in the rooms where somebody listens, when something has been said there
//! by its own doing, and every two seconds for what other instances did. In each room a later message has a greater number,
//! so reading on from the last one known misses nothing. What is muted is left out on the way to each listener.

mod channel;
mod subscription;
mod text;

pub use channel::ChatChannel;
pub use subscription::ChatSubscriptions;
pub use text::MessageText;

use super::db::{self, Db, Tx};
use super::matches::Matches;
use super::streams::said_frame;
use crate::{Error, LogFailure as _};
use bytes::Bytes;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use subscription::ChatSubscription;
use tochki_protocol::{Account, ChatHistory, ChatMessage, ChatPlace, Code, MessageId, PlayerId};
use tokio::sync::{Notify, OnceCell, broadcast};
use tokio_util::sync::CancellationToken;

/// How many messages whoever opens a chat gets first.
const HISTORY: i64 = 50;

/// How many messages are read at once.
const PAGE: i64 = 100;

/// How many messages a slow reader may be behind before it is sent back to the database.
const PATIENCE: usize = 64;

/// How much a player may say, and within how many seconds.
const PACE: (i64, f64) = (5, 10.0);

/// How often an instance looks for what was said at others.
const LOOK_AROUND: Duration = Duration::from_secs(2);

/// All chats.
#[derive(Clone)]
pub struct Chats {
    db: Db,
    tables: Matches,
    /// The rooms where somebody listens at this instance. Held for a look, never across a wait.
    lines: Arc<Mutex<HashMap<ChatChannel, Arc<ChannelState>>>>,
    bell: Arc<Bell>,
}

/// Where something has been said by this instance.
#[derive(Default)]
struct Bell {
    rung: Notify,
    /// Held for a moment.
    rooms: Mutex<HashSet<ChatChannel>>,
}

/// A room with listeners.
struct ChannelState {
    news: broadcast::Sender<PublishedMessage>,
    /// The last message that was told here, once it is known from where on to tell.
    told: OnceCell<Mutex<MessageId>>,
}

/// A message on its way to those who listen, encoded once for everybody.
#[derive(Clone, Debug)]
struct PublishedMessage {
    id: MessageId,
    frame: Bytes,
    /// Who has muted its author.
    muted_by: Arc<[i64]>,
}

/// What has come of saying something.
pub enum Spoken {
    /// It is said.
    ChatMessage(ChatMessage),
    /// That was too much; there are so many seconds to wait.
    TooSoon(u32),
}

impl Chats {
    pub(super) fn open(db: Db, tables: Matches, closing: CancellationToken) -> Self {
        let chats = Self {
            db,
            tables,
            lines: Arc::default(),
            bell: Arc::default(),
        };
        tokio::spawn(chats.clone().keep_fresh(closing));
        chats
    }

    /// Says something. At a match a player speaks to the other one, everybody else to those who watch.
    pub async fn say(
        &self,
        player: &Account,
        venue: ChatPlace,
        words: &MessageText,
    ) -> Result<Spoken, Error> {
        let room = match venue {
            ChatPlace::Lobby => ChatChannel::Lobby,
            ChatPlace::Match(id) => {
                let table = self.tables.table(id).await?;
                match table.seat_of(player.id) {
                    Some(_) => ChatChannel::Players(id),
                    None => ChatChannel::Spectators(id),
                }
            }
        };
        let mut tx: Tx = self.db.begin().await?;
        if db::chat::lock_speaker(&mut tx, player.id).await? {
            return Err(Code::Muted.into());
        }
        let (count, within) = PACE;
        if let Some(seconds) = db::chat::has_to_wait(&mut tx, player.id, count, within).await? {
            return Ok(Spoken::TooSoon(seconds));
        }
        let (id, at) = db::chat::insert(&mut tx, room, player.id, words.as_str()).await?;
        tx.commit().await?;
        self.bell
            .rooms
            .lock()
            .expect("no panic while ringing")
            .insert(room);
        self.bell.rung.notify_one();
        Ok(Spoken::ChatMessage(ChatMessage {
            id,
            place: venue,
            chat: room.chat(),
            from: player.clone(),
            text: words.as_str().to_owned(),
            at,
        }))
    }

    /// What this visitor sees of the chat of a place.
    pub async fn talk(
        &self,
        venue: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<ChatHistory, Error> {
        let mut talk = ChatHistory::default();
        for room in self.seen_by(venue, reader).await? {
            let said = db::chat::last(&self.db, room, reader, MessageId(0), HISTORY).await?;
            talk.messages.extend(said);
        }
        talk.messages.sort_by_key(|said| said.id);
        if let Some(reader) = reader {
            talk.muted = db::chat::muted_by(&self.db, reader).await?;
        }
        Ok(talk)
    }

    /// Listens to what this visitor sees of the chat of a place: first its last messages, then every new one.
    pub async fn listen(
        &self,
        venue: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<ChatSubscriptions, Error> {
        let mut ears = ChatSubscriptions::default();
        for room in self.seen_by(venue, reader).await? {
            ears.add(self.ear(room, reader).await?);
        }
        Ok(ears)
    }

    /// Listens to those who watch, too, after the end of a match.
    pub async fn listen_to_spectators(
        &self,
        ears: &mut ChatSubscriptions,
        room: ChatChannel,
        reader: Option<PlayerId>,
    ) -> Result<(), Error> {
        if !ears.hear(room) {
            ears.add(self.ear(room, reader).await?);
        }
        Ok(())
    }

    /// A player does not want to hear another, or wants to again.
    pub async fn mute(&self, player: &Account, other: PlayerId, muted: bool) -> Result<(), Error> {
        if player.id == other {
            return Err(Code::Yourself.into());
        }
        if !muted {
            return db::chat::unmute(&self.db, player.id, other).await;
        }
        if db::chat::mute(&self.db, player.id, other).await? {
            Ok(())
        } else {
            Err(Code::NoSuchPlayer.into())
        }
    }

    /// Keeps for the operator what somebody has said. Only what one can see can be reported.
    pub async fn report(
        &self,
        player: &Account,
        id: MessageId,
        reason: &MessageText,
    ) -> Result<(), Error> {
        let message = db::chat::message(&self.db, id)
            .await?
            .ok_or(Code::NoSuchMessage)?;
        let seen = self.seen_by(message.room.venue(), Some(player.id)).await?;
        if !seen.contains(&message.room) {
            return Err(Code::NoSuchMessage.into());
        }
        if message.from == player.id {
            return Err(Code::Yourself.into());
        }
        db::chat::report(&self.db, id, player.id, reason.as_str()).await
    }

    /// Which chats of a place a visitor sees. The players of a match see what those who watch have said when it is over,
    /// and these never see what the players say to each other.
    async fn seen_by(
        &self,
        venue: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<Vec<ChatChannel>, Error> {
        let ChatPlace::Match(id) = venue else {
            return Ok(vec![ChatChannel::Lobby]);
        };
        let table = self.tables.table(id).await?;
        let plays = reader.is_some_and(|reader| table.seat_of(reader).is_some());
        Ok(match plays {
            false => vec![ChatChannel::Spectators(id)],
            true if table.is_over().await? => {
                vec![ChatChannel::Players(id), ChatChannel::Spectators(id)]
            }
            true => vec![ChatChannel::Players(id)],
        })
    }

    async fn ear(
        &self,
        room: ChatChannel,
        reader: Option<PlayerId>,
    ) -> Result<ChatSubscription, Error> {
        let line = {
            let mut lines = self.lines.lock().expect("no panic while looking");
            lines.entry(room).or_default().clone()
        };
        // Whoever comes first finds out from where on news has to be told. All who listen do so after that, and read
        // after they listen: so each message is in what they have read, or is told, or both.
        line.told
            .get_or_try_init(async || db::chat::newest(&self.db, room).await.map(Mutex::new))
            .await?;
        Ok(ChatSubscription::new(
            self.db.clone(),
            room,
            reader,
            line.news.subscribe(),
        ))
    }

    async fn keep_fresh(self, closing: CancellationToken) {
        let mut look = tokio::time::interval(LOOK_AROUND);
        loop {
            let rung = tokio::select! {
                () = closing.cancelled() => return,
                () = self.bell.rung.notified() => {
                    let mut rooms = self.bell.rooms.lock().expect("no panic while ringing");
                    Some(std::mem::take(&mut *rooms))
                }
                _ = look.tick() => None,
            };
            if rung.is_none() {
                let mut lines = self.lines.lock().expect("no panic while looking");
                lines.retain(|_, line| {
                    line.news.receiver_count() > 0 || Arc::strong_count(line) > 1
                });
            }
            // After a failure the next round is soon.
            while let Some(true) = self
                .look_around(rung.as_ref())
                .await
                .log_failure("polling chats")
            {}
        }
    }

    /// Reads on in these rooms, or in all, as far as somebody listens, and tells what is new. True if there is more to read.
    async fn look_around(&self, which: Option<&HashSet<ChatChannel>>) -> Result<bool, Error> {
        let lines: HashMap<ChatChannel, Arc<ChannelState>> = {
            let lines = self.lines.lock().expect("no panic while looking");
            let asked = |room: &ChatChannel| which.is_none_or(|which| which.contains(room));
            let asked = lines.iter().filter(|(room, _)| asked(room));
            asked.map(|(room, line)| (*room, line.clone())).collect()
        };
        let known: Vec<(ChatChannel, MessageId)> = lines
            .iter()
            .filter_map(|(room, line)| Some((*room, line.told()?)))
            .collect();
        if known.is_empty() {
            return Ok(false);
        }
        let news = db::chat::news(&self.db, &known, PAGE).await?;
        let mut counts = HashMap::<ChatChannel, i64>::new();
        for heard in news {
            *counts.entry(heard.room).or_default() += 1;
            lines[&heard.room].tell(heard);
        }
        Ok(counts.values().any(|count| *count == PAGE))
    }
}

impl Default for ChannelState {
    fn default() -> Self {
        Self {
            news: broadcast::channel(PATIENCE).0,
            told: OnceCell::new(),
        }
    }
}

impl ChannelState {
    fn told(&self) -> Option<MessageId> {
        let told = self.told.get()?;
        Some(*told.lock().expect("no panic while looking"))
    }

    /// Tells a message. Only the one task that looks around does so.
    fn tell(&self, heard: db::chat::ChannelMessage) {
        let db::chat::ChannelMessage { said, muted_by, .. } = heard;
        if let Some(told) = self.told.get() {
            *told.lock().expect("no panic while looking") = said.id;
        }
        // Nobody listening is no failure.
        let _ = self.news.send(PublishedMessage {
            id: said.id,
            frame: said_frame(&said),
            muted_by: muted_by.into(),
        });
    }
}
