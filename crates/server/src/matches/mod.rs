//! Running and finished matches, and a cache of them.
//!
//! The database is the source of truth, and no instance owns a match. A [`LiveMatch`] in the cache is a copy whose version
//! tells whether it is up to date.
//!
//! Events have versions, offers and take-backs included. The status of a match ([`tochki_protocol::MatchStatus`]: absences,
//! audience, rematch) has none: each stream sends the difference to the status it has sent before. Reads of it may overlap;
//! `published_status` keeps an older one from replacing a newer one, and tells other spectators once in
//! [`limits::AUDIENCE_INTERVAL`] at most.
//!
//! 1. An open stream of a player is presence at the match, one of another account is presence as a spectator, who counts
//!    once; every other stream is audience (`presence`). Without scripts,
//!    loading the page counts for [`limits::TABLE_PAGE_PRESENCE`].
//! 2. When the presence of a player ends, the sweeper inserts an *absence* that began at that moment (`db::presence`).
//!    After [`limits::ABSENCE_NOTICE_DELAY`] the view `reported_absences` contains it, and the streams announce it; after
//!    [`limits::ABSENCE_TIMEOUT`] the match is lost. Coming back deletes the row. A player who has never been at the match
//!    is absent from its start. For such a player each command, and each read of the match by the API, counts for
//!    [`limits::STREAMLESS_PRESENCE`]. So programs may play without streams, and no match lasts forever. If both players are
//!    absent equally long, the player to move loses.
//! 3. A rematch (`rematch`) starts like an accepted challenge: in one transaction under the locks of both players, once both
//!    have asked.
//! 4. A player on vacation (`vacations`) has an event in each of their correspondence matches, which holds the clock.
//! 5. An adjourned match (`adjournment`) is nobody's live one: nobody is absent from it, and its sealed moves are a row of their own
//!    (`db::sealed_moves`) until they become events.
//! 6. A match whose code panics is suspended for a moment (`suspension`).
//! 7. A match that has ended an hour ago may be packed (`packing`, where the operator says so): its events are one row then
//!    (`db::packs`), without the client ids of moves. Whatever reads stored events reads both tables.
//! 8. Time counts only while a server runs. Each instance writes a heartbeat (`outage_clock`). After a gap the first
//!    instance to notice shifts all deadlines, and stores in `outages` by how much and at which version each running match
//!    was shifted. A [`replica::Replica`] applies both. Other instances notice by the number of outages in the heartbeat,
//!    read their matches again, and send `resync` to their streams.

mod adjournment;
mod arrivals;
mod commands;
mod conditional;
pub mod db;
pub(crate) mod game_records;
mod live_match;
mod own_games;
pub mod packing;
mod published_status;
mod rematch;
mod replica;
mod suspension;
mod vacations;
mod writer;

pub use arrivals::Arrival;
pub use live_match::{LiveMatch, PublishedEvent, Turn};
pub use published_status::StatusUpdate;

use self::arrivals::Arrivals;
use self::live_match::{MatchContext, match_suspended};
use self::published_status::StatusRead;
use self::suspension::{SuspendedMatches, Suspension};
use self::writer::Writer;
use crate::bus::notifier::Notifier;
use crate::clock::ClockReader;
use crate::db::Db;
use crate::detached::run_detached;
use crate::matches::db::status::Absence;
use crate::outages::OutageClock;
use crate::pairing::capacity::Capacity;
use crate::settings::Settings;
use crate::shared_read::CachedRead;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _, WithSubject as _, presence};
use futures::StreamExt as _;
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex};
use std::time::Duration;
use tochki_play::Command;
use tochki_protocol::{
    Account, Code, MatchId, OwnMatch, PlayerId, Snapshot, VersionResponse, limits,
};
use tochki_rules::Seat;
use tochki_rules::record::Record;
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The cache of the matches that are in use.
#[derive(Clone)]
pub struct Matches {
    context: Arc<MatchContext>,
    capacity: Capacity,
    poll_interval: Duration,
    /// Size of the cache at which idle matches are evicted.
    capacity_of_cache: usize,
    /// Held for a lookup, never across an await.
    cache: Arc<Mutex<HashMap<MatchId, Arc<LiveMatch>>>>,
    featured_match: Arc<CachedRead<Option<Snapshot>>>,
}

