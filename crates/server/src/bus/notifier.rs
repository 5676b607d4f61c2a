//! Notifications of changes: to the task of this instance that reads them, and to the bus, for the other instances.

use crate::bus::channel::ChatChannel;
use crate::bus::topic::Credential;
use crate::bus::topic::Topic;
use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{Arc, Mutex};
use tochki_protocol::{MatchId, PlayerId};
use tochki_rules::GameKind;
use tokio::sync::Notify;

/// Notifying is cheap. Notifications that come while the task reads are coalesced.
#[derive(Clone, Default)]
pub(crate) struct Notifier(Arc<Targets>);

/// The notifications of each task.
struct Targets {
    /// One for the waiting room of each game.
    rooms: Vec<Notify>,
    /// One for all open tables.
    tables: Notify,
    /// The matches whose status has changed.
    statuses: Pending<MatchId>,
    /// The matches with events of other instances, and the versions they have reached.
    events: Pending<(MatchId, u32)>,
    /// The chat channels with new or removed messages.
    chats: Pending<ChatChannel>,
    /// The matches that were annulled.
    annulled: Pending<MatchId>,
    /// Some causes of notifications were committed.
    causes: Notify,
    /// The players whose unread notifications have changed.
    notified: Pending<PlayerId>,
    /// The sessions and tokens that have ended elsewhere.
    ended: Pending<Credential>,
    /// The topics of which the other instances are to be told.
    outgoing: Pending<Topic>,
}

impl Default for Targets {
    fn default() -> Self {
        Self {
            rooms: GameKind::ALL.iter().map(|_| Notify::new()).collect(),
            tables: Notify::new(),
            statuses: Pending::default(),
            events: Pending::default(),
            chats: Pending::default(),
            annulled: Pending::default(),
            causes: Notify::new(),
            notified: Pending::default(),
            ended: Pending::default(),
            outgoing: Pending::default(),
        }
    }
}

impl Notifier {
    /// The waiting room of this game has changed.
    pub(crate) fn notify_room(&self, game: GameKind) {
        self.notify(Topic::Room(game));
    }

    /// Any waiting room and any open table may have changed.
    pub(crate) fn notify_rooms(&self) {
        self.notify(Topic::Rooms);
    }

    /// The status of this match has changed.
    pub(crate) fn notify_match(&self, id: MatchId) {
        self.notify(Topic::Status(id));
    }

    /// This match was annulled.
    pub(crate) fn notify_annulled(&self, id: MatchId) {
        self.notify(Topic::Annulled(id));
    }

    /// There are new or removed messages in this channel.
    pub(crate) fn notify_chat(&self, channel: ChatChannel) {
        self.notify(Topic::Chat(channel));
    }

    /// Causes of notifications were committed. One instance makes notifications of them.
    pub(crate) fn notify_causes(&self) {
        self.0.causes.notify_one();
    }

    /// Notifies this instance and the others.
    pub(crate) fn notify(&self, topic: Topic) {
        self.notify_local(topic);
        self.notify_remote(topic);
    }

    /// Notifies the other instances alone.
    pub(crate) fn notify_remote(&self, topic: Topic) {
        self.0.outgoing.insert(topic);
    }

    /// Notifies this instance alone.
    pub(crate) fn notify_local(&self, topic: Topic) {
        let targets = &self.0;
        match topic {
            Topic::Room(game) => targets.room(game).notify_one(),
            Topic::Rooms => {
                targets.rooms.iter().for_each(Notify::notify_one);
                targets.tables.notify_one();
            }
            Topic::Status(id) => targets.statuses.insert(id),
            Topic::Events(id, version) => targets.events.insert((id, version)),
            Topic::Chat(channel) => targets.chats.insert(channel),
            Topic::Annulled(id) => targets.annulled.insert(id),
            Topic::Notified(player) => targets.notified.insert(player),
            Topic::Ended(credential) => targets.ended.insert(credential),
            Topic::SomeEnded => targets.ended.insert_all(),
        }
    }

    /// Lets this instance read everything, because it may have missed messages of others.
    pub(crate) fn notify_local_of_everything(&self) {
        self.notify_local(Topic::Rooms);
        self.0.statuses.insert_all();
        self.0.chats.insert_all();
        self.0.annulled.insert_all();
        self.0.notified.insert_all();
        self.0.ended.insert_all();
    }

    /// Waits until an open table may have changed.
    pub(crate) async fn tables_notified(&self) {
        self.0.tables.notified().await;
    }

