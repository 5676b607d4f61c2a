//! Challenges: issuing, answering and cancelling.
//!
//! Each operation is one transaction. Every transaction that may start a match first locks both players in one order, so that
//! of two answers, or of two crossing challenges, one comes first and the other sees it.

use super::Lobbies;
use crate::accounts::ClientAddress;
use crate::lobby::db;
use crate::lobby::db::ChallengeLimit;
use crate::{pairing, presence, vacations};

use crate::presence::place::Place;
use crate::{Error, WithSubject as _};
use tochki_play::Terms;
use tochki_protocol::{
    Account, Challenge, ChallengeAnswer, ChallengeCreated, ChallengeId, CloseReason, Code, MatchId,
    PlayerId, limits,
};

/// The outcome of challenging a player.
pub enum ChallengeSent {
    /// It was sent, or it accepted the same challenge of the opponent.
    Sent(ChallengeCreated),
    /// The opponent has got enough challenges, and gets the next one after so many seconds.
    RateLimited(u32),
}

impl Lobbies {
    /// Challenges `opponent`. If the opponent has an open challenge with the same terms, this accepts it.
    ///
    /// # Errors
    /// `self_challenge`, `not_waiting` (also for whom the opponent has muted; by correspondence `not_accepted`), `not_accepted` (a guest,
    /// whom the opponent takes no challenge of), `already_playing`, `already_challenging`, `too_many_games`, `invalid_clock` (a program
    /// that does not take it), `asked_lately`, `too_many_bot_games`, `aborted_lately`, `on_vacation`, `matches_full`, or `guests_unrated`.
    pub async fn challenge(
        &self,
        player: &Account,
        client: &ClientAddress,
        opponent: PlayerId,
        terms: &Terms,
    ) -> Result<ChallengeSent, Error> {
        let done = async {
            if player.id == opponent {
                return Err(Code::SelfChallenge.into());
            }
            let game = terms.setup.kind();
            // One by correspondence needs nobody in a waiting room, and nobody is too busy for it.
            let correspondence = terms.is_correspondence();
            let refused = if correspondence {
                Code::NotAccepted
            } else {
                Code::NotWaiting
            };
            let mut tx = crate::db::begin(&self.db).await?;
            if pairing::db::players::lock_players(&mut tx, [player.id, opponent]).await? < 2 {
                return Err(refused.into());
            }
            if vacations::db::is_any_on(&mut tx, [player.id; 2]).await? {
                return Err(Code::OnVacation.into());
            }
            if correspondence {
                if !db::takes_correspondence(&mut tx, opponent).await? {
                    return Err(refused.into());
                }
            } else if !presence::db::can_be_challenged(
                &mut tx,
                opponent,
                &Place::Lobby(game).to_string(),
                game.id(),
            )
            .await?
            {
                return Err(refused.into());
            } else if pairing::db::players::anyone_playing(&mut tx, [player.id, opponent]).await? {
                return Err(Code::AlreadyPlaying.into());
            }
            if terms.clock.kind().is_some()
                && !correspondence
                && !db::takes_clocks(&mut tx, opponent).await?
            {
                return Err(Code::InvalidClock.into());
            }
            if player.guest && !pairing::db::players::takes_guests(&mut tx, opponent).await? {
                return Err(Code::NotAccepted.into());
            }
            if terms.rated && db::any_guest(&mut tx, [player.id, opponent]).await? {
                return Err(Code::GuestsUnrated.into());
            }
            let asked = terms;
            // The challenge says it: it is one for an unrated match then.
            let terms = &Terms {
                rated: terms.rated
                    && !pairing::db::pairs::is_bot_with_person(&mut tx, [player.id, opponent])
                        .await?
                    && !pairing::db::pairs::is_rated_out(&mut tx, [player.id, opponent]).await?,
                ..*terms
            };
            if terms.rated
                && pairing::db::pairs::has_aborted_recently(&mut tx, [player.id, opponent]).await?
            {
                return Err(Code::AbortCooldown.into());
            }
            let crossing = db::open_between(&mut tx, opponent, player.id, correspondence).await?;
            let challenged = match crossing
                .filter(|crossing| crossing.terms == *asked && asked == terms)
            {
                Some(crossing) => {
                    if !correspondence {
                        self.capacity.check_match(&mut tx).await?;
                    }
                    let match_id = accept(&mut tx, &crossing).await?;
                    ChallengeCreated {
                        id: crossing.id,
                        expires_at: crossing.expires_at,
                        match_id: Some(match_id),
                    }
                }
                None => {
                    // The same answer as for somebody who is not there, so that a mute is not told.
                    if db::has_muted(&mut tx, opponent, player.id).await? {
                        return Err(refused.into());
                    }
                    db::expire_outgoing(&mut tx, player.id).await?;
                    // The whole site of an IPv6 address, of which its owner may have any.
                    let address = client.site().unwrap_or(client.address).to_string();
                    let (from, to) = (player.id, opponent);
                    match db::limit(&mut tx, from, &address, to, &self.limits).await? {
                        Some(ChallengeLimit::Cooldown) => {
                            return Err(Code::ChallengeCooldown.into());
                        }
                        Some(ChallengeLimit::BotGames) => {
                            return Err(Code::TooManyBotGames.into());
                        }
                        Some(ChallengeLimit::Enough(seconds)) => {
                            return Ok(ChallengeSent::RateLimited(seconds));
                        }
                        None => {}
                    }
                    if correspondence {
                        if let Some(seconds) =
                            db::correspondence_wait(&mut tx, from, &address, to).await?
                        {
                            return Ok(ChallengeSent::RateLimited(seconds));
                        }
                        let ids = [player.id, opponent];
                        if pairing::db::players::any_has_too_many_games(&mut tx, ids).await? {
                            return Err(Code::TooManyGames.into());
                        }
                        if db::count_by_correspondence(&mut tx, from).await?
                            >= limits::CORRESPONDENCE_CHALLENGES
                        {
                            return Err(Code::AlreadyChallenging.into());
                        }
                    }
                    let (id, expires_at) = db::insert(&mut tx, from, &address, to, terms).await?;
                    ChallengeCreated {
                        id,
                        expires_at,
                        match_id: None,
                    }
                }
            };
            tx.commit().await?;
            if correspondence {
                self.notifier.notify_causes();
            }
            if challenged.match_id.is_some() {
                // Starting a match also closes challenges for other games.
                self.notifier.notify_rooms();
            } else {
                self.notifier.notify_room(game);
            }
            Ok(ChallengeSent::Sent(challenged))
        };
        done.await.with_subject(player.id)
    }

