//! An account of the bot: it waits for challenges, sends its own, and has a task for its match.

use crate::account::Player;
use crate::game;
use crate::reply::is_final;
use crate::rules::{OpponentKind, shown};
use crate::slots::Slot;
use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::sync::Arc;
use tochki_client::Error;
use tochki_client::protocol::{
    Challenge, ChallengeClosed, ChallengeId, CloseReason, Code, MatchId, PersonalEvent,
    PersonalSnapshot, PlayerId, limits,
};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

/// The state of a running account.
struct Table {
    player: Arc<Player>,
    tasks: JoinSet<MatchId>,
    playing: HashSet<MatchId>,
    /// The challenge that was sent and is open.
    sent: Option<SentChallenge>,
    next_challenge: Instant,
    /// Times before which players are not challenged.
    pauses: HashMap<PlayerId, Instant>,
}

struct SentChallenge {
    id: ChallengeId,
    to: PlayerId,
    slot: Slot,
}

impl Player {
    /// Plays until the server does not know the account any more.
    pub(crate) async fn run(self) -> Result<Infallible, crate::error::Error> {
        let name = self.account.name.clone();
        let soon = Instant::now() + self.bot.rules.challenge.every() / 4;
        let table = Table {
            player: Arc::new(self),
            tasks: JoinSet::new(),
            playing: HashSet::new(),
            sent: None,
            next_challenge: soon,
            pauses: HashMap::new(),
        };
        tracing::info!("{name} is signed in");
        let Err(error) = table.run().await;
        Err(format!("{name}: {error}").into())
    }
}

/// Plays a match to its end, across errors.
async fn play(player: Arc<Player>, id: MatchId, slot: Slot) -> MatchId {
    while let Err(error) = game::play(&player, id).await {
        if is_final(&error) {
            tracing::error!("match {id} cannot be played: {error}");
            break;
        }
        tracing::warn!("reloading match {id}: {error}");
        sleep(limits::BOT_RETRY_DELAY).await;
    }
    drop(slot);
    id
}

impl Table {
    async fn run(mut self) -> Result<Infallible, Error> {
        let bot = self.player.bot.clone();
        let mut slots = bot.slots.subscribe();
        let seeks = bot.rules.challenge.whom != OpponentKind::Nobody;
        loop {
            let is_listed = self.is_listed();
            let games = if is_listed { &bot.games[..] } else { &[] };
            let client = &self.player.client;
            let mut events = if is_listed && bot.rules.takes_all_clocks() {
                client.personal_events_with_all_clocks(games)
            } else {
                client.personal_events(games)
            };
            while self.is_listed() == is_listed {
                tokio::select! {
                    event = events.next() => match event {
                        Ok(event) => self.handle_event(event).await?,
                        Err(error) if is_final(&error) => return Err(error),
                        Err(error) => {
                            tracing::warn!("{error}; the stream is opened again");
                            sleep(limits::BOT_RETRY_DELAY).await;
                            break;
                        }
                    },
                    Some(ended) = self.tasks.join_next() => {
                        if let Ok(id) = ended {
                            self.playing.remove(&id);
                        } else {
                            // A panic has been printed. What runs still is in the next snapshot.
                            self.playing.clear();
                            break;
                        }
                    }
                    // The sender is in `slots`.
                    _ = slots.changed() => {}
                    () = sleep_until(self.next_challenge), if seeks && is_listed && self.is_idle() => {
                        let every = bot.rules.challenge.every();
                        self.next_challenge = Instant::now() + every.mul_f64(rand::random_range(0.8..1.2));
                        self.seek().await;
                    }
                }
            }
        }
    }

    fn is_idle(&self) -> bool {
        self.playing.is_empty() && self.sent.is_none()
    }

    /// Returns whether the bot is among the waiting players: a bot that cannot take a challenge is not.
    fn is_listed(&self) -> bool {
        !self.is_idle() || self.player.bot.slots.are_free()
    }

    async fn handle_event(&mut self, event: PersonalEvent) -> Result<(), Error> {
        match event {
            PersonalEvent::Snapshot(now) => self.handle_snapshot(now).await?,
            PersonalEvent::Challenged(challenge) => self.answer(challenge).await?,
            PersonalEvent::ChallengeClosed(closed) => self.closed(&closed),
            PersonalEvent::MatchStarted(started) => self.start(started.match_id, None),
            PersonalEvent::YourMove(asked) => self.start(asked.match_id, None),
            // The start of the match has come before.
            PersonalEvent::MatchFinished(_) | PersonalEvent::Paired(_) => {}
            // A bot is there as long as it is connected. Who has withdrawn meanwhile is not asked.
            PersonalEvent::RoundSoon(soon) => {
                let confirmed = self.player.client.confirm_presence(soon.tournament).await;
                if let Err(error) = confirmed {
                    tracing::info!("tournament {}: {error}", soon.tournament);
                }
            }
        }
        Ok(())
    }

