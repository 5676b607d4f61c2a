//! Chat: one channel of the waiting rooms, one of the players of each open table, and two of each match.
//!
//! 1. `text` validates a message: one line of plain text in NFC, without control characters, direction overrides and stacked
//!    marks, of at most [`limits::MESSAGE_MAX_CHARS`] characters. Every stored message has passed it.
//! 2. [`Chats::send`] stores it. The rate limit ([`limits::MESSAGES_PER_WINDOW`]) is counted in the database under the lock
//!    of the player's row, so it holds for all instances together. The channel (`lobby`, `table:5:3:9`, `match:17`, `watch:17`) is locked
//!    until the commit, so in a channel a later message has a greater id.
//! 3. So an instance finds new messages by reading after the last id it has published: after a message of its own, when
//!    another instance tells of one (`bus`), and every [`limits::POLL_INTERVAL`]. Each message is encoded once. Each subscription
//!    (`subscription`) leaves out the authors that its reader has muted, begins with the last messages, and goes back to
//!    the database when it falls behind. The streams of the waiting room and of a match carry messages as `said`, without
//!    `id:`. The players of a match get the messages of its spectators once it is over. At a table, each pair of players has a
//!    channel of its own, and the messages of the two who begin become those of their match.
//! 4. The server renders the chat as forms. `public/chat.js` adds the messages of the stream to it and posts the same forms.
//! 5. A report keeps the text of its message. Operators (`operator`) remove messages, mute players and close accounts; each
//!    action is in `audit`, written in the same transaction. A removed message keeps its place without its text: it is sent
//!    again with `removed`, to those who have it already.

pub mod db;
mod published;
mod subscription;
mod text;

pub use subscription::ChatSubscriptions;
pub use text::MessageText;

use crate::attempts::Attempts;
use crate::attempts::client_address::ClientAddress;
use crate::bus::channel::ChatChannel;
use crate::bus::notifier::Notifier;
use crate::db::{Db, Tx};
use crate::detached::run_detached;
use crate::frame::message_frame;
use crate::matches::Matches;
use crate::settings::Settings;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _, accounts};
use published::{HISTORY_LEN, PublishedMessage};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use subscription::ChatSubscription;
use tochki_protocol::{
    Account, ChatHistory, ChatMessage, ChatPlace, Code, MessageId, PlayerId, TableId, limits,
};
use tokio::sync::{OnceCell, broadcast};
use tokio_util::sync::CancellationToken;

/// The chat channels.
#[derive(Clone)]
pub struct Chats {
    db: Db,
    matches: Matches,
    attempts: Attempts,
    /// The channels with subscribers at this instance. Held for a lookup, never across an await.
    open: Arc<Mutex<HashMap<ChatChannel, Arc<ChannelState>>>>,
    notifier: Notifier,
    poll_interval: Duration,
    /// The last removal of a message that was published here, once it is known where to begin.
    last_removal: Arc<OnceCell<Mutex<i64>>>,
}

/// A channel with subscribers.
struct ChannelState {
    messages: broadcast::Sender<PublishedMessage>,
    /// The last message that was published here, once it is known where to begin.
    last_published: OnceCell<Mutex<MessageId>>,
}

/// The receiver of a message that is sent.
#[derive(Clone, Copy)]
enum Target {
    Channel(ChatChannel),
    /// The other player at a table, whoever that is when the message is stored.
    Table(TableId),
}

/// The outcome of sending a message.
pub enum SendOutcome {
    /// It was sent.
    Sent(ChatMessage),
    /// The player is over the rate limit, and may send again after so many seconds.
    RateLimited(u32),
}

impl Chats {
    pub(super) fn open(
        db: Db,
        settings: &Settings,
        matches: Matches,
        notifier: Notifier,
        tasks: &Tasks,
    ) -> Self {
        let chats = Self {
            attempts: Attempts::open(db.clone(), settings),
            db,
            matches,
            open: Arc::default(),
            notifier,
            poll_interval: settings.poll_interval,
            last_removal: Arc::default(),
        };
        tasks.spawn("chat", {
            let (chats, shutdown) = (chats.clone(), tasks.shutdown());
            move || chats.clone().poll_loop(shutdown.clone())
        });
        chats
    }

