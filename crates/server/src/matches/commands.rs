//! The commands of a match: they are executed one after the other, committed, and then published to all subscribers.

use super::arrivals::Arrival;
use super::live_match::{LiveMatch, PublishedEvent, match_suspended};
use super::replica::Replica;
use crate::bus::topic::Topic;
use crate::clock::ClockReader;
use crate::error::{Error, WithSubject as _};
use crate::matches::db;
use crate::matches::db::appends::{Append, BatchAppend};
use crate::matches::db::{SealedRun, StoredEvent, sealed_moves};
use crate::{frame, metrics, night, pairing, time_zones, traces};
use futures::FutureExt as _;
use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::Instant;
use tochki_play::{Command, Decision, Event, Match, MatchResult, Millis, OfferKind, Timestamp};
use tochki_protocol::{Code, OfferResponse, PlayerId, VersionResponse, limits};
use tochki_rules::Seat;
use tokio::time::timeout;
use tracing::Instrument as _;

/// The outcome of a command.
struct Outcome {
    /// The version after it.
    version: u32,
    /// When the open offer expires, if there is one and it does.
    offer_expires_at: Option<Timestamp>,
    /// Whether something has happened. Otherwise the same command was executed before, or there was nothing to do.
    is_new: bool,
}

impl Outcome {
    fn of(game: &Match, is_new: bool) -> Self {
        Self {
            version: game.version(),
            offer_expires_at: game.offer().and_then(|offer| offer.expires_at),
            is_new,
        }
    }
}

impl LiveMatch {
    /// Executes a command. It answers after the commit with the version of the last event that the command caused; a
    /// command that is sent again under the same client id gets the first answer.
    ///
    /// It runs to its end even if the request is cancelled, so every committed event is published.
    ///
    /// # Errors
    /// The refusal of [`Match::decide`].
    pub async fn command(self: &Arc<Self>, command: Command) -> Result<VersionResponse, Error> {
        let Outcome { version, .. } = self.execute(command, None).await?;
        Ok(VersionResponse { version })
    }

    /// Does the same as [`Self::command`] for a command that arrived earlier: the time since then is not charged to either clock.
    pub async fn command_received(
        self: &Arc<Self>,
        command: Command,
        arrival: Arrival,
    ) -> Result<VersionResponse, Error> {
        let Outcome { version, .. } = self.execute(command, Some(arrival)).await?;
        Ok(VersionResponse { version })
    }

    /// Makes an offer, and answers when it expires.
    pub async fn offer(
        self: &Arc<Self>,
        seat: Seat,
        kind: OfferKind,
    ) -> Result<OfferResponse, Error> {
        if kind == OfferKind::Adjourn {
            return self.offer_adjournment(seat, None).await;
        }
        self.make_offer(Command::Offer { seat, kind }).await
    }

    /// Offers to adjourn the match, until it goes on live after this time, if that is said.
    ///
    /// # Errors
    /// `not_accepted` in a match with a bot, which would seal no move; `too_many_games` for a player who has as many by correspondence as
    /// a player may have; the refusal of [`Match::decide`].
    pub async fn offer_adjournment(
        self: &Arc<Self>,
        seat: Seat,
        resume_in: Option<Millis>,
    ) -> Result<OfferResponse, Error> {
        if self.players.iter().any(|player| player.bot) {
            return Err(Code::NotAccepted.into());
        }
        let player = self.players()[seat.index()];
        if pairing::db::players::has_too_many_games(&self.context.db, player).await? {
            return Err(Code::TooManyGames.into());
        }
        self.make_offer(Command::OfferAdjournment { seat, resume_in })
            .await
    }

    async fn make_offer(self: &Arc<Self>, offer: Command) -> Result<OfferResponse, Error> {
        let done = self.execute(offer, None).await?;
        Ok(OfferResponse {
            version: done.version,
            expires_at: done.offer_expires_at,
        })
    }