impl Matches {
    pub(super) fn open(
        db: Db,
        settings: &Settings,
        capacity: Capacity,
        outage_clock: OutageClock,
        notifier: Notifier,
        tasks: &Tasks,
    ) -> Self {
        let context = MatchContext {
            writer: Writer::start(&db, tasks),
            locked_appends: Semaphore::new(limits::LOCKED_APPENDS_AT_ONCE),
            db,
            outage_clock,
            notifier,
            arrivals: Arrivals::default(),
            suspended: SuspendedMatches::default(),
            moves_per_second: settings.moves_per_second,
        };
        let matches = Self {
            context: Arc::new(context),
            capacity,
            poll_interval: settings.poll_interval,
            capacity_of_cache: settings.matches_in_memory,
            cache: Arc::default(),
            featured_match: Arc::new(CachedRead::new(limits::FRONT_PAGE_MAX_AGE)),
        };
        tasks.spawn("matches", {
            let (matches, shutdown) = (matches.clone(), tasks.shutdown());
            move || matches.clone().poll_loop(shutdown.clone())
        });
        tasks.spawn("match events", {
            let (matches, shutdown) = (matches.clone(), tasks.shutdown());
            move || matches.clone().follow_loop(shutdown.clone())
        });
        matches
    }

    /// The match, from the cache or the database.
    ///
    /// # Errors
    /// `no_such_match`, or `set_aside`.
    pub async fn get(&self, id: MatchId) -> Result<Arc<LiveMatch>, Error> {
        match self.context.suspended.state(id) {
            Suspension::None => {}
            Suspension::Active => {
                self.evict(id);
                return Err(match_suspended());
            }
            Suspension::Over(_) => {
                self.evict(id);
                // Whoever asks may go away meanwhile.
                let context = self.context.clone();
                run_detached(async move { context.suspended.end(&context.db, id).await })
                    .await
                    .with_subject(id)?;
            }
        }
        if let Some(live) = self
            .cache
            .lock()
            .expect("no panic while the lock is held")
            .get(&id)
        {
            return Ok(live.clone());
        }
        // Boxed: the large future of `load` would otherwise be part of the future of each caller, though loading is rare.
        let live = Box::pin(LiveMatch::load(self.context.clone(), id)).await?;
        let live = live.ok_or(Code::NoSuchMatch)?;
        let mut cache = self.cache.lock().expect("no panic while the lock is held");
        // Two requests may have loaded it at once: the first one in the cache is used by both.
        let entry = cache.entry(id).or_insert_with(|| Arc::new(live));
        let live = entry.clone();
        evict_excess(&mut cache, self.capacity_of_cache);
        Ok(live)
    }

    /// Evicts a match from the cache. Its streams end.
    fn evict(&self, id: MatchId) {
        let mut cache = self.cache.lock().expect("no panic while the lock is held");
        cache.remove(&id);
    }

    /// Number of matches in the cache.
    pub fn in_memory(&self) -> usize {
        let cache = self.cache.lock().expect("no panic while the lock is held");
        cache.len()
    }

    /// Registers the arrival of a command to this match, before any wait.
    pub fn arrived(&self, id: MatchId) -> Arrival {
        let now = self.context.outage_clock.now(ClockReader::Arrival(id));
        self.context.arrivals.note(id, now)
    }

    /// The match, and the seat of this player in it.
    ///
    /// # Errors
    /// `no_such_match`, or `not_a_player`.
    pub async fn seated(
        &self,
        id: MatchId,
        player: &Account,
    ) -> Result<(Arc<LiveMatch>, Seat), Error> {
        let live = self.get(id).await?;
        let seat = live.seat_of(player.id).ok_or(Code::NotAPlayer)?;
        Ok((live, seat))
    }

    /// Carries out the command of a player.
    ///
    /// # Errors
    /// Those of [`Self::seated`], the refusal of a player who sends too many commands, and that of the match.
    pub async fn act(
        &self,
        id: MatchId,
        player: &Account,
        command: impl FnOnce(Seat) -> Command,
    ) -> Result<VersionResponse, Error> {
        let (live, seat) = self.seated(id, player).await?;
        live.check_pace(seat)?;
        live.command(command(seat)).await
    }

