//! A match of the bot, from its stream to the engine and back.

use crate::account::Player;
use crate::engine::Engine;
use crate::reply::{self, Sent};
use crate::rules;
use std::time::Duration;
use tochki_client::play::{ClockReading, ClockRule, Event, Match, Millis, Offer, Timestamp};
use tochki_client::protocol::{MatchId, Snapshot, Status, limits};
use tochki_client::rules::{Seat, Setup};
use tochki_client::{Error, MatchUpdate};
use tochki_engine_cli::drive::{Answer, Fault, Killer, Left, Limit, MoveTime, Table};
use tochki_engine_cli::protocol::{Protocol, in_words};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};

/// A match as the bot has it.
struct Game<'a> {
    player: &'a Player,
    id: MatchId,
    seat: Seat,
    /// The name of the opponent, for the log.
    opponent: String,
    state: Match,
    /// The version of the last change of the board, as far as the bot knows.
    board_version: u32,
    /// The server's time in its last message, and the local time when that was read.
    server_time: Timestamp,
    read_at: Instant,
    engine: Option<Engine>,
    /// The version of the board that the engine has been told of, or has been asked about.
    worked_at: Option<u32>,
    /// The version of the last offer that was answered.
    answered_offer: u32,
    faults: u32,
    illegal_moves: u32,
}

/// An engine at work, which is ended when this is dropped before it is done.
struct Work {
    board_version: u32,
    asks: bool,
    killer: Option<Killer>,
    done: JoinHandle<Done>,
}

/// The engine, unless it is of no use any more, and its answer.
type Done = (Engine, Result<Option<Answer>, Fault>);

impl Drop for Work {
    fn drop(&mut self) {
        if let Some(killer) = &self.killer {
            killer.kill();
        }
    }
}

/// Plays a match to its end.
pub(crate) async fn play(player: &Player, id: MatchId) -> Result<(), Error> {
    let snapshot = player.client.snapshot(id).await?;
    if snapshot.status == Status::Finished {
        return Ok(());
    }
    let is_mine = |seat: &Seat| snapshot.players[seat.index()].id == player.account.id;
    let Some(seat) = Seat::BOTH.into_iter().find(is_mine) else {
        return Ok(());
    };
    let mut events = player.client.match_events(id, snapshot.version);
    let mut game = Game {
        player,
        id,
        seat,
        opponent: rules::shown(&snapshot.players[seat.other().index()]),
        state: as_match(&snapshot)?,
        board_version: snapshot.version,
        server_time: server_time(&snapshot),
        read_at: Instant::now(),
        engine: None,
        worked_at: None,
        answered_offer: 0,
        faults: 0,
        illegal_moves: 0,
    };
    game.log_start(&snapshot);
    let mut work: Option<Work> = None;
    loop {
        if game.is_over() {
            return Ok(());
        }
        if let Some(offer) = game.open_offer() {
            game.answer(offer).await?;
        }
        // The position that it thinks about is gone. Not every protocol can take a question back, so the engine is ended.
        work.take_if(|work| work.asks && work.board_version != game.board_version);
        if work.is_none() && game.worked_at != Some(game.board_version) {
            work = game.begin_work().await?;
        }
        tokio::select! {
            update = events.next() => game.handle_update(update?)?,
            done = done(&mut work) => {
                let version = work.take().map(|mut work| {
                    work.killer = None;
                    work.board_version
                });
                match (version, done) {
                    (Some(version), Some((engine, found))) => {
                        game.end_work(version, engine, found).await?;
                    }
                    _ => game.failed(&Fault::Crashed).await?,
                }
            }
        }
    }
}

/// Waits for the engine; without end where none is at work.
async fn done(work: &mut Option<Work>) -> Option<Done> {
    match work {
        // Nothing only if it has panicked.
        Some(work) => (&mut work.done).await.ok(),
        None => std::future::pending().await,
    }
}

