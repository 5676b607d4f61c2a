//! A house bot playing a match: it searches, moves, and answers offers.

use crate::bot::{Bot, LastMatch, Shared};
use crate::judgement::{self, Evaluation};
use crate::move_time::MoveTime;
use crate::search_pool::{SearchFailed, Task};
use futures::future::BoxFuture;
use std::sync::Arc;
use tochki_engine::{Level, Report};
use tochki_play::{Command, Match, Offer, OfferKind};
use tochki_protocol::{Code, MatchId, limits};
use tochki_rules::{Move, Seat};
use tochki_server::matches::LiveMatch;
use tochki_server::presence::place::Place;
use tochki_server::secrets::random_u64;
use tochki_server::{Error, now};
use tokio::sync::broadcast::error::RecvError;
use tokio::time::{Instant, MissedTickBehavior, interval, sleep_until};

/// The result of a search.
type Found = Result<Report<Move>, SearchFailed>;

/// A match that a bot plays.
struct Played {
    bot: Bot,
    live: Arc<LiveMatch>,
    seat: Seat,
    /// Whether the bot has offered to finish.
    has_offered: bool,
}

/// The search for a move.
struct Thinking<'a> {
    /// The version of the last change of the board, and of the match when the search began.
    board_version: u32,
    version: u32,
    found: BoxFuture<'a, Found>,
}

impl Bot {
    /// Plays a match to its end.
    pub(crate) async fn play(&self, id: MatchId) -> Result<LastMatch, Error> {
        let app = &self.shared.app;
        let live = app.matches.get(id).await?;
        let seat = live.seat_of(self.account.id).ok_or(Code::NotAPlayer)?;
        let mut events = live.subscribe();
        live.catch_up().await?;
        let here = app.presence.join(self.account.id, Place::Match(id));
        let here = here.await?;
        let mut played = Played {
            bot: self.clone(),
            live: live.clone(),
            seat,
            has_offered: false,
        };
        let mut poll = interval(limits::HOUSE_BOT_POLL_INTERVAL);
        poll.set_missed_tick_behavior(MissedTickBehavior::Delay);
        poll.reset();
        let mut thinking: Option<Thinking<'_>> = None;
        loop {
            let game = live.game().await;
            if game.result().is_some() {
                return Ok(LastMatch {
                    live,
                    seat,
                    _here: here,
                });
            }
            if let Some(offer) = game.offer().filter(|offer| offer.seat != seat) {
                played.answer(&game, offer).await?;
                continue;
            }
            if game.to_move() != Some(seat) {
                thinking = None;
            } else if thinking
                .as_ref()
                .is_none_or(|thinking| thinking.board_version != game.board_version())
            {
                thinking = Some(self.think(&game, seat));
            }
            tokio::select! {
                received = events.recv() => if let Err(RecvError::Closed) = received {
                    return Err(Error::invariant("the events of a match have ended"));
                },
                (version, found) = found(&mut thinking) => {
                    thinking = None;
                    played.act(version, found).await?;
                }
                _ = poll.tick() => live.catch_up().await?,
            }
        }
    }

    fn think(&self, game: &Match, seat: Seat) -> Thinking<'_> {
        let Shared {
            search_pool,
            min_time,
            ..
        } = &*self.shared;
        let own_turn_again = game.plies().last().is_some_and(|ply| ply.seat == seat);
        // In a chain of boxes nobody needs time to look.
        let min_time = if own_turn_again {
            *min_time / 2
        } else {
            *min_time
        };
        let time = MoveTime::of(game, seat, now(), min_time);
        let begun = Instant::now();
        let task = Task {
            position: game.position().clone(),
            level: self.level,
            nodes: u64::MAX,
            seed: random_u64(),
            until: (begun + time.most).into_std(),
        };
        Thinking {
            board_version: game.board_version(),
            version: game.version(),
            found: Box::pin(async move {
                let found = search_pool.search(task).await;
                sleep_until(begun + time.least).await;
                found
            }),
        }
    }
}

impl Played {
    /// Makes the move that was found for the board as it was at this version.
    async fn act(&mut self, version: u32, found: Found) -> Result<(), Error> {
        let game = self.live.game().await;
        let found = found.ok().and_then(|report| Some((report.choice?, report)));
        let Some((choice, report)) = found else {
            // The engine is broken for this position. The opponent should not wait for it.
            tracing::error!(id = %self.live.id(), "a house bot finds no move and gives up");
            return self.give_up(&game).await;
        };
        let is_lost = report.settled && judgement::ahead(&game, self.seat) < 0;
        if is_lost && self.has_offered && game.has_begun() {
            // Nothing can change any more, and the opponent would rather win than fill the board.
            return self.give_up(&game).await;
        }
        let moved = self.command(Command::Move {
            seat: self.seat,
            mv: choice.to_string(),
            version: Some(version),
            client_id: None,
        });
        moved.await?;
        let kind = game.terms().setup.kind();
        if report.settled && !self.has_offered && OfferKind::Finish.is_in(kind) {
            self.has_offered = true;
            let offered = self.live.offer(self.seat, OfferKind::Finish).await;
            ignore_refusal(offered.map(drop))?;
        }
        Ok(())
    }

    async fn give_up(&self, game: &Match) -> Result<(), Error> {
        let seat = self.seat;
        self.command(if game.has_begun() {
            Command::Resign { seat }
        } else {
            Command::Abort { seat }
        })
        .await
    }

    async fn answer(&self, game: &Match, offer: Offer) -> Result<(), Error> {
        let Shared { search_pool, .. } = &*self.bot.shared;
        let accept = if offer.kind == OfferKind::Takeback {
            !game.terms().rated
        } else {
            let found = search_pool.search(Task {
                position: game.position().clone(),
                level: Level::STRONGEST,
                nodes: limits::HOUSE_BOT_OFFER_SEARCH_NODES,
                seed: random_u64(),
                until: (Instant::now() + limits::HOUSE_BOT_OFFER_SEARCH_TIME).into_std(),
            });
            let found = found.await;
            found.is_ok_and(|report| {
                let evaluation = Evaluation::of(game, self.seat, &report);
                judgement::accepts(offer.kind, game, evaluation)
            })
        };
        self.command(Command::AnswerOffer {
            seat: self.seat,
            accept,
            offer: Some(offer.version),
        })
        .await
    }

    /// Executes a command. A refused command has come too late; the event that came before it is read next.
    async fn command(&self, command: Command) -> Result<(), Error> {
        let arrival = self.bot.shared.app.matches.arrived(self.live.id());
        let done = self.live.command_received(command, arrival).await;
        ignore_refusal(done.map(drop))
    }
}

/// Passes on failures and a suspension of the match. A command that is refused has come too late, and that is no failure.
fn ignore_refusal(done: Result<(), Error>) -> Result<(), Error> {
    match done {
        Err(error) if error.failure().is_some() || error.code() == Code::MatchSuspended => {
            Err(error)
        }
        _ => Ok(()),
    }
}

/// Waits for the end of a search; without one, forever.
async fn found(thinking: &mut Option<Thinking<'_>>) -> (u32, Found) {
    match thinking {
        Some(thinking) => (thinking.version, (&mut thinking.found).await),
        None => std::future::pending().await,
    }
}
