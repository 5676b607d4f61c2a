//! One match in the cache of this instance: its replica and its subscribers. `commands` changes it.

use super::arrivals::Arrivals;
use super::published_status::{Publication, PublishedStatus, StatusRead, StatusUpdate};
use super::replica::Replica;
use super::suspension::SuspendedMatches;
use super::writer::Writer;
use crate::bus::notifier::Notifier;
use crate::bus::topic::Topic;
use crate::db::Db;
use crate::error::{Error, WithSubject as _};
use crate::matches::db;
use crate::matches::db::MatchStart;
use crate::matches::db::status::StatusRow;
use crate::matches::game_records::record_players;
use crate::outages::OutageClock;
use crate::shared_read::SharedRead;
use bytes::Bytes;
use governor::{DefaultDirectRateLimiter, Quota, RateLimiter};
use std::num::NonZeroU32;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Instant;
use tochki_play::{Event, Match, Terms};
use tochki_protocol::{
    Code, MatchId, MatchStatus, PlayerCard, PlayerId, Snapshot, TournamentId, limits,
};
use tochki_rules::Seat;
use tochki_rules::record::Record;
use tokio::sync::{Mutex, Semaphore, broadcast, watch};

/// One event, encoded once for all subscribers.
#[derive(Clone, Debug)]
pub struct PublishedEvent {
    /// Its version.
    pub version: u32,
    /// The event.
    pub event: Arc<Event>,
    /// The event as a stream sends it.
    pub frame: Bytes,
}

/// The player on turn.
#[derive(Clone, Copy, Debug)]
pub struct Turn {
    /// Whether the match has ended.
    pub over: bool,
    /// The side to move.
    pub to_move: Option<Seat>,
    /// The version of the last event that changed the board.
    pub board_version: u32,
}

/// State shared by all matches of an instance.
pub(super) struct MatchContext {
    pub(super) db: Db,
    pub(super) outage_clock: OutageClock,
    pub(super) notifier: Notifier,
    pub(super) writer: Writer,
    /// Permits of the appends that wait for the lock of their match.
    pub(super) locked_appends: Semaphore,
    pub(super) arrivals: Arrivals,
    /// The suspended matches, to which a panic adds its match.
    pub(super) suspended: SuspendedMatches,
    /// Rate limit of the commands of one player to a match in a second, at this instance.
    pub(super) moves_per_second: NonZeroU32,
}

/// The error of commands to a suspended match.
pub(super) fn match_suspended() -> Error {
    Error::Limited(
        Code::MatchSuspended,
        limits::MATCH_SUSPENSION.as_secs() as u32,
    )
}

/// A match in the cache.
pub struct LiveMatch {
    pub(super) context: Arc<MatchContext>,
    pub(super) id: MatchId,
    pub(super) players: [PlayerCard; 2],
    pub(super) start: MatchStart,
    /// The match as far as this instance knows it. The lock spans decision, commit and application, so that commands are
    /// serialized within one instance; between instances the version in the database decides.
    pub(super) replica: Mutex<Replica>,
    /// The reads of new events that were asked for without a command.
    pub(super) catching_up: SharedRead,
    /// The reads of the status that were asked for.
    refreshing_status: SharedRead,
    /// The version of the replica, to compare with without the lock.
    pub(super) version: AtomicU32,
    pub(super) events: broadcast::Sender<PublishedEvent>,
    /// The status as last read from the database.
    pub(super) status: PublishedStatus,
    /// Rate limiters of the commands of each seat, at this instance. Each seat has its own, so that one player cannot use up
    /// the moves of the other.
    pub(super) pace: [DefaultDirectRateLimiter; 2],
    /// When the last command came. Held for a moment.
    pub(super) last_used: std::sync::Mutex<Instant>,
}

impl LiveMatch {
    pub(super) async fn load(
        context: Arc<MatchContext>,
        id: MatchId,
    ) -> Result<Option<Self>, Error> {
        let done = async {
            let epoch = context.outage_clock.epoch().await?;
            let Some(stored) = db::load(&context.db, id).await? else {
                return Ok(None);
            };
            let replica = Replica::begin(&context.db, id, stored.start, epoch).await?;
            let live = Self {
                pace: [(); 2]
                    .map(|()| RateLimiter::direct(Quota::per_second(context.moves_per_second))),
                context,
                id,
                players: stored.players,
                start: stored.start,
                replica: Mutex::new(replica),
                catching_up: SharedRead::default(),
                refreshing_status: SharedRead::default(),
                version: AtomicU32::new(0),
                events: broadcast::channel(limits::MATCH_CHANNEL_CAPACITY).0,
                status: PublishedStatus::default(),
                last_used: std::sync::Mutex::new(Instant::now()),
            };
            live.catch_up().await?;
            Ok(Some(live))
        };
        done.await.with_subject(id)
    }

    /// The id.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// The tournament that it is a match of.
    pub fn tournament(&self) -> Option<TournamentId> {
        self.start.tournament.map(|rules| TournamentId(rules.id))
    }

