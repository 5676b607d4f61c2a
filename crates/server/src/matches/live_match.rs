//! One match: commands go in one after the other, are committed, and are then told to everybody who listens.

use super::super::archive::sides;
use super::super::db::{Db, match_status, matches};
use super::super::notifier::Notifier;
use super::super::outage_clock::OutageClock;
use super::super::{now, streams};
use super::replica::{PAGE, Replica};
use crate::{About as _, Error};
use bytes::Bytes;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};
use tochki_play::{Command, Decision, Event, Match, OfferKind, Terms, Timestamp};
use tochki_protocol::{
    Code, MatchId, MatchStatus, OfferResponse, PlayerCard, PlayerId, Snapshot, VersionResponse,
};
use tochki_rules::Seat;
use tochki_rules::record::Record;
use tokio::sync::{Mutex, broadcast, watch};

/// How many events a slow reader may be behind before it is sent back to the table of events.
const PATIENCE: usize = 64;

/// How long a table that nobody uses stays in memory.
const IDLE: Duration = Duration::from_mins(1);

/// One event, encoded once for everybody.
#[derive(Clone, Debug)]
pub struct PublishedEvent {
    /// Its version.
    pub version: u32,
    /// The event as a stream sends it.
    pub frame: Bytes,
}

/// What the streams of a match tell status its events. Each compares it with what it has told.
#[derive(Clone, Debug, Default)]
pub struct StatusUpdate {
    /// Who is away, who watches, who wants another.
    pub around: MatchStatus,
    /// Whether the match has ended, so that nobody is missed.
    pub over: bool,
    /// How often the times that its events say have become others.
    pub times: u32,
}

/// A match in memory.
pub struct LiveMatch {
    db: Db,
    time: OutageClock,
    notifier: Notifier,
    id: MatchId,
    players: [PlayerCard; 2],
    terms: Terms,
    started_at: Timestamp,
    /// The match as far as this instance knows. The lock spans decision, commit and application, so that on one
    /// instance commands come one after the other; between instances the version in the database decides.
    known: Mutex<Replica>,
    /// The version of that, for whoever only wants to compare.
    version: AtomicU32,
    news: broadcast::Sender<PublishedEvent>,
    /// What goes on round it, as this instance last saw it.
    status: watch::Sender<StatusUpdate>,
    /// When a command last came. Held for a moment.
    used: std::sync::Mutex<Instant>,
}

/// What has come of a command.
struct Done {
    /// The version of its last event.
    version: u32,
    /// When the offer that is open now ends by itself.
    offered_until: Option<Timestamp>,
}

impl Done {
    fn by(game: &Match) -> Self {
        Self {
            version: game.version(),
            offered_until: game.offer().map(|offer| offer.expires_at),
        }
    }
}

impl LiveMatch {
    pub(super) async fn load(
        db: Db,
        time: OutageClock,
        notifier: Notifier,
        id: MatchId,
    ) -> Result<Option<Self>, Error> {
        let done = async {
            let era = time.era().await?;
            let Some(stored) = matches::load(&db, id).await? else {
                return Ok(None);
            };
            let known = Replica::begin(&db, id, stored.terms, stored.started_at, era).await?;
            let table = Self {
                db,
                time,
                notifier,
                id,
                players: stored.players,
                terms: stored.terms,
                started_at: stored.started_at,
                known: Mutex::new(known),
                version: AtomicU32::new(0),
                news: broadcast::channel(PATIENCE).0,
                status: watch::Sender::default(),
                used: std::sync::Mutex::new(Instant::now()),
            };
            table.catch_up().await?;
            Ok(Some(table))
        };
        done.await.about(id)
    }

    /// Which match it is.
    pub fn id(&self) -> MatchId {
        self.id
    }

    /// The players in the order of their seats.
    pub fn players(&self) -> [PlayerId; 2] {
        [self.players[0].id, self.players[1].id]
    }