    /// The match as it stands, including events that other instances wrote.
    pub async fn snapshot(&self, id: MatchId) -> Result<Snapshot, Error> {
        let live = self.get(id).await?;
        live.catch_up().await?;
        let present = db::present(&self.context.db, id, live.players()).await?;
        let status = live.refresh_status().await?;
        live.snapshot(present, &status).await
    }

    /// Tells a player of a correspondence match when the turn ends, if that is later than the clock says because of somebody's night.
    /// Nobody else is told.
    pub async fn tell_flag(&self, snapshot: &mut Snapshot, reader: PlayerId) -> Result<(), Error> {
        let live = self.get(snapshot.id).await?;
        if live.seat_of(reader).is_none() {
            return Ok(());
        }
        let game = live.game().await;
        if let Some(clock) = &mut snapshot.clock
            && clock.deadline_at.is_some()
            && game.version() == snapshot.version
        {
            clock.deadline_at = game.flag_at();
            snapshot.move_by = game.extended_move_by();
        }
        Ok(())
    }

    /// Stores that a player has read the match by the API: a player without a stream is present by that.
    pub async fn note_read(&self, id: MatchId, player: PlayerId) -> Result<(), Error> {
        let live = self.get(id).await?;
        if live.seat_of(player).is_some()
            && presence::db::note_streamless(&self.context.db, id, player).await?
        {
            self.context.notifier.notify_match(id);
        }
        Ok(())
    }

    /// The record of the match.
    ///
    /// # Errors
    /// `no_such_match`, also for a game without records.
    pub async fn record(&self, id: MatchId) -> Result<Record, Error> {
        let live = self.get(id).await?;
        live.catch_up().await?;
        live.record().await?.ok_or(Code::NoSuchMatch.into())
    }

    /// A match for the front page, if any was ever played. It may be [`limits::FRONT_PAGE_MAX_AGE`] old.
    pub async fn featured_match(&self) -> Result<Option<Snapshot>, Error> {
        let reading = async || match db::featured_match(&self.context.db).await? {
            Some(id) => self.snapshot(id).await.map(Some),
            None => Ok(None),
        };
        self.featured_match.get(reading).await
    }

    /// The running match of a player.
    pub async fn running_match(&self, player: &Account) -> Result<Option<OwnMatch>, Error> {
        db::running_match(&self.context.db, player.id).await
    }

    /// Ends every match whose deadline has passed. Several instances may do so at once: the version decides.
    pub(super) async fn tick_due(&self) -> Result<(), Error> {
        let overdue = db::overdue(&self.context.db).await?;
        futures::stream::iter(overdue)
            .for_each_concurrent(limits::OVERDUE_CONCURRENCY, async |id| {
                // One match that cannot be read must not stop the clocks of all others.
                let ticked = async { self.get(id).await?.tick().await };
                ticked
                    .await
                    .with_subject(id)
                    .log_failure("ending overdue matches");
            })
            .await;
        Ok(())
    }

    /// Ends the matches whose players have been absent for too long. If both are, the one whose time ended first loses: the
    /// absences are in that order.
    pub(super) async fn end_abandoned(&self, absences: &[Absence]) {
        for (place, absence) in absences.iter().enumerate() {
            let of_match = |other: &&Absence| other.id == absence.id;
            if !absence.expired || absences[..place].iter().any(|other| of_match(&other)) {
                continue;
            }
            let at_once: Vec<PlayerId> = absences[place..]
                .iter()
                .filter(of_match)
                .filter(|other| other.lost_at == absence.lost_at)
                .map(|other| other.player)
                .collect();
            // One match that cannot be read keeps no other from its end.
            let ended = async { self.get(absence.id).await?.abandon(&at_once).await };
            ended
                .await
                .with_subject(absence.id)
                .log_failure("ending abandoned matches");
        }
    }

    /// Notifies subscribers that an outage has shifted deadlines.
    pub(super) async fn announce_shifted_times(&self) {
        let matches: Vec<_> = {
            let cache = self.cache.lock().expect("no panic while the lock is held");
            let subscribed = cache.values().filter(|live| live.has_subscribers());
            subscribed.cloned().collect()
        };
        for live in matches {
            // After a failure the next command catches up.
            let caught_up = live.catch_up().await;
            caught_up.log_failure("reading a match after an outage");
        }
    }