    /// The players in the order of their seats.
    pub fn players(&self) -> [PlayerId; 2] {
        [self.players[0].id, self.players[1].id]
    }

    /// Game, setup, clock, rated or not, as at the start of the match.
    pub fn terms(&self) -> &Terms {
        &self.start.terms
    }

    /// The player on turn, as of this replica.
    pub async fn turn(&self) -> Turn {
        let replica = self.replica.lock().await;
        Turn {
            over: replica.game.result().is_some(),
            to_move: replica.game.to_move(),
            board_version: replica.game.board_version(),
        }
    }

    /// Returns whether the match is one by correspondence, or becomes one: a live match that was adjourned may go on as such.
    pub(super) async fn may_be_correspondence(&self) -> bool {
        let replica = self.replica.lock().await;
        replica.game.terms().is_correspondence() || replica.game.adjournment().is_some()
    }

    /// The match, as far as this instance knows it.
    pub async fn game(&self) -> Match {
        self.replica.lock().await.game.clone()
    }

    /// The players as they were at the start.
    pub fn player_cards(&self) -> &[PlayerCard; 2] {
        &self.players
    }

    /// Counts a command that was sent by the player in this seat.
    ///
    /// # Errors
    /// `too_many_requests` when more come from this seat in a second than a match takes.
    pub fn check_pace(&self, seat: Seat) -> Result<(), Error> {
        // Of a second's quota there is more within a second.
        let checked = self.pace[seat.index()].check();
        checked.map_err(|_| Error::Limited(Code::TooManyRequests, 1))
    }

    /// The seat of this player; a spectator has none.
    pub fn seat_of(&self, player: PlayerId) -> Option<Seat> {
        Seat::BOTH
            .into_iter()
            .find(|seat| self.players[seat.index()].id == player)
    }

    /// The version up to which this instance knows the match.
    pub fn known_version(&self) -> u32 {
        self.version.load(Ordering::SeqCst)
    }

    /// The events from now on.
    pub fn subscribe(&self) -> broadcast::Receiver<PublishedEvent> {
        self.events.subscribe()
    }

    /// The status now and from now on.
    pub fn subscribe_to_status(&self) -> watch::Receiver<StatusUpdate> {
        self.status.subscribe()
    }

    /// Reads the status of the match, and publishes it. Callers at the same time share a read.
    pub async fn refresh_status(&self) -> Result<MatchStatus, Error> {
        let done = Box::pin(self.refreshing_status.run(async || {
            loop {
                let read = self.status.begin_read();
                let row = db::status::read(&self.context.db, &[self.id.0]).await?;
                let row = row.into_iter().next().ok_or(Code::NoSuchMatch)?;
                if self.publish_status(read, row) {
                    return Ok(());
                }
            }
        }));
        done.await.with_subject(self.id)?;
        Ok(self.status.current())
    }

    /// Publishes a status that was read. Returns whether the status was published; otherwise it has to be read again.
    #[must_use]
    pub(super) fn publish_status(&self, read: StatusRead, row: StatusRow) -> bool {
        match self.status.publish(read, row, Instant::now()) {
            Publication::Done => true,
            Publication::HeldBack(wait) => {
                let (notifier, id) = (self.context.notifier.clone(), self.id);
                tokio::spawn(async move {
                    tokio::time::sleep(wait).await;
                    notifier.notify_local(Topic::Status(id));
                });
                true
            }
            Publication::Dropped => false,
        }
    }

    pub(super) fn has_subscribers(&self) -> bool {
        self.events.receiver_count() > 0
    }

    /// When the last command came, or when the match was read from the database.
    pub(super) fn last_used(&self) -> Instant {
        *self
            .last_used
            .lock()
            .expect("no panic while the lock is held")
    }

    pub(super) fn is_recently_used(&self) -> bool {
        self.last_used().elapsed() < limits::MATCH_CACHE_IDLE_TIMEOUT
    }

    /// The match as clients see it.
    pub async fn snapshot(
        &self,
        present: [bool; 2],
        status: &MatchStatus,
    ) -> Result<Snapshot, Error> {
        let replica = self.replica.lock().await;
        let cards = self.cards(&replica).await?;
        Ok(Snapshot::of(self.id, &replica.game, cards, present, status))
    }

    /// The players under their present names. Names do not change during a match; afterwards a guest may register under
    /// another name, and an account may be deleted.
    async fn cards(&self, replica: &Replica) -> Result<[PlayerCard; 2], Error> {
        let done = async {
            if replica.game.result().is_none() {
                return Ok(self.players.clone());
            }
            let stored = db::load(&self.context.db, self.id).await?;
            Ok(stored.ok_or(Code::NoSuchMatch)?.players)
        };
        done.await.with_subject(self.id)
    }

    /// The record of the match, if its game has records.
    pub async fn record(&self) -> Result<Option<Record>, Error> {
        let replica = self.replica.lock().await;
        let players = record_players(&self.cards(&replica).await?);
        Ok(replica.game.record(players, self.start.at))
    }
}