/// Returns a snapshot as a match, which the events after it continue.
fn as_match(snapshot: &Snapshot) -> Result<Match, Error> {
    let (game, replayed) = snapshot.replay();
    match replayed {
        Ok(()) => Ok(game),
        Err(error) => Err(Error::Unreadable(format!("match {}: {error}", snapshot.id))),
    }
}

fn server_time(snapshot: &Snapshot) -> Timestamp {
    let reading = snapshot.clock.map(|clock| clock.at);
    snapshot.now.or(reading).unwrap_or(Timestamp(0))
}

impl Game<'_> {
    fn log_start(&self, snapshot: &Snapshot) {
        let setup: Setup = snapshot.setup;
        let is_new = if snapshot.version == 0 {
            "begins"
        } else {
            "goes on"
        };
        tracing::info!(
            "match {} against {} {is_new}: {} {}, clock {}, {}, seat {}",
            self.id,
            self.opponent,
            setup.kind(),
            in_words(&setup),
            snapshot.time_control,
            if snapshot.rated { "rated" } else { "unrated" },
            self.seat.number(),
        );
    }

    /// Returns whether the match has ended, which is logged.
    fn is_over(&self) -> bool {
        let Some(result) = self.state.result() else {
            return false;
        };
        let how = match result.winner {
            _ if result.is_aborted() => "aborted",
            Some(winner) if winner == self.seat => "won",
            Some(_) => "lost",
            None => "drawn",
        };
        let [first, second] = self.state.score();
        tracing::info!(
            "match {} against {}: {how} ({}), {first}:{second} after {} moves",
            self.id,
            self.opponent,
            result.reason.as_str(),
            self.state.plies().len(),
        );
        true
    }

    /// Returns an offer of the other side that has no answer yet.
    fn open_offer(&self) -> Option<Offer> {
        let offer = self.state.offer()?;
        (offer.seat != self.seat && offer.version > self.answered_offer).then_some(offer)
    }

    async fn answer(&mut self, offer: Offer) -> Result<(), Error> {
        self.answered_offer = offer.version;
        let rules = &self.player.bot.rules;
        let accept = rules.accepts(offer.kind, &self.state, self.seat);
        let said = if accept { "accepted" } else { "declined" };
        tracing::info!("match {}: {} {said}", self.id, offer.kind.as_str());
        let client = &self.player.client;
        match client.answer_offer(self.id, accept, offer.version).await {
            Err(error) if error.code().is_none() => {
                // The server is away; asked again when it is back, unless the offer is over then.
                tracing::warn!("match {}: {error}", self.id);
                self.answered_offer = offer.version - 1;
            }
            // A refused offer is over, or the match is.
            Ok(_) | Err(_) => {}
        }
        Ok(())
    }

    fn handle_update(&mut self, update: MatchUpdate) -> Result<(), Error> {
        match update {
            MatchUpdate::Event { version, event } => {
                let broken = |error| Error::Unreadable(format!("match {}: {error}", self.id));
                self.state.apply(&event).map_err(broken)?;
                if let Event::Moved { .. } | Event::TakenBack { .. } = event {
                    self.board_version = version;
                }
                if let Some(clock) = self.state.clock() {
                    self.server_time = clock.at;
                }
            }
            MatchUpdate::Snapshot(snapshot) => {
                // Mostly nothing but the clock is another, and an engine that thinks goes on.
                if snapshot.version != self.state.version() {
                    self.board_version = snapshot.version;
                }
                self.state = as_match(&snapshot)?;
                self.server_time = server_time(&snapshot);
            }
            MatchUpdate::Status(_) | MatchUpdate::Said(_) => return Ok(()),
        }
        self.read_at = Instant::now();
        Ok(())
    }

    /// Returns the limits of the engine for its next move.
    fn left(&self) -> Left {
        let rules = &self.player.bot.rules.engine;
        if self.player.bot.command.protocol == Protocol::Nboard {
            return Left::start(rules.depth.map_or(Limit::Free, Limit::Depth));
        }
        let since = Millis(self.read_at.elapsed().as_millis() as i64);
        let now = self.server_time + since;
        let until = self.state.move_by().map(|by| duration(by - now));
        match (self.state.clock(), self.state.terms().clock) {
            (Some(clock), ClockRule::Fischer { increment, .. }) => {
                let left = |seat| duration(clock.left(seat, now));
                let own = left(self.seat).min(until.unwrap_or(Duration::MAX));
                Left::on_clock(
                    own.saturating_sub(rules.overhead()),
                    left(self.seat.other()),
                    Duration::from_secs(u64::from(increment)),
                )
            }
            (Some(clock), ClockRule::Bank { .. } | ClockRule::ByoYomi { .. })
                if rules.clocks && self.player.bot.command.protocol == Protocol::Text =>
            {
                let clock_of =
                    |seat| on_bank(clock, self.state.terms().clock, seat, clock.left(seat, now));
                let (own, besides) = clock_of(self.seat);
                let (others, _) = clock_of(self.seat.other());
                let overhead = rules.overhead();
                let besides = match besides {
                    MoveTime::First(time) => MoveTime::First(time.saturating_sub(overhead)),
                    MoveTime::Periods { count, length } => {
                        let length = length.saturating_sub(overhead);
                        MoveTime::Periods { count, length }
                    }
                };
                // A first move has a time of its own, too.
                let until = until.unwrap_or(Duration::MAX);
                Left::on_clock(own.min(until), others, Duration::ZERO).with(besides)
            }
            (Some(clock), ClockRule::Bank { .. } | ClockRule::ByoYomi { .. }) => {
                // What is there anew for each move is spent; bank and periods are for a slow line.
                let left = clock.left(self.seat, now);
                let rule = self.state.terms().clock;
                let first = duration(clock.parts(rule, self.seat, left).first);
                let time = rules
                    .move_time()
                    .min(first.saturating_sub(rules.overhead()));
                Left::start(Limit::Time(time.min(until.unwrap_or(time))))
            }
            _ => {
                let time = rules.move_time();
                Left::start(Limit::Time(time.min(until.unwrap_or(time) / 2)))
            }
        }
    }

    /// Lets the engine know the board, and asks for a move if the bot is to move.
    async fn begin_work(&mut self) -> Result<Option<Work>, Error> {
        let board_version = self.board_version;
        let engine = match self.engine.take() {
            Some(engine) => engine,
            None => match Engine::start(&self.player.bot.command) {
                Ok(engine) => engine,
                Err(error) => {
                    tracing::error!("match {}: the engine does not start: {error}", self.id);
                    self.failed(&Fault::Crashed).await?;
                    return Ok(None);
                }
            },
        };
        self.worked_at = Some(board_version);
        let table = Table {
            position: self.state.position().clone(),
            played: (self.state.plies().iter())
                .map(|ply| (ply.seat, ply.mv))
                .collect(),
        };
        let asks = self.state.to_move() == Some(self.seat);
        let left = self.left();
        let killer = engine.killer();
        let done = tokio::task::spawn_blocking(move || {
            let mut engine = engine;
            let found = engine.work(&table, &left, asks);
            (engine, found)
        });
        Ok(Some(Work {
            board_version,
            asks,
            killer: Some(killer),
            done,
        }))
    }

    async fn end_work(
        &mut self,
        board_version: u32,
        engine: Engine,
        found: Result<Option<Answer>, Fault>,
    ) -> Result<(), Error> {
        match found {
            Ok(answer) => {
                self.engine = Some(engine);
                match answer {
                    Some(answer) => self.make_move(board_version, &answer.mv).await,
                    None => Ok(()),
                }
            }
            Err(fault) => {
                drop(engine);
                self.failed(&fault).await
            }
        }
    }

    /// Makes the move that was found for this board.
    async fn make_move(&mut self, board_version: u32, answer: &str) -> Result<(), Error> {
        let position = self.state.position();
        let legal = position.parse_move(answer).and_then(|mv| {
            let mut after = position.clone();
            after.play(mv).map(|_| mv)
        });
        let Ok(mv) = legal else {
            return self.failed(&Fault::Illegal(answer.to_owned())).await;
        };
        let mv = mv.to_string();
        let client = &self.player.client;
        match reply::send_move(client, self.id, &mv, board_version).await? {
            Sent::Made => tracing::debug!("match {}: {mv} at version {board_version}", self.id),
            Sent::Outdated => tracing::debug!("match {}: {mv} is out of date", self.id),
            Sent::Refused(error) => {
                tracing::error!("match {}: {mv}: {error}", self.id);
                return self.failed(&Fault::Illegal(mv)).await;
            }
        }
        Ok(())
    }

    /// Handles a fault of the engine: a new engine goes on, or the bot gives up.
    async fn failed(&mut self, fault: &Fault) -> Result<(), Error> {
        let Self { id, opponent, .. } = self;
        self.engine = None;
        self.worked_at = None;
        let gives_up = match fault {
            Fault::Resigned => true,
            Fault::Illegal(_) | Fault::Garbled(_) => {
                self.illegal_moves += 1;
                self.illegal_moves >= limits::BOT_MAX_ILLEGAL_MOVES
            }
            _ => {
                self.faults += 1;
                self.faults > self.player.bot.rules.engine.restarts
            }
        };
        if gives_up {
            tracing::error!("match {id} against {opponent}: the engine {fault}; the bot gives up");
            reply::give_up(&self.player.client, *id).await?;
            // Nothing more is asked of an engine; the end comes by the stream.
            self.worked_at = Some(self.board_version);
            return Ok(());
        }
        tracing::warn!("match {id} against {opponent}: the engine {fault}; it is started anew");
        if self.faults > 1 {
            sleep(limits::BOT_ENGINE_RESTART_DELAY).await;
        }
        Ok(())
    }
}