    async fn poll_loop(self, shutdown: CancellationToken) {
        let mut poll = tokio::time::interval(self.poll_interval);
        loop {
            let notified = tokio::select! {
                () = shutdown.cancelled() => return,
                notified = self.context.notifier.matches_notified() => notified,
                _ = poll.tick() => None,
            };
            let suspended =
                |ids: &HashSet<MatchId>| ids.iter().any(|id| self.context.suspended.contains(*id));
            if notified.as_ref().is_none_or(suspended) {
                self.evict_unused();
            }
            // The next round is soon.
            self.poll(notified).await.log_failure("polling matches");
        }
    }

    /// Reads the events that other instances have told of, as far as the matches have subscribers.
    async fn follow_loop(self, shutdown: CancellationToken) {
        loop {
            let notified = tokio::select! {
                () = shutdown.cancelled() => return,
                notified = self.context.notifier.events_notified() => notified,
            };
            let behind: Vec<Arc<LiveMatch>> = {
                let cache = self.cache.lock().expect("no panic while the lock is held");
                let known = notified
                    .iter()
                    .filter_map(|(id, version)| Some((cache.get(id)?, *version)));
                known
                    .filter(|(live, version)| {
                        live.has_subscribers() && live.known_version() < *version
                    })
                    .map(|(live, _)| live.clone())
                    .collect()
            };
            futures::stream::iter(behind)
                .for_each_concurrent(limits::MATCH_READ_CONCURRENCY, async |live| {
                    // One match that cannot be read keeps no other from being updated.
                    live.catch_up().await.log_failure("following a match");
                })
                .await;
        }
    }

    /// Evicts matches that nobody uses.
    fn evict_unused(&self) {
        let mut cache = self.cache.lock().expect("no panic while the lock is held");
        cache.retain(|id, live| {
            (is_in_use(live) || live.is_recently_used()) && !self.context.suspended.contains(*id)
        });
    }

    /// Reads the new events and the status of these matches, or of all, as far as they have subscribers.
    async fn poll(&self, which: Option<HashSet<MatchId>>) -> Result<(), Error> {
        let subscribed: HashMap<MatchId, (Arc<LiveMatch>, StatusRead)> = {
            let cache = self.cache.lock().expect("no panic while the lock is held");
            cache
                .iter()
                .filter(|(id, live)| {
                    live.has_subscribers() && which.as_ref().is_none_or(|which| which.contains(id))
                })
                .map(|(id, live)| (*id, (live.clone(), live.status.begin_read())))
                .collect()
        };
        let ids: Vec<i64> = subscribed.keys().map(|id| id.0).collect();
        if ids.is_empty() {
            return Ok(());
        }
        // One match that cannot be read keeps no other from being updated.
        for row in db::status::read(&self.context.db, &ids).await? {
            let Some((live, read)) = subscribed.get(&row.id) else {
                continue;
            };
            if row.version > live.known_version() {
                live.catch_up().await.log_failure("polling a match");
            }
            if !live.publish_status(*read, row) {
                let status = live.refresh_status().await;
                status.log_failure("polling the status of a match");
            }
        }
        Ok(())
    }
}

/// Returns whether a match of the cache is read or changed just now, or has subscribers. The caller holds the lock of the cache, so
/// nobody comes to use the match meanwhile.
fn is_in_use(live: &Arc<LiveMatch>) -> bool {
    Arc::strong_count(live) > 1 || live.has_subscribers()
}

/// Evicts matches that nobody uses, those first that were used longest ago, until there are no more than so many. Those in
/// use may be more: their users are limited elsewhere.
fn evict_excess(cache: &mut HashMap<MatchId, Arc<LiveMatch>>, capacity: usize) {
    while cache.len() > capacity {
        let unused = cache.iter().filter(|(_, live)| !is_in_use(live));
        let Some((&oldest, _)) = unused.min_by_key(|(_, live)| live.last_used()) else {
            return;
        };
        cache.remove(&oldest);
    }
}