    /// What was agreed on.
    pub fn terms(&self) -> &Terms {
        &self.terms
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

    /// Everything that happens from now on.
    pub fn listen(&self) -> broadcast::Receiver<PublishedEvent> {
        self.news.subscribe()
    }

    /// What goes on round it, now and from now on.
    pub fn status_updates(&self) -> watch::Receiver<StatusUpdate> {
        self.status.subscribe()
    }

    /// Looks at what goes on round the match.
    pub async fn look(&self) -> Result<MatchStatus, Error> {
        let done = async {
            let seen = match_status::look(&self.db, &[self.id.0]).await?;
            let seen = seen.into_iter().next().ok_or(Code::NoSuchMatch)?;
            Ok(self.see(seen))
        };
        done.await.about(self.id)
    }

    /// Takes in what goes on round the match, and tells it.
    pub(super) fn see(&self, seen: match_status::StatusRow) -> MatchStatus {
        let match_status::StatusRow { around, over, .. } = seen;
        self.status.send_if_modified(|status| {
            let news = status.around != around || status.over != over;
            status.around = around.clone();
            status.over = over;
            news
        });
        around
    }

    pub(super) fn has_listeners(&self) -> bool {
        self.news.receiver_count() > 0
    }

    pub(super) fn used_lately(&self) -> bool {
        self.used.lock().expect("no panic while looking").elapsed() < IDLE
    }

    /// The match from outside.
    pub async fn snapshot(
        &self,
        present: [bool; 2],
        around: &MatchStatus,
    ) -> Result<Snapshot, Error> {
        let known = self.known.lock().await;
        let cards = self.cards(&known).await?;
        Ok(Snapshot::of(self.id, &known.game, cards, present, around))
    }

    /// The players as they are called now. Who plays keeps their name; afterwards a guest may become a player of another
    /// name, and a player nobody.
    async fn cards(&self, known: &Replica) -> Result<[PlayerCard; 2], Error> {
        let done = async {
            if known.game.result().is_none() {
                return Ok(self.players.clone());
            }
            let stored = matches::load(&self.db, self.id).await?;
            Ok(stored.ok_or(Code::NoSuchMatch)?.players)
        };
        done.await.about(self.id)
    }

    /// The match as it is kept on paper, if its game is.
    pub async fn record(&self) -> Result<Option<Record>, Error> {
        let known = self.known.lock().await;
        let sides = sides(&self.cards(&known).await?);
        Ok(known.game.record(sides, self.started_at))
    }

    /// Carries a command out. The answer comes after the commit; it is the version of the last event the command made,
    /// or made when it was sent first.
    ///
    /// It runs to its end even if whoever asked has gone: a committed event is always told.
    pub async fn command(self: &Arc<Self>, command: Command) -> Result<VersionResponse, Error> {
        let Done { version, .. } = self.execute(command).await?;
        Ok(VersionResponse { version })
    }

    /// Makes an offer, and says when it ends.
    pub async fn offer(
        self: &Arc<Self>,
        seat: Seat,
        kind: OfferKind,
    ) -> Result<OfferResponse, Error> {
        let done = self.execute(Command::Offer { seat, kind }).await?;
        Ok(OfferResponse {
            version: done.version,
            expires_at: done.offered_until.ok_or(Code::OfferClosed)?,
        })
    }

    async fn execute(self: &Arc<Self>, command: Command) -> Result<Done, Error> {
        *self.used.lock().expect("no panic while looking") = Instant::now();
        let table = self.clone();
        let done = tokio::spawn(async move { table.carry_out(&command).await });
        let done = done
            .await
            .unwrap_or_else(|error| Err(Error::invariant(format!("a command broke off: {error}"))));
        done.about(self.id)
    }

    /// Ends the match for those of these players who have been away for too long, all of them for equally long. Of two, the
    /// one who is to move has kept the other waiting.
    pub(super) async fn abandon(self: &Arc<Self>, players: &[PlayerId]) -> Result<(), Error> {
        let away = |seat: &Seat| players.contains(&self.players[seat.index()].id);
        let to_move = self.known.lock().await.game.to_move();
        let first = Seat::BOTH.into_iter().find(away);
        let Some(seat) = to_move.filter(away).or(first) else {
            return Ok(());
        };
        match self.command(Command::Abandon { seat }).await {
            Err(error) if error.code() != Code::Finished => Err(error),
            _ => Ok(()),
        }
    }

    /// Ends the match if its time is over.
    pub(super) async fn tick(self: &Arc<Self>) -> Result<(), Error> {
        match self.command(Command::Tick).await {
            Err(error) if error.code() != Code::Finished => Err(error),
            _ => Ok(()),
        }
    }

    async fn carry_out(&self, command: &Command) -> Result<Done, Error> {
        let mut known = self.known.lock().await;
        self.keep_time(&mut known).await?;
        loop {
            let (game, now) = (&known.game, now());
            // What time has decided comes before what anybody asks.
            let overdue = game.deadline().is_some_and(|deadline| deadline <= now);
            let decision = if overdue {
                game.decide(&Command::Tick, now)
            } else {
                game.decide(command, now)
            };
            match decision {
                Ok(Decision::Known(version)) => {
                    return Ok(Done {
                        version,
                        offered_until: None,
                    });
                }
                Ok(Decision::Happens(events)) if events.is_empty() => return Ok(Done::by(game)),
                Ok(Decision::Happens(events)) => {
                    if self.commit(&mut known, events).await? && !overdue {
                        return Ok(Done::by(&known.game));
                    }
                }
                // Another instance may have moved since: a refusal stands only if this one knows all there is.
                Err(refusal) => {
                    if self.read_on(&mut known).await? == 0 {
                        return Err(refusal.into());
                    }
                }
            }
        }
    }

    /// Writes the events down, then lets them happen here and tells them. False if another instance was first; then
    /// its events have been read.
    async fn commit(&self, known: &mut Replica, events: Vec<Event>) -> Result<bool, Error> {
        let before = known.game.version();
        let mut after = known.game.clone();
        for event in &events {
            after.apply(event);
        }
        let appended =
            matches::append(&self.db, self.id, self.players(), before, events, &after).await?;
        match appended {
            matches::Appended::Committed(events) => {
                for event in &events {
                    self.publish(known, event);
                }
                Ok(true)
            }
            matches::Appended::Lost => {
                self.read_on(known).await?;
                Ok(false)
            }
        }
    }

    /// Reads what other instances have written.
    pub async fn catch_up(&self) -> Result<(), Error> {
        let done = async {
            let mut known = self.known.lock().await;
            self.read_on(&mut known).await?;
            self.keep_time(&mut known).await
        };
        done.await.about(self.id)
    }

    /// Whether the match has ended.
    pub async fn is_over(&self) -> Result<bool, Error> {
        self.catch_up().await?;
        Ok(self.known.lock().await.game.result().is_some())
    }

    /// Whether somebody who knows the events may know the wrong times.
    pub async fn shows_other_times(&self) -> bool {
        self.known.lock().await.shows_other_times()
    }

    /// Where time has been given back since this match was read, it is read anew: the same events at other times.
    async fn keep_time(&self, known: &mut Replica) -> Result<(), Error> {
        let era = self.time.era().await?;
        if known.era == era {
            return Ok(());
        }
        let mut fresh = Replica::begin(&self.db, self.id, self.terms, self.started_at, era).await?;
        let reached = known.game.version();
        while fresh.game.version() < reached {
            let events = fresh.next_events(&self.db, self.id, reached).await?;
            if events.is_empty() {
                return Err(Error::invariant("events of a match are missing").about(self.id));
            }
            for event in &events {
                fresh.apply(event);
            }
        }
        *known = fresh;
        if known.shows_other_times() {
            self.status.send_modify(|status| status.times += 1);
        }
        Ok(())
    }

    /// Reads and tells all events after the last one known; says how many there were.
    async fn read_on(&self, known: &mut Replica) -> Result<usize, Error> {
        let mut read = 0;
        loop {
            let events = known.next_events(&self.db, self.id, u32::MAX).await?;
            for event in &events {
                self.publish(known, event);
            }
            read += events.len();
            if events.len() < PAGE as usize {
                return Ok(read);
            }
        }
    }

    fn publish(&self, known: &mut Replica, event: &Event) {
        known.apply(event);
        let version = known.game.version();
        self.version.store(version, Ordering::SeqCst);
        // Nobody listening is no failure.
        let _ = self.news.send(PublishedEvent {
            version,
            frame: streams::match_frame(version, event.name(), &event.body()),
        });
        if let Event::Finished { .. } = event {
            self.notifier.notify(self.terms.setup.kind());
            self.notifier.notify_match(self.id);
        }
    }
}
