//! The waiting rooms, one for each game.
//!
//! 1. `GET /events/lobby` (`streams::lobby_stream`) makes its player present (`presence`).
//! 2. Challenges are transactions (`challenges`). Every transaction that may start a match first locks both players in one
//!    order, so that of two crossing challenges one comes first and the other accepts it.
//! 3. Code that changes something notifies the room (`notifier`). The room (`room`) reads the database in one snapshot,
//!    compares it with its state (`state`), and publishes the differences (`changes`). Other instances are notified, too (`bus`), and
//!    each polls every [`limits::POLL_INTERVAL`]; so a lost notification costs time but no data. A match that starts in one
//!    room is also announced to its players in the rooms of other games, because nobody plays two matches at once. Changes
//!    within [`limits::LOBBY_REFRESH_DELAY`] are read together, and each is sent once to each page. Scores of running matches
//!    send no notification: they are published with the next reading, at most once in [`limits::SCORES_INTERVAL`].
//! 4. The sweeper (`sweeper`) closes expired challenges and removes absent players, on every instance.
//! 5. Challenges are rate-limited: a declined player waits for [`limits::CHALLENGE_PAUSE`], and a player gets a limited number
//!    of challenges within [`limits::CHALLENGE_WINDOW`], of which one player, and one address, has a share. A cancelled one gives
//!    its place back to the challenged player and not to the sender, so that nobody can be made unreachable. All are counted in the
//!    database under the locks of the two players, so they hold for all instances together. To a player whom the opponent has muted, the opponent is not waiting.
//! 6. A player may also wait for the first opponent who wants the same (`quick_games`). Of the guests of one address only
//!    [`limits::GUESTS_LISTED_BY_ADDRESS`] are in the list, so that nobody fills it.
//! 7. A room remembers for [`limits::LOBBY_HISTORY`] how challenges ended, for pages that were not connected.
//!
//! [`limits::POLL_INTERVAL`]: tochki_protocol::limits::POLL_INTERVAL
//! [`limits::CHALLENGE_PAUSE`]: tochki_protocol::limits::CHALLENGE_PAUSE
//! [`limits::CHALLENGE_WINDOW`]: tochki_protocol::limits::CHALLENGE_WINDOW
//! [`limits::LOBBY_REFRESH_DELAY`]: tochki_protocol::limits::LOBBY_REFRESH_DELAY
//! [`limits::GUESTS_LISTED_BY_ADDRESS`]: tochki_protocol::limits::GUESTS_LISTED_BY_ADDRESS
//! [`limits::SCORES_INTERVAL`]: tochki_protocol::limits::SCORES_INTERVAL
//! [`limits::LOBBY_HISTORY`]: tochki_protocol::limits::LOBBY_HISTORY

mod challenges;
mod changes;
pub mod db;
mod quick_games;
mod room;
mod scores;
mod state;

pub use challenges::ChallengeSent;
pub use changes::{LobbyUpdate, PersonalUpdate};
pub use room::LobbySubscription;
pub use state::PlayerView;

use crate::db::Db;
use crate::lobby::db::ChallengeLimits;
use crate::pairing::capacity::Capacity;
use crate::presence;

use crate::bus::notifier::Notifier;
use crate::detached::run_detached;
use crate::presence::place::Place;
use crate::settings::Settings;
use crate::shared_read::CachedRead;
use crate::supervision::Tasks;
use crate::{Error, LogFailure as _};
use bytes::Bytes;
use room::LobbyRoom;
use std::sync::Arc;
use std::time::Duration;
use tochki_protocol::{Account, ChallengeOutcome, Filter, WaitingRoom, limits};
use tochki_rules::GameKind;
use tokio_util::sync::CancellationToken;

/// The waiting room of every game.
#[derive(Clone)]
pub struct Lobbies {
    db: Db,
    notifier: Notifier,
    poll_interval: Duration,
    rooms: Arc<[LobbyRoom]>,
    waiting_count: Arc<CachedRead<u32>>,
    limits: ChallengeLimits,
    capacity: Capacity,
}