    async fn execute(
        self: &Arc<Self>,
        command: Command,
        arrival: Option<Arrival>,
    ) -> Result<Outcome, Error> {
        *self
            .last_used
            .lock()
            .expect("no panic while the lock is held") = Instant::now();
        let live = self.clone();
        let task = async move {
            let received_at = arrival.as_ref().map(Arrival::at);
            let done = Box::pin(live.execute_in_turn(&command, received_at));
            let done = live.catch_match_panic(done).await;
            if let Command::Move { seat, .. } | Command::Seal { seat, .. } = &command
                && done.as_ref().is_ok_and(|done| done.is_new)
                && live.may_be_correspondence().await
            {
                Box::pin(live.end_vacation_by_move(*seat)).await;
            }
            if matches!(
                command,
                Command::Move { .. } | Command::Answer { .. } | Command::Seal { .. }
            ) {
                metrics::moved(done.is_ok());
            }
            done
        };
        // The span of the trace begins here, because that of its request is not entered in the task.
        let task = task.instrument(traces::command(self.id));
        let done = tokio::spawn(task.in_current_span());
        let done = done.await.unwrap_or_else(|error| {
            Err(Error::invariant(format!(
                "the task of a command failed: {error}"
            )))
        });
        done.with_subject(self.id)
    }

    /// Runs work that reads or changes this match. If the work panics, the match is suspended, and nothing else notices.
    async fn catch_match_panic<T>(
        &self,
        work: impl Future<Output = Result<T, Error>>,
    ) -> Result<T, Error> {
        if self.context.suspended.contains(self.id) {
            return Err(match_suspended());
        }
        match AssertUnwindSafe(work).catch_unwind().await {
            Ok(done) => done,
            Err(_) => {
                tracing::error!(id = %self.id, "a panic in a match; it is suspended");
                metrics::match_suspended();
                self.context.suspended.insert(self.id, self.known_version());
                // Its streams end once it is out of the cache.
                self.context.notifier.notify_match(self.id);
                Err(match_suspended())
            }
        }
    }

    /// Ends the match because these players have been absent for too long, all of them equally long. Of two, the one to
    /// move loses.
    pub(super) async fn abandon(self: &Arc<Self>, players: &[PlayerId]) -> Result<(), Error> {
        let away = |seat: &Seat| players.contains(&self.players[seat.index()].id);
        let to_move = self.replica.lock().await.game.to_move();
        let first = Seat::BOTH.into_iter().find(away);
        let Some(seat) = to_move.filter(away).or(first) else {
            return Ok(());
        };
        match self.command(Command::Abandon { seat }).await {
            Err(error)
                if !matches!(
                    error.code(),
                    // Before the first moves of a tournament nobody loses by absence.
                    Code::Finished | Code::Adjourned | Code::NotBegun
                ) =>
            {
                Err(error)
            }
            _ => Ok(()),
        }
    }

    /// Ends the match if its deadline has passed.
    pub(super) async fn tick(self: &Arc<Self>) -> Result<(), Error> {
        match self.command(Command::Tick).await {
            Err(error) if error.code() != Code::Finished => Err(error),
            _ => Ok(()),
        }
    }

    async fn execute_in_turn(
        &self,
        command: &Command,
        received_at: Option<Timestamp>,
    ) -> Result<Outcome, Error> {
        let mut replica = self.replica.lock().await;
        self.follow_epoch(&mut replica).await?;
        loop {
            let now = self.context.outage_clock.now(ClockReader::Match(self.id));
            let game = &replica.game;
            let received_at = received_at.unwrap_or(now);
            // A deadline that has passed takes effect before the command, but not before a command that came in time.
            let first = self.context.arrivals.earliest(self.id);
            let first = first.unwrap_or(received_at);
            let overdue = game
                .deadline()
                .is_some_and(|deadline| deadline <= received_at.min(first));
            let decision = if overdue {
                game.decide(&Command::Tick, now)
            } else if matches!(command, Command::Tick) {
                game.decide(command, received_at.min(first))
            } else {
                game.decide_received(command, received_at, now)
            };
            match decision {
                Ok(Decision::AlreadyDone(version)) => {
                    return Ok(Outcome {
                        version,
                        offer_expires_at: None,
                        is_new: false,
                    });
                }
                Ok(Decision::Happens(events)) if events.is_empty() => {
                    return Ok(Outcome::of(game, false));
                }
                Ok(Decision::Happens(events)) => {
                    let sealed = self.sealed_run(game, command).filter(|_| !overdue);
                    let by = db::given_by(command).filter(|_| !overdue);
                    if self.commit(&mut replica, events, sealed, by).await? && !overdue {
                        return Ok(Outcome::of(&replica.game, true));
                    }
                }
                // Another instance may have written events since: a refusal is valid only if this instance knows all of them.
                Err(refusal) => {
                    if self.read_new_events(&mut replica).await? == 0 {
                        return Err(refusal.into());
                    }
                }
            }
        }
    }