    /// Waits until the waiting room of this game may have changed.
    pub(crate) async fn notified(&self, game: GameKind) {
        self.0.room(game).notified().await;
    }

    /// Waits until the status of a match has changed. Returns all that have since the last call; `None` is any.
    pub(crate) async fn matches_notified(&self) -> Option<HashSet<MatchId>> {
        self.0.statuses.take().await
    }

    /// Waits until a match has events of another instance. Returns all that have since the last call.
    pub(crate) async fn events_notified(&self) -> HashSet<(MatchId, u32)> {
        self.0.events.take().await.unwrap_or_default()
    }

    /// Waits until a chat channel has changed. Returns all that have since the last call; `None` is any.
    pub(crate) async fn chats_notified(&self) -> Option<HashSet<ChatChannel>> {
        self.0.chats.take().await
    }

    /// Waits until a match was annulled. Returns all that were since the last call; `None` is any.
    pub(crate) async fn annulled_notified(&self) -> Option<HashSet<MatchId>> {
        self.0.annulled.take().await
    }

    /// Waits until this instance has committed causes of notifications.
    pub(crate) async fn causes_notified(&self) {
        self.0.causes.notified().await;
    }

    /// Waits until the unread notifications of a player have changed. Returns all such players since the last call; `None` is any.
    pub(crate) async fn notified_players(&self) -> Option<HashSet<PlayerId>> {
        self.0.notified.take().await
    }

    /// Waits until sessions or tokens have ended elsewhere. Returns all that have since the last call; `None` is any.
    pub(crate) async fn ended_notified(&self) -> Option<HashSet<Credential>> {
        self.0.ended.take().await
    }

    /// Waits until the other instances are to be told something.
    pub(crate) async fn outgoing_notified(&self) {
        self.0.outgoing.notify.notified().await;
    }

    /// Takes the topics of which the other instances are to be told.
    pub(crate) fn take_outgoing(&self) -> HashSet<Topic> {
        self.0.outgoing.take_now().unwrap_or_default()
    }
}

impl Targets {
    fn room(&self, game: GameKind) -> &Notify {
        let place = GameKind::ALL.iter().position(|kind| *kind == game);
        &self.rooms[place.unwrap_or_default()]
    }
}

/// Pending notifications of a task.
struct Pending<T> {
    notify: Notify,
    /// `None` is everything. Held for a moment.
    items: Mutex<Option<HashSet<T>>>,
}

impl<T> Default for Pending<T> {
    fn default() -> Self {
        Self {
            notify: Notify::new(),
            items: Mutex::new(Some(HashSet::new())),
        }
    }
}

impl<T: Eq + Hash> Pending<T> {
    fn insert(&self, item: T) {
        let mut items = self.items.lock().expect("no panic while the lock is held");
        if let Some(items) = &mut *items {
            items.insert(item);
        }
        drop(items);
        self.notify.notify_one();
    }

    fn insert_all(&self) {
        *self.items.lock().expect("no panic while the lock is held") = None;
        self.notify.notify_one();
    }

    /// Waits for a notification. Everything since the last one; `None` is everything there is.
    async fn take(&self) -> Option<HashSet<T>> {
        self.notify.notified().await;
        self.take_now()
    }

    fn take_now(&self) -> Option<HashSet<T>> {
        let mut items = self.items.lock().expect("no panic while the lock is held");
        items.replace(HashSet::new())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn what_is_pending_is_taken_once() {
        let pending = Pending::default();
        pending.insert(1);
        pending.insert(2);
        pending.insert(1);
        assert_eq!(pending.take().await, Some([1, 2].into()));
        assert_eq!(pending.take_now(), Some([].into()));
        pending.insert(3);
        pending.insert_all();
        pending.insert(4);
        assert_eq!(pending.take().await, None, "everything");
        assert_eq!(pending.take_now(), Some([].into()));
    }

    #[tokio::test]
    async fn the_bus_is_told_what_others_must_know_and_not_what_they_have_told() {
        let notifier = Notifier::default();
        notifier.notify_local(Topic::Status(MatchId(1)));
        notifier.notify_match(MatchId(2));
        notifier.notify_remote(Topic::Events(MatchId(3), 7));
        assert_eq!(
            notifier.matches_notified().await,
            Some([MatchId(1), MatchId(2)].into())
        );
        notifier.outgoing_notified().await;
        assert_eq!(
            notifier.take_outgoing(),
            [Topic::Status(MatchId(2)), Topic::Events(MatchId(3), 7)].into()
        );
    }
}