    /// Sends a message. In a match and at a table a player writes to the opponent, in a match everybody else to the spectators.
    ///
    /// A message to many readers is also counted by address; the players of a match are never silenced by others.
    ///
    /// # Errors
    /// `muted`, `no_such_match`, `no_such_table` for a player who does not sit there, `opponent_left` for one who sits there alone,
    /// or `too_many_messages` from this address.
    pub async fn send(
        &self,
        player: &Account,
        client: &ClientAddress,
        place: ChatPlace,
        text: &MessageText,
    ) -> Result<SendOutcome, Error> {
        let channel = match place {
            ChatPlace::Lobby => ChatChannel::Lobby,
            ChatPlace::Table(id) => return self.insert(player, Target::Table(id), text).await,
            ChatPlace::Match(id) => {
                let live = self.matches.get(id).await?;
                match live.seat_of(player.id) {
                    Some(_) => ChatChannel::Players(id),
                    None => ChatChannel::Spectators(id),
                }
            }
        };
        let target = Target::Channel(channel);
        if matches!(channel, ChatChannel::Players(_)) {
            return self.insert(player, target, text).await;
        }
        let counted = self.attempts.say(client.address).await?;
        let sent = self.insert(player, target, text).await;
        if !matches!(sent, Ok(SendOutcome::Sent(_))) {
            self.attempts.refund(counted).await?;
        }
        sent
    }

    /// Adds a message to a channel, within the pace of its author.
    async fn insert(
        &self,
        player: &Account,
        target: Target,
        text: &MessageText,
    ) -> Result<SendOutcome, Error> {
        let mut tx: Tx = crate::db::begin(&self.db).await?;
        if db::lock_author(&mut tx, player.id).await? {
            return Err(Code::Muted.into());
        }
        if let Some(seconds) = db::retry_after_seconds(&mut tx, player.id).await? {
            return Ok(SendOutcome::RateLimited(seconds));
        }
        let channel = match target {
            Target::Channel(channel) => channel,
            // No match of the author starts before this transaction ends, so the message is at the table before that.
            Target::Table(id) => {
                let seated = db::seated(&mut *tx, id).await?;
                table_channel(id, player.id, &seated)?.ok_or(Code::OpponentLeft)?
            }
        };
        let (id, at) = db::insert(&mut tx, channel, player.id, text.as_str()).await?;
        tx.commit().await?;
        self.notifier.notify_chat(channel);
        Ok(SendOutcome::Sent(ChatMessage {
            id,
            place: channel.place(),
            chat: channel.audience(),
            from: player.clone(),
            text: text.as_str().to_owned(),
            at,
            removed: false,
        }))
    }