    /// Writes events, then applies and publishes them. False if another instance wrote first; then its events have been
    /// read. `by` is the side that has caused them by a command of its own.
    async fn commit(
        &self,
        replica: &mut Replica,
        events: Vec<Event>,
        sealed: Option<SealedRun>,
        by: Option<Seat>,
    ) -> Result<bool, Error> {
        let before = replica.game.version();
        let mut after = replica.game.clone();
        for event in &events {
            after
                .apply(event)
                .map_err(|broken| Error::broken_record(self.id, broken))?;
        }
        self.spare_night(&mut after, &events).await?;
        let begun = Instant::now();
        let span = traces::append(events.len());
        let turn_before = replica.game.awaited();
        let causes = db::Causes::of(self.id, self.players(), turn_before, by, &events, &after);
        let is_told = !causes.is_empty();
        let adjourns = sealed_moves::are_in(&events);
        let appending = self.append(before, events, &after, causes, sealed.as_ref());
        let appending = appending.instrument(span);
        let appended = appending.await?;
        metrics::appended(begun.elapsed());
        match appended {
            db::Appended::Committed(events) => {
                for (event, stored) in &events {
                    self.publish(replica, event, stored)?;
                }
                self.announce(replica, adjourns);
                if is_told {
                    self.context.notifier.notify_causes();
                }
                Ok(true)
            }
            db::Appended::Conflict => {
                self.read_new_events(replica).await?;
                Ok(false)
            }
        }
    }

    /// Lets the turn of the side to move end in its morning, if the events have set its clock and it would end in its night.
    async fn spare_night(&self, after: &mut Match, events: &[Event]) -> Result<(), Error> {
        let sets_clock = events.last().is_some_and(Event::sets_clocks);
        if !sets_clock || !after.terms().is_correspondence() {
            return Ok(());
        }
        let (Some(turn_end), Some(seat)) = (after.turn_end(), after.to_move()) else {
            return Ok(());
        };
        let player = self.players()[seat.index()];
        if let Some(zone) = time_zones::db::name(&self.context.db, player).await? {
            after.extend_turn(night::grace(turn_end, &zone));
        }
        Ok(())
    }

    /// Stores events: those of a match that goes on together with those of other matches, and the end of a match, or what
    /// goes to a match that is locked, in a transaction of its own.
    async fn append(
        &self,
        before: u32,
        events: Vec<Event>,
        after: &Match,
        causes: db::Causes,
        sealed: Option<&SealedRun>,
    ) -> Result<db::Appended, Error> {
        let db = &self.context.db;
        if after.result().is_some() || sealed_moves::are_in(&events) {
            let players = self.players();
            let appending =
                db::append(db, self.id, players, before, events, after, &causes, sealed);
            return Box::pin(appending).await;
        }
        let numbered = (before + 1..).zip(events);
        let stored: Result<Vec<_>, Error> = numbered
            .map(|(version, event)| {
                let stored = if version == after.version() {
                    StoredEvent::last_of(after, &event)?
                } else {
                    StoredEvent::of(version, &event)?
                };
                Ok((event, stored))
            })
            .collect();
        let stored = stored?;
        let players = self.players();
        let append = Append::new(self.id, players, before, &stored, after, causes.clone());
        match self.context.writer.append(append).await.transpose()? {
            Some(BatchAppend::Committed) => return Ok(db::Appended::Committed(stored)),
            Some(BatchAppend::Conflict) => return Ok(db::Appended::Conflict),
            // The instance shuts down, or another transaction has locked the match.
            None | Some(BatchAppend::Locked) => {}
        }
        // Waiting for the lock of a match takes a connection of the pool, so that many must not wait at once.
        let waiting = self.context.locked_appends.acquire();
        let _permit = timeout(limits::STATEMENT_TIMEOUT, waiting)
            .await
            .map_err(|_| Code::Unavailable)?;
        let events = stored.into_iter().map(|(event, _)| event).collect();
        Box::pin(db::append(
            db,
            self.id,
            self.players(),
            before,
            events,
            after,
            &causes,
            None,
        ))
        .await
    }

    /// Reads the events that other instances have written, and follows an outage. Callers at the same time share a read.
    pub async fn catch_up(&self) -> Result<(), Error> {
        let done = Box::pin(self.catching_up.run(async || {
            self.read_beside_commands().await?;
            let mut replica = self.replica.lock().await;
            self.follow_epoch(&mut replica).await
        }));
        self.catch_match_panic(done).await.with_subject(self.id)
    }