    /// The open challenges by correspondence from and to this player, latest first.
    pub async fn correspondence_challenges(
        &self,
        player: &Account,
    ) -> Result<Vec<Challenge>, Error> {
        db::by_correspondence(&self.db, player.id).await
    }

    /// Accepts or declines a challenge to this player. The challenge is what both agree to: a rated one that cannot be rated
    /// any more is closed.
    ///
    /// # Errors
    /// `challenge_closed`, `not_yours`, `already_playing`, `terms_changed`, `matches_full`, or `aborted_lately`.
    pub async fn answer(
        &self,
        player: &Account,
        id: ChallengeId,
        accepts: bool,
    ) -> Result<ChallengeAnswer, Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let (from, to) = db::players(&mut tx, id)
                .await?
                .ok_or(Code::ChallengeClosed)?;
            if to != player.id {
                return Err(Code::NotYours.into());
            }
            pairing::db::players::lock_players(&mut tx, [from, to]).await?;
            let open = db::lock_open(&mut tx, id)
                .await?
                .ok_or(Code::ChallengeClosed)?;
            let match_id = if accepts {
                let correspondence = open.terms.is_correspondence();
                if !correspondence
                    && pairing::db::players::anyone_playing(&mut tx, [from, to]).await?
                {
                    return Err(Code::AlreadyPlaying.into());
                }
                if open.terms.rated
                    && !pairing::db::pairs::can_be_rated(&mut tx, [from, to]).await?
                {
                    db::close(&mut tx, id, CloseReason::TermsChanged).await?;
                    tx.commit().await?;
                    self.notifier.notify_causes();
                    self.notifier.notify_room(open.terms.setup.kind());
                    return Err(Code::TermsChanged.into());
                }
                if !correspondence {
                    self.capacity.check_match(&mut tx).await?;
                }
                Some(accept(&mut tx, &open).await?)
            } else {
                db::close(&mut tx, id, CloseReason::Declined).await?;
                None
            };
            tx.commit().await?;
            if open.terms.is_correspondence() {
                self.notifier.notify_causes();
            }
            // Starting a match also closes challenges for other games.
            self.notifier.notify_rooms();
            Ok(ChallengeAnswer { match_id })
        };
        done.await.with_subject(id)
    }

    /// Cancels this player's own challenge.
    ///
    /// # Errors
    /// `challenge_closed`, or `not_yours`.
    pub async fn cancel(&self, player: &Account, id: ChallengeId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let (from, _) = db::players(&mut tx, id)
                .await?
                .ok_or(Code::ChallengeClosed)?;
            if from != player.id {
                return Err(Code::NotYours.into());
            }
            let open = db::lock_open(&mut tx, id)
                .await?
                .ok_or(Code::ChallengeClosed)?;
            db::close(&mut tx, id, CloseReason::Cancelled).await?;
            tx.commit().await?;
            if open.terms.is_correspondence() {
                self.notifier.notify_causes();
            }
            self.notifier.notify_room(open.terms.setup.kind());
            Ok(())
        };
        done.await.with_subject(id)
    }
}

/// Closes the challenge as accepted and starts its match; the challenger has seat 1.
async fn accept(tx: &mut crate::db::Tx, open: &db::OpenChallenge) -> Result<MatchId, Error> {
    // First of all, because starting a match closes all other open challenges of both players.
    db::close(tx, open.id, CloseReason::Accepted).await?;
    let match_id = pairing::db::start_match(tx, [open.from, open.to], &open.terms).await?;
    Ok(match_id)
}