/// Returns what a side has on a clock with a bank or periods once it has `left` until its flag falls: the bank, or the time before the
/// periods, and the time of a move besides.
fn on_bank(clock: ClockReading, rule: ClockRule, seat: Seat, left: Millis) -> (Duration, MoveTime) {
    let parts = clock.parts(rule, seat, left);
    match rule {
        ClockRule::ByoYomi {
            period, periods, ..
        } => {
            let period = Millis::from_secs(period);
            let main = (left - period * periods).max(Millis::ZERO);
            // The time of the period that runs is less than a whole one.
            let length = if main > Millis::ZERO {
                period
            } else {
                parts.first
            };
            let count = parts.periods.unwrap_or(periods);
            let length = duration(length);
            (duration(main), MoveTime::Periods { count, length })
        }
        _ => {
            let bank = parts.bank.unwrap_or(Millis::ZERO);
            (duration(bank), MoveTime::First(duration(parts.first)))
        }
    }
}

fn duration(time: Millis) -> Duration {
    Duration::from_millis(u64::try_from(time.0).unwrap_or(0))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the clock and the time besides of the side to move, with so many seconds left in all.
    #[track_caller]
    fn check(clock: &str, left: i64, own: u64, besides: MoveTime) {
        let rule: ClockRule = clock.parse().unwrap();
        let full = rule.initial().unwrap();
        let reading = ClockReading {
            left: [full; 2],
            running: Some(Seat::First),
            at: Timestamp(0),
        };
        let found = on_bank(reading, rule, Seat::First, Millis(1000 * left));
        assert_eq!(found, (Duration::from_secs(own), besides), "{clock} {left}");
    }

    #[test]
    fn an_engine_is_told_the_bank_and_the_periods() {
        let seconds = Duration::from_secs;
        check("25/300", 325, 300, MoveTime::First(seconds(25)));
        check("25/300", 310, 300, MoveTime::First(seconds(10)));
        check("25/300", 290, 290, MoveTime::First(seconds(0)));
        let periods = |count, length| MoveTime::Periods {
            count,
            length: seconds(length),
        };
        check("600~30x5", 750, 600, periods(5, 30));
        check("600~30x5", 151, 1, periods(5, 30));
        check("600~30x5", 150, 0, periods(5, 30));
        check("600~30x5", 70, 0, periods(3, 10));
        check("600~30x5", 0, 0, periods(1, 0));
    }
}