    /// Returns whether the match has ended.
    pub async fn is_over(&self) -> Result<bool, Error> {
        self.catch_up().await?;
        Ok(self.replica.lock().await.game.result().is_some())
    }

    /// Returns whether a client that has all events may have deadlines that an outage has shifted since.
    pub async fn has_shifted_times(&self) -> bool {
        self.replica.lock().await.has_shifted_times()
    }

    /// Reads the match again if there has been an outage since: the same events, with other deadlines.
    async fn follow_epoch(&self, replica: &mut Replica) -> Result<(), Error> {
        let epoch = self.context.outage_clock.epoch().await?;
        if replica.epoch == epoch {
            return Ok(());
        }
        let db = &self.context.db;
        let mut fresh = Replica::begin(db, self.id, self.start, epoch).await?;
        let reached = replica.game.version();
        while fresh.game.version() < reached {
            let events = fresh.next_events(db, self.id, reached).await?;
            if events.is_empty() {
                return Err(Error::invariant("events of a match are missing").with_subject(self.id));
            }
            for (event, stored) in &events {
                fresh.apply(self.id, event, stored.grace)?;
            }
        }
        *replica = fresh;
        if replica.has_shifted_times() {
            self.status.shift_time();
        }
        Ok(())
    }

    /// Reads and publishes all events after the last known one. Returns how many there were.
    async fn read_new_events(&self, replica: &mut Replica) -> Result<usize, Error> {
        let db = &self.context.db;
        let mut read = 0;
        loop {
            let events = replica.next_events(db, self.id, u32::MAX).await?;
            for (event, stored) in &events {
                self.publish(replica, event, stored)?;
            }
            read += events.len();
            if events.len() < limits::MATCH_EVENTS_BATCH_LEN as usize {
                return Ok(read);
            }
        }
    }

    /// Reads without the lock of the replica, so that commands go on meanwhile. Events that the commands have published by then
    /// are skipped.
    async fn read_beside_commands(&self) -> Result<(), Error> {
        loop {
            let known = self.known_version();
            let stored = db::events_after(
                &self.context.db,
                self.id,
                known,
                limits::MATCH_EVENTS_BATCH_LEN,
            )
            .await?;
            if stored.is_empty() {
                return Ok(());
            }
            let mut replica = self.replica.lock().await;
            for row in &stored {
                if row.version > replica.game.version() {
                    self.publish(&mut replica, &row.read(self.id)?, row)?;
                }
            }
            if stored.len() < limits::MATCH_EVENTS_BATCH_LEN as usize {
                return Ok(());
            }
        }
    }

    fn publish(
        &self,
        replica: &mut Replica,
        event: &Event,
        stored: &StoredEvent,
    ) -> Result<(), Error> {
        replica.apply(self.id, event, stored.grace)?;
        let version = replica.game.version();
        self.version.store(version, Ordering::SeqCst);
        // Fails without subscribers, which is fine.
        let _ = self.events.send(PublishedEvent {
            version,
            event: Arc::new(event.clone()),
            frame: frame::match_frame(version, &stored.kind, &stored.body),
        });
        let notifier = &self.context.notifier;
        let is_over = matches!(event, Event::Finished { .. });
        if is_over || sealed_moves::are_in(std::slice::from_ref(event)) {
            notifier.notify_local(Topic::Room(self.start.terms.setup.kind()));
        }
        if is_over {
            notifier.notify_local(Topic::Status(self.id));
        }
        Ok(())
    }

    /// The moves of a command that seals some.
    fn sealed_run(&self, game: &Match, command: &Command) -> Option<SealedRun> {
        let Command::Seal { seat, moves } = command else {
            return None;
        };
        let moves = game.sealed_run(*seat, moves).ok()?;
        let player = self.players[seat.index()].id;
        Some(SealedRun { player, moves })
    }

    /// Announces committed changes to the other instances; the waiting room lists an adjourned match no longer, and the table of one by
    /// correspondence that was aborted again.
    fn announce(&self, replica: &Replica, adjourns: bool) {
        let game = &replica.game;
        let notifier = &self.context.notifier;
        notifier.notify_remote(Topic::Events(self.id, game.version()));
        let aborted = game.result().is_some_and(MatchResult::is_aborted);
        if aborted && game.terms().is_correspondence() {
            notifier.notify_rooms();
        } else if adjourns || game.result().is_some() {
            notifier.notify_remote(Topic::Room(self.start.terms.setup.kind()));
        }
    }
}
