//! A house bot: it waits for a challenge, plays, and stays a while for a rematch.

use crate::load::{Load, Slot};
use crate::search_pool::SearchPool;
use std::sync::Arc;
use std::time::Duration;
use tochki_engine::Level;
use tochki_protocol::{Account, Filter, MatchId, limits};
use tochki_rules::{GameKind, Seat};
use tochki_server::lobby::LobbySubscription;
use tochki_server::matches::{LiveMatch, StatusUpdate};
use tochki_server::presence::PresenceGuard;
use tochki_server::presence::place::Place;
use tochki_server::{AppState, Error, LogFailure as _, WithSubject as _};
use tokio::sync::broadcast::error::RecvError;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, sleep_until};

/// A bot. Cloning it is cheap.
#[derive(Clone)]
pub(crate) struct Bot {
    pub(crate) shared: Arc<Shared>,
    pub(crate) account: Account,
    pub(crate) game: GameKind,
    pub(crate) level: Level,
}

/// The state that all bots share.
pub(crate) struct Shared {
    pub(crate) app: AppState,
    pub(crate) search_pool: SearchPool,
    pub(crate) load: Load,
    /// The least time for a move.
    pub(crate) min_time: Duration,
}

/// A match that has ended, at which the bot stays for a rematch.
pub(crate) struct LastMatch {
    pub(crate) live: Arc<LiveMatch>,
    pub(crate) seat: Seat,
    pub(crate) _here: PresenceGuard,
}

/// The last match, with the change that the bot waits for.
struct Rematch {
    last: LastMatch,
    status: watch::Receiver<StatusUpdate>,
    until: Instant,
}

impl Bot {
    /// Plays one match after the other, without end.
    pub(crate) async fn run(self) {
        loop {
            let Err(error) = self.play_on().await;
            // A refusal here means that the state of the bot is another than it thought.
            let failed: Result<(), Error> = Err(error);
            failed.log_failure("playing for a house bot");
            sleep(limits::HOUSE_BOT_RETRY_DELAY).await;
        }
    }

    async fn play_on(&self) -> Result<std::convert::Infallible, Error> {
        let mut last = None;
        loop {
            let running = self.shared.app.running_match(self.account.id).await?;
            let (id, slot) = match running {
                Some(id) => (id, self.shared.load.take()),
                None => self.wait(last.take()).await.with_subject(self.account.id)?,
            };
            last = Some(self.play(id).await.with_subject(id)?);
            drop(slot);
        }
    }

    /// Waits for a match. While the house bots play as many games as they may, the bot is not in the waiting room.
    async fn wait(&self, last: Option<LastMatch>) -> Result<(MatchId, Slot), Error> {
        let Shared { app, load, .. } = &*self.shared;
        let (_, mut updates) = app.lobbies.subscribe(self.game, &self.account).await?;
        let mut games = load.subscribe();
        let mut rematch = last.map(Rematch::begin);
        let mut here: Option<PresenceGuard> = None;
        loop {
            games.mark_unchanged();
            if load.is_full() {
                here = None;
            } else if here.is_none() {
                let place = Place::Lobby(self.game);
                here = Some(app.presence.join(self.account.id, place).await?);
            }
            if let Some(started) = self.answer_challenges().await? {
                return Ok(started);
            }
            if let Some(asked) = rematch.take_if(Rematch::is_asked)
                && let Some(started) = self.accept_rematch(&asked.last).await?
            {
                return Ok(started);
            }
            tokio::select! {
                () = next_of(&mut updates, self) => {}
                // The sender is in `load`.
                _ = games.changed() => {}
                () = changed(&mut rematch) => {}
            }
        }
    }

    /// Accepts the oldest open challenge. Declines all challenges above the limit.
    async fn answer_challenges(&self) -> Result<Option<(MatchId, Slot)>, Error> {
        let Shared { app, load, .. } = &*self.shared;
        let everybody = Filter::default();
        let room = app.lobbies.room(self.game, &self.account, &everybody);
        for challenge in room.await?.challenges {
            if challenge.to.id != self.account.id {
                continue;
            }
            if let Some(slot) = load.try_take() {
                match app.lobbies.answer(&self.account, challenge.id, true).await {
                    Ok(answer) => {
                        if let Some(id) = answer.match_id {
                            return Ok(Some((id, slot)));
                        }
                    }
                    Err(error) if error.failure().is_some() => return Err(error),
                    // The challenger plays already, or may not play now, or there are too many matches.
                    Err(_) => {}
                }
            }
            match app.lobbies.answer(&self.account, challenge.id, false).await {
                Err(error) if error.failure().is_some() => return Err(error),
                // A closed challenge needs no answer.
                _ => {}
            }
        }
        Ok(None)
    }

    /// Asks for the rematch that the other has asked for, which starts it.
    async fn accept_rematch(&self, last: &LastMatch) -> Result<Option<(MatchId, Slot)>, Error> {
        let Shared { app, load, .. } = &*self.shared;
        let Some(slot) = load.try_take() else {
            return Ok(None);
        };
        // A house bot plays it rated or not, as it is.
        let rematch = app.matches.rematch(last.live.id(), &self.account, None);
        match rematch.await {
            Ok(answer) => Ok(answer.match_id.map(|id| (id, slot))),
            Err(error) if error.failure().is_some() => Err(error),
            // The other has left, or plays with somebody else.
            Err(_) => Ok(None),
        }
    }
}

impl Rematch {
    fn begin(last: LastMatch) -> Self {
        Self {
            status: last.live.subscribe_to_status(),
            until: Instant::now() + limits::HOUSE_BOT_REMATCH_TIMEOUT,
            last,
        }
    }

    fn is_asked(&mut self) -> bool {
        let other = self.last.seat.other().index();
        self.status.borrow_and_update().status.rematch[other]
    }
}

/// Waits for an update of the waiting room that concerns the bot.
async fn next_of(updates: &mut LobbySubscription, bot: &Bot) {
    loop {
        match updates.recv().await {
            Ok(update) => {
                if update
                    .personal
                    .is_some_and(|personal| personal.players.contains(&bot.account.id))
                {
                    return;
                }
            }
            Err(RecvError::Lagged(_)) => return,
            // Only when the arena is gone.
            Err(RecvError::Closed) => std::future::pending().await,
        }
    }
}

/// Waits for a change at the last match. After a while the bot leaves it.
async fn changed(rematch: &mut Option<Rematch>) {
    let Some(Rematch { status, until, .. }) = rematch else {
        return std::future::pending().await;
    };
    tokio::select! {
        Ok(()) = status.changed() => {}
        () = sleep_until(*until) => *rematch = None,
    }
}
