//! Quick games: a player in a waiting room plays the first opponent that wants the same.
//!
//! A quick game is a row of its player. The first transaction stores it under the lock of the player, and only a later one looks
//! for an opponent. So of two players who ask at once, the later one sees the row of the earlier. A pair is locked like that of every
//! match, and its rows are read again under the locks: who was paired meanwhile has none any more. The sweeper pairs those who
//! could not be paired at first, and deletes the rows of players who have left the room.
//!
//! Who waits is a row of the room (`WaitingPlayer::quick_game`), which anybody may answer by asking for the same.

use super::Lobbies;
use crate::accounts::ClientAddress;
use crate::lobby::db;
use crate::secrets::random_u64;
use crate::{Error, WithSubject as _, matches, pairing, vacations};
use tochki_play::{Terms, draw_seats};
use tochki_protocol::{Account, Code, MatchId, PlayerId, QuickGameAnswer, RatingBounds, limits};

impl Lobbies {
    /// Starts a quick game with an opponent within these bounds, or waits for one in the room of its game. A player who waits for another
    /// one gives that up.
    ///
    /// # Errors
    /// `already_playing`, `on_vacation`, `guests_unrated`, or `aborted_lately`.
    pub async fn quick_game(
        &self,
        player: &Account,
        client: &ClientAddress,
        terms: &Terms,
        ratings: RatingBounds,
    ) -> Result<QuickGameAnswer, Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let alone = [player.id; 2];
            pairing::db::players::lock_players(&mut tx, alone).await?;
            if pairing::db::players::anyone_playing(&mut tx, alone).await? {
                return Err(Code::AlreadyPlaying.into());
            }
            if vacations::db::is_any_on(&mut tx, alone).await? {
                return Err(Code::OnVacation.into());
            }
            if terms.rated && db::any_guest(&mut tx, alone).await? {
                return Err(Code::GuestsUnrated.into());
            }
            if terms.rated && pairing::db::pairs::has_aborted_recently(&mut tx, alone).await? {
                return Err(Code::AbortCooldown.into());
            }
            // The whole site of an IPv6 address, of which its owner may have any.
            let address = client.site().unwrap_or(client.address).to_string();
            let changed =
                db::quick_games::insert(&mut tx, player.id, &address, terms, ratings).await?;
            tx.commit().await?;
            let match_id = self.find_opponent(player.id).await;
            if matches!(match_id, Ok(None)) {
                for game in changed {
                    self.notifier.notify_room(game);
                }
            } else {
                // The match closes challenges and tables of other games.
                self.notifier.notify_rooms();
            }
            let match_id = match_id?;
            Ok(QuickGameAnswer { match_id })
        };
        done.await.with_subject(player.id)
    }

    /// Ends the player's waiting for a quick game, if there is one.
    pub async fn cancel_quick_game(&self, player: &Account) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            // After this nobody begins a match by it.
            pairing::db::players::lock_players(&mut tx, [player.id; 2]).await?;
            let was_waiting = db::quick_games::delete(&mut tx, player.id).await?;
            tx.commit().await?;
            if was_waiting {
                self.notifier.notify_rooms();
            }
            Ok(())
        };
        done.await.with_subject(player.id)
    }

    /// Starts a match with an opponent who waits. Also returns a match that the opponent has started meanwhile.
    async fn find_opponent(&self, player: PlayerId) -> Result<Option<MatchId>, Error> {
        for _ in 0..limits::QUICK_GAME_MAX_ATTEMPTS {
            let pause = limits::QUICK_GAME_PAUSE;
            let Some(opponent) = db::quick_games::opponent(&self.db, player, pause).await? else {
                break;
            };
            if let Some(id) = self.start_quick_game([opponent, player]).await? {
                return Ok(Some(id));
            }
        }
        // Those who are left are paired by the sweeper.
        let running = matches::db::running_match(&self.db, player).await?;
        Ok(running.map(|own| own.match_id))
    }

    /// Starts the match of two quick games, unless that of one is over meanwhile, or the match cannot start now.
    async fn start_quick_game(&self, players: [PlayerId; 2]) -> Result<Option<MatchId>, Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        pairing::db::players::lock_players(&mut tx, players).await?;
        if pairing::db::players::anyone_playing(&mut tx, players).await? {
            return Ok(None);
        }
        let pause = limits::QUICK_GAME_PAUSE;
        let Some(terms) = db::quick_games::lock_pair(&mut tx, players, pause).await? else {
            return Ok(None);
        };
        let started = async {
            self.capacity.check_match(&mut tx).await?;
            let seats = draw_seats(players, &mut random_u64);
            pairing::db::start_match(&mut tx, seats, &terms).await
        };
        match started.await {
            Ok(id) => {
                tx.commit().await?;
                Ok(Some(id))
            }
            Err(error) if error.failure().is_some() => Err(error),
            // As many matches run as may, or an account was closed: both wait on.
            Err(_) => Ok(None),
        }
    }

    /// Pairs players whose quick games could not be paired when they asked, and ends those of players who have left.
    pub async fn sweep_quick_games(&self) -> Result<(), Error> {
        let mut changed = db::quick_games::delete_left(&self.db).await?;
        for pair in db::quick_games::pairs(&self.db, limits::QUICK_GAME_PAUSE).await? {
            changed |= self.start_quick_game(pair).await?.is_some();
        }
        if changed {
            self.notifier.notify_rooms();
        }
        Ok(())
    }
}