    /// The last messages that a reader sees at a place.
    pub async fn history(
        &self,
        place: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<ChatHistory, Error> {
        let mut history = ChatHistory::default();
        for channel in self.visible_channels(place, reader).await? {
            let messages = db::latest(&self.db, channel, reader, MessageId(0), HISTORY_LEN).await?;
            history.messages.extend(messages);
        }
        history.messages.sort_by_key(|message| message.id);
        if let Some(reader) = reader {
            history.muted = db::muted_by(&self.db, reader).await?;
            history.operator = accounts::db::is_operator(&self.db, reader).await?;
        }
        Ok(history)
    }

    /// Subscribes to the messages that a reader sees at a place: the last messages, then every new one.
    pub async fn subscribe(
        &self,
        place: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<ChatSubscriptions, Error> {
        let mut subscriptions = ChatSubscriptions::default();
        for channel in self.visible_channels(place, reader).await? {
            subscriptions.add(self.subscription(channel, reader).await?);
        }
        Ok(subscriptions)
    }

    /// Adds a channel that its reader has come to see: the chat of the spectators after the end of a match, or that with a player
    /// who has sat down.
    pub async fn subscribe_to_channel(
        &self,
        subscriptions: &mut ChatSubscriptions,
        channel: ChatChannel,
        reader: Option<PlayerId>,
    ) -> Result<(), Error> {
        if !subscriptions.contains(channel) {
            let chats = self.clone();
            // Others wait for the first subscriber, so it must not depend on this stream being read.
            let subscribed = run_detached(async move { chats.subscription(channel, reader).await });
            subscriptions.add(subscribed.await?);
        }
        Ok(())
    }

    /// A player mutes another one, or no longer does: their messages, challenges and tables.
    ///
    /// # Errors
    /// `yourself`, or `no_such_player`.
    pub async fn mute(&self, player: &Account, other: PlayerId, muted: bool) -> Result<(), Error> {
        if player.id == other {
            return Err(Code::OwnAccount.into());
        }
        if !muted {
            return db::unmute(&self.db, player.id, other).await;
        }
        if db::mute(&self.db, player.id, other).await? {
            Ok(())
        } else {
            Err(Code::NoSuchPlayer.into())
        }
    }

    /// Reports a message to the operator. A message that the player cannot see cannot be reported.
    ///
    /// # Errors
    /// `no_such_message`, or `yourself`.
    pub async fn report(
        &self,
        player: &Account,
        id: MessageId,
        reason: &MessageText,
    ) -> Result<(), Error> {
        let message = db::message(&self.db, id)
            .await?
            .ok_or(Code::NoSuchMessage)?;
        let seen = self
            .visible_channels(message.channel.place(), Some(player.id))
            .await;
        let seen = match seen {
            // Of a table where the player does not sit.
            Err(error) if error.code() == Code::NoSuchTable => Vec::new(),
            seen => seen?,
        };
        if !seen.contains(&message.channel) {
            return Err(Code::NoSuchMessage.into());
        }
        if message.from == player.id {
            return Err(Code::OwnAccount.into());
        }
        db::report(&self.db, id, player.id, reason.as_str()).await
    }

    /// Which channels of a place a reader sees. At a table these are its players only. The players of a match see the chat of the spectators when it is over;
    /// spectators never see that of the players.
    async fn visible_channels(
        &self,
        place: ChatPlace,
        reader: Option<PlayerId>,
    ) -> Result<Vec<ChatChannel>, Error> {
        let id = match place {
            ChatPlace::Lobby => return Ok(vec![ChatChannel::Lobby]),
            ChatPlace::Table(id) => {
                let reader = reader.ok_or(Code::NoSuchTable)?;
                let seated = db::seated(&self.db, id).await?;
                return Ok(table_channel(id, reader, &seated)?.into_iter().collect());
            }
            ChatPlace::Match(id) => id,
        };
        let live = self.matches.get(id).await?;
        let plays = reader.is_some_and(|reader| live.seat_of(reader).is_some());
        Ok(match plays {
            false => vec![ChatChannel::Spectators(id)],
            true if live.is_over().await? => {
                vec![ChatChannel::Players(id), ChatChannel::Spectators(id)]
            }
            true => vec![ChatChannel::Players(id)],
        })
    }

    async fn subscription(
        &self,
        channel: ChatChannel,
        reader: Option<PlayerId>,
    ) -> Result<ChatSubscription, Error> {
        let state = {
            let mut open = self.open.lock().expect("no panic while the lock is held");
            open.entry(channel).or_default().clone()
        };
        // The first subscriber finds out after which message to publish. All subscribe after that, and read the database
        // after they have subscribed: so each message is read, or published, or both.
        state
            .last_published
            .get_or_try_init(async || db::last_id(&self.db, channel).await.map(Mutex::new))
            .await?;
        self.last_removal
            .get_or_try_init(async || db::last_removal(&self.db).await.map(Mutex::new))
            .await?;
        Ok(ChatSubscription::new(
            self.db.clone(),
            channel,
            reader,
            state.messages.subscribe(),
        ))
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(self.poll_interval);
        loop {
            let pending = tokio::select! {
                () = shutdown.cancelled() => return,
                pending = self.notifier.chats_notified() => pending,
                _ = poll.tick() => None,
            };
            if pending.is_none() {
                let mut open = self.open.lock().expect("no panic while the lock is held");
                open.retain(|_, state| {
                    state.messages.receiver_count() > 0 || Arc::strong_count(state) > 1
                });
            }
            // After a failure the next round is soon.
            while let Some(true) = self
                .poll(pending.as_ref())
                .await
                .log_failure("polling chats")
            {}
        }
    }

    /// Reads and publishes the new messages of these channels, or of all, as far as they have subscribers. True if there is
    /// more to read.
    async fn poll(&self, which: Option<&HashSet<ChatChannel>>) -> Result<bool, Error> {
        let open: HashMap<ChatChannel, Arc<ChannelState>> = {
            let open = self.open.lock().expect("no panic while the lock is held");
            let is_asked =
                |channel: &ChatChannel| which.is_none_or(|which| which.contains(channel));
            let asked = open.iter().filter(|(channel, _)| is_asked(channel));
            asked
                .map(|(channel, state)| (*channel, state.clone()))
                .collect()
        };
        let known: Vec<(ChatChannel, MessageId)> = open
            .iter()
            .filter_map(|(channel, state)| Some((*channel, state.last_published()?)))
            .collect();
        if known.is_empty() {
            return Ok(false);
        }
        let new = db::read_new(&self.db, &known, limits::CHAT_BATCH_LEN).await?;
        let mut counts = HashMap::<ChatChannel, i64>::new();
        for message in new {
            *counts.entry(message.channel).or_default() += 1;
            open[&message.channel].publish(message);
        }
        let more_removals = self.poll_removals().await?;
        Ok(more_removals
            || counts
                .values()
                .any(|count| *count == limits::CHAT_BATCH_LEN))
    }

    /// Publishes the messages again that were removed since the last time. True if there may be more.
    async fn poll_removals(&self) -> Result<bool, Error> {
        let Some(last) = self.last_removal.get() else {
            return Ok(false);
        };
        let after = *last.lock().expect("no panic while the lock is held");
        let removed = db::removed_after(&self.db, after, limits::CHAT_BATCH_LEN).await?;
        let Some((reached, messages)) = removed else {
            return Ok(false);
        };
        *last.lock().expect("no panic while the lock is held") = reached;
        for message in messages {
            let open = self.open.lock().expect("no panic while the lock is held");
            if let Some(state) = open.get(&message.channel) {
                state.publish_removal(message);
            }
        }
        Ok(true)
    }
}

/// The channel of a player at a table; none while they sit there alone.
fn table_channel(
    id: TableId,
    player: PlayerId,
    seated: &[PlayerId],
) -> Result<Option<ChatChannel>, Error> {
    if !seated.contains(&player) {
        return Err(Code::NoSuchTable.into());
    }
    let both: Option<[PlayerId; 2]> = seated.try_into().ok();
    Ok(both.map(|both| ChatChannel::of_table(id, both)))
}

impl Default for ChannelState {
    fn default() -> Self {
        Self {
            messages: broadcast::channel(limits::CHAT_CHANNEL_CAPACITY).0,
            last_published: OnceCell::new(),
        }
    }
}

impl ChannelState {
    fn last_published(&self) -> Option<MessageId> {
        let last_published = self.last_published.get()?;
        Some(
            *last_published
                .lock()
                .expect("no panic while the lock is held"),
        )
    }

    /// Publishes a message. Only the polling task does so.
    fn publish(&self, message: db::ChannelMessage) {
        let db::ChannelMessage {
            message, muted_by, ..
        } = message;
        if let Some(last_published) = self.last_published.get() {
            *last_published
                .lock()
                .expect("no panic while the lock is held") = message.id;
        }
        self.send(&message, muted_by, false);
    }

    /// Publishes a removed message again, without its text.
    fn publish_removal(&self, message: db::ChannelMessage) {
        self.send(&message.message, message.muted_by, true);
    }

    fn send(&self, message: &ChatMessage, muted_by: Vec<i64>, removed: bool) {
        let Some(frame) = message_frame(message).log_failure("encoding a chat message") else {
            return;
        };
        // Fails without subscribers, which is fine.
        let _ = self.messages.send(PublishedMessage {
            id: message.id,
            frame,
            muted_by: muted_by.into(),
            removed,
        });
    }
}
