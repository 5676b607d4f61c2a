//! The waiting rooms: one for each game, live for everybody in it.
//!
//! The truth is in the database. A room reads it again whenever its bell rings, and at least every two seconds, for
//! what other instances did; the difference to what it knew is what it tells its listeners. So there is one way for
//! news to travel, whoever made it, and nothing to repair when a wake-up is lost.

mod challenges;
mod room;

pub use room::{LobbySubscription, LobbyUpdate};

use super::db::Db;
use super::notifier::Notifier;
use crate::{Error, LogFailure as _};
use room::LobbyRoom;
use std::sync::Arc;
use std::time::Duration;
use tochki_protocol::{Account, ChallengeOutcome, Filter, WaitingRoom};
use tochki_rules::GameKind;
use tokio_util::sync::CancellationToken;

/// How often a room looks for what other instances did.
const LOOK_AROUND: Duration = Duration::from_secs(2);

/// The waiting room of every game.
#[derive(Clone)]
pub struct Lobbies {
    db: Db,
    notifier: Notifier,
    rooms: Arc<[LobbyRoom]>,
}

impl Lobbies {
    pub(super) fn open(db: Db, notifier: Notifier, closing: CancellationToken) -> Self {
        let rooms = GameKind::ALL
            .iter()
            .map(|game| LobbyRoom::new(*game))
            .collect();
        let lobbies = Self {
            db,
            notifier,
            rooms,
        };
        for game in GameKind::ALL {
            tokio::spawn(lobbies.clone().keep_fresh(*game, closing.clone()));
        }
        lobbies
    }

    /// The room as this player sees it through this filter.
    pub async fn room(
        &self,
        game: GameKind,
        player: &Account,
        filter: &Filter,
    ) -> Result<WaitingRoom, Error> {
        let room = self.of(game);
        room.refresh(&self.db).await?;
        let mut seen = room.seen_by(player.id);
        seen.players.retain(|card| filter.lets_through(card));
        Ok(seen)
    }

    /// How this player's challenges of the last 20 seconds ended, oldest first.
    pub async fn endings(
        &self,
        game: GameKind,
        player: &Account,
    ) -> Result<Vec<ChallengeOutcome>, Error> {
        let room = self.of(game);
        room.refresh(&self.db).await?;
        Ok(room.endings_for(player.id))
    }

    /// Everything in the room, and from then on every change.
    pub async fn listen(
        &self,
        game: GameKind,
        player: &Account,
    ) -> Result<(WaitingRoom, LobbySubscription), Error> {
        let room = self.of(game);
        room.refresh(&self.db).await?;
        Ok(room.listen(player.id))
    }

    /// Somebody has gone from wherever they were.
    pub(super) fn look_again(&self) {
        self.notifier.notify_all();
    }

    async fn keep_fresh(self, game: GameKind, closing: CancellationToken) {
        loop {
            tokio::select! {
                () = closing.cancelled() => return,
                () = self.notifier.notified(game) => {}
                () = tokio::time::sleep(LOOK_AROUND) => {}
            }
            // Without listeners the room is read when somebody asks.
            if self.of(game).has_listeners() {
                let refreshed = self.of(game).refresh(&self.db).await;
                refreshed.log_failure("refreshing a waiting room");
            }
        }
    }

    fn of(&self, game: GameKind) -> &LobbyRoom {
        self.rooms
            .iter()
            .find(|room| room.game() == game)
            .expect("there is a room for every game")
    }
}