    async fn handle_snapshot(&mut self, now: PersonalSnapshot) -> Result<(), Error> {
        for running in now.matches {
            self.start(running.id, None);
        }
        let is_open = |id| now.challenges.iter().any(|challenge| challenge.id == id);
        self.sent.take_if(|sent| !is_open(sent.id));
        for challenge in now.challenges {
            self.answer(challenge).await?;
        }
        Ok(())
    }

    /// Begins to play a match, unless it is being played already.
    fn start(&mut self, id: MatchId, slot: Option<Slot>) {
        if !self.playing.insert(id) {
            return;
        }
        let reserved = slot.or_else(|| self.sent.take().map(|sent| sent.slot));
        let slot = reserved.unwrap_or_else(|| self.player.bot.slots.take());
        self.tasks.spawn(play(self.player.clone(), id, slot));
    }

    /// Accepts or declines a challenge by the rules.
    async fn answer(&mut self, challenge: Challenge) -> Result<(), Error> {
        let Player {
            bot,
            client,
            account,
        } = &*self.player;
        if challenge.to.id != account.id {
            return Ok(());
        }
        let asked = format!("{}: {}", account.name, shown(&challenge.from));
        let slot = match bot.rules.judge(&challenge, &bot.games) {
            Ok(()) => bot.slots.try_take().ok_or("all games are taken".to_owned()),
            Err(why) => Err(why),
        };
        let accepts = slot.is_ok();
        match &slot {
            Ok(_) => tracing::info!("{asked} is accepted"),
            Err(why) => tracing::info!("{asked} is declined: {why}"),
        }
        match client.answer_challenge(challenge.id, accepts).await {
            Ok(answer) => {
                if let (Some(id), Ok(slot)) = (answer.match_id, slot) {
                    self.start(id, Some(slot));
                }
            }
            Err(error) => match error.code() {
                // Without an answer the challenge ends by itself, and a match that has begun is told by the stream.
                Some(Code::BadToken | Code::OutOfScope | Code::AccountClosed) => return Err(error),
                _ => tracing::info!("{asked}: {error}"),
            },
        }
        Ok(())
    }

    fn closed(&mut self, closed: &ChallengeClosed) {
        // An accepted one is kept for the match that begins.
        if closed.why == CloseReason::Accepted {
            return;
        }
        if let Some(sent) = self.sent.take_if(|sent| sent.id == closed.id) {
            let pause = match closed.why {
                CloseReason::Declined | CloseReason::Expired => limits::BOT_DECLINED_RETRY_DELAY,
                _ => limits::BOT_BUSY_RETRY_DELAY,
            };
            self.pauses.insert(sent.to, Instant::now() + pause);
        }
    }

    /// Challenges a waiting player, if there is one.
    async fn seek(&mut self) {
        let Player {
            bot,
            client,
            account,
        } = &*self.player;
        let client = client.clone().retry_for(limits::BOT_SEEK_TIMEOUT);
        let Some(slot) = bot.slots.try_take() else {
            return;
        };
        self.pauses.retain(|_, until| *until > Instant::now());
        let game = bot.games[rand::random_range(0..bot.games.len())];
        let room = match client.waiting_room(game).await {
            Ok(room) => room,
            Err(error) => return tracing::debug!("no waiting room: {error}"),
        };
        let whom = bot.rules.challenge.whom;
        let mut candidates = room.players;
        {
            let own = bot.own.lock().unwrap();
            candidates.retain(|other| {
                other.id != account.id
                    && !other.guest
                    && !own.contains(&other.id)
                    && !self.pauses.contains_key(&other.id)
                    && bot.rules.opponent(&other.name, other.bot, whom).is_ok()
            });
        }
        if candidates.is_empty() {
            return;
        }
        let to = candidates.swap_remove(rand::random_range(0..candidates.len()));
        match client.challenge(to.id, &bot.rules.terms(game)).await {
            Ok(created) => {
                tracing::info!("{}: {} is challenged to {game}", account.name, to.name);
                match created.match_id {
                    Some(id) => self.start(id, Some(slot)),
                    None => {
                        self.sent = Some(SentChallenge {
                            id: created.id,
                            to: to.id,
                            slot,
                        });
                    }
                }
            }
            Err(error) => {
                tracing::info!(
                    "{}: {} cannot be challenged: {error}",
                    account.name,
                    to.name
                );
                let pause = match error.code() {
                    Some(Code::ChallengeCooldown | Code::TooManyChallenges) => {
                        limits::BOT_DECLINED_RETRY_DELAY
                    }
                    _ => limits::BOT_BUSY_RETRY_DELAY,
                };
                self.pauses.insert(to.id, Instant::now() + pause);
            }
        }
    }
}