impl Lobbies {
    pub(super) fn open(
        db: Db,
        settings: &Settings,
        capacity: Capacity,
        notifier: Notifier,
        tasks: &Tasks,
    ) -> Self {
        let rooms = GameKind::ALL
            .iter()
            .map(|game| LobbyRoom::new(*game))
            .collect();
        let lobbies = Self {
            db,
            notifier,
            poll_interval: settings.poll_interval,
            rooms,
            waiting_count: Arc::new(CachedRead::new(limits::FRONT_PAGE_MAX_AGE)),
            capacity,
            limits: ChallengeLimits {
                pause: Duration::from_secs(settings.challenge_pause.into()),
                in_all: settings.challenges_per_minute.get().into(),
                from_one: settings.challenges_from_one.get().into(),
                with_bots: settings.bot_games_by_address.get().into(),
            },
        };
        for game in GameKind::ALL {
            let (lobbies, shutdown) = (lobbies.clone(), tasks.shutdown());
            tasks.spawn(format!("lobby {}", game.id()), move || {
                lobbies.clone().poll_loop(*game, shutdown.clone())
            });
        }
        lobbies
    }

    /// The room as this player sees it, with the players that the filter lets through.
    pub async fn room(
        &self,
        game: GameKind,
        player: &Account,
        filter: &Filter,
    ) -> Result<WaitingRoom, Error> {
        self.refresh(game).await?;
        let mut visible = self.of(game).visible_to(player.id);
        visible.players.retain(|card| filter.matches(card));
        Ok(visible)
    }

    /// The number of players in the waiting rooms of all games. It may be [`limits::FRONT_PAGE_MAX_AGE`] old.
    pub async fn waiting_count(&self) -> Result<u32, Error> {
        let lobby = |game: &GameKind| Place::Lobby(*game).to_string();
        let rooms: Vec<String> = GameKind::ALL.iter().map(lobby).collect();
        let reading = async || presence::db::count_at(&self.db, &rooms).await;
        self.waiting_count.get(reading).await
    }

    /// Outcomes of this player's challenges within [`limits::LOBBY_HISTORY`], oldest first.
    pub async fn outcomes(
        &self,
        game: GameKind,
        player: &Account,
    ) -> Result<Vec<ChallengeOutcome>, Error> {
        self.refresh(game).await?;
        Ok(self.of(game).outcomes_for(player.id))
    }

    /// A snapshot of the room, as a stream sends it, and every change after it.
    pub async fn subscribe(
        &self,
        game: GameKind,
        player: &Account,
    ) -> Result<(Bytes, LobbySubscription), Error> {
        self.refresh(game).await?;
        self.of(game).subscribe(player.id)
    }

    /// This player's part of the room, and a subscription to later changes.
    pub async fn subscribe_to_own(
        &self,
        game: GameKind,
        player: &Account,
    ) -> Result<(PlayerView, LobbySubscription), Error> {
        self.refresh(game).await?;
        Ok(self.of(game).subscribe_to_own(player.id))
    }

    /// Reads the room again. Many share a reading, so it does not depend on one stream that is not read any more.
    async fn refresh(&self, game: GameKind) -> Result<(), Error> {
        let lobbies = self.clone();
        let reading = async move { lobbies.of(game).refresh(&lobbies.db).await };
        run_detached(reading).await
    }

    /// Lets all rooms read the database again.
    pub fn refresh_all(&self) {
        self.notifier.notify_rooms();
    }

    async fn poll_loop(self, game: GameKind, shutdown: CancellationToken) {
        loop {
            tokio::select! {
                () = shutdown.cancelled() => return,
                () = self.notifier.notified(game) => {}
                () = tokio::time::sleep(self.poll_interval) => {}
            }
            // Without listeners the room is read when somebody asks.
            if self.of(game).has_subscribers() {
                let refreshed = self.refresh(game).await;
                refreshed.log_failure("refreshing a waiting room");
            }
            tokio::time::sleep(limits::LOBBY_REFRESH_DELAY).await;
        }
    }

    fn of(&self, game: GameKind) -> &LobbyRoom {
        self.rooms
            .iter()
            .find(|room| room.game() == game)
            .expect("there is a room for every game")
    }
}
