//! Rematches: once both players have asked for the same, a match with the same terms and swapped seats starts. They are the terms with
//! which the match ended: an adjourned one is unrated, and may have gone on by correspondence.

use super::Matches;
use crate::matches::db;
use crate::notifications::db::{Cause, insert_causes};
use crate::{pairing, presence};

use crate::presence::place::Place;
use crate::{Error, WithSubject as _};
use tochki_protocol::{Account, Code, MatchId, NotificationKind, RematchResponse};

#[cfg(doc)]
use tochki_protocol::limits;

impl Matches {
    /// Asks for a rematch; the second request starts it. Asking again changes nothing. By correspondence the opponent is told of it.
    ///
    /// Like everything that may start a match it first locks both players in one order. So one of two simultaneous requests
    /// comes second, and no player is in two matches.
    ///
    /// `rated` is what the player asks for, if that is known: after [`limits::RATED_MATCHES_PER_PAIR`] rated matches on a day
    /// the rematch is unrated, and both have to ask for that.
    ///
    /// # Errors
    /// `not_finished`, `opponent_left`, `already_playing`, `too_many_games`, `terms_changed`, `matches_full`, `aborted_lately`, `not_a_player`,
    /// or `no_such_match`.
    pub async fn rematch(
        &self,
        id: MatchId,
        player: &Account,
        rated: Option<bool>,
    ) -> Result<RematchResponse, Error> {
        let done = async {
            let (live, seat) = self.seated(id, player).await?;
            // Who meets whom is the tournament's to say.
            if live.tournament().is_some() {
                return Err(Code::InTournament.into());
            }
            // As the match ended: one that was adjourned is unrated, and may have gone on by correspondence.
            live.catch_up().await?;
            let played = *live.game().await.terms();
            let players = live.players();
            let opponent = players[seat.other().index()];
            let mut tx = crate::db::begin(&self.context.db).await?;
            pairing::db::players::lock_players(&mut tx, players).await?;
            let state = db::status::rematch_state(&mut tx, id).await?;
            if !state.finished {
                return Err(Code::NotFinished.into());
            }
            if state.next.is_some() {
                return Ok(RematchResponse {
                    match_id: state.next,
                });
            }
            // By correspondence nobody has to be there, and several are played at once.
            let live_pace = !played.is_correspondence();
            if live_pace
                && !presence::db::is_present(&mut tx, opponent, &Place::Match(id).to_string())
                    .await?
            {
                return Err(Code::OpponentLeft.into());
            }
            if live_pace && pairing::db::players::anyone_playing(&mut tx, players).await? {
                return Err(Code::AlreadyPlaying.into());
            }
            let mut terms = played;
            terms.rated = terms.rated && pairing::db::pairs::can_be_rated(&mut tx, players).await?;
            if rated.is_some_and(|rated| rated != terms.rated) {
                return Err(Code::TermsChanged.into());
            }
            let is_repeated =
                state.requested[seat.index()] && state.rated.unwrap_or(played.rated) == terms.rated;
            db::status::request_rematch(&mut tx, id, seat, terms.rated).await?;
            let asked = db::status::rematch_state(&mut tx, id).await?.requested;
            let match_id = if asked == [true; 2] {
                if live_pace {
                    self.capacity.check_match(&mut tx).await?;
                }
                let [first, second] = players;
                let next = pairing::db::start_match(&mut tx, [second, first], &terms).await?;
                db::status::set_next_match(&mut tx, id, next).await?;
                Some(next)
            } else {
                None
            };
            let mut causes = Vec::new();
            if !live_pace && match_id.is_some() {
                // There is nothing to answer any more.
                let done = |player, other| Cause::of_match(player, other, id, None);
                causes.extend([done(player.id, opponent), done(opponent, player.id)]);
            } else if !live_pace
                && !is_repeated
                && !db::status::has_muted(&mut tx, opponent, player.id).await?
            {
                let asked = Some(NotificationKind::Challenge);
                causes.push(Cause::of_match(opponent, player.id, id, asked));
            }
            if !causes.is_empty() {
                insert_causes(&mut tx, &causes).await?;
            }
            tx.commit().await?;
            self.context.notifier.notify_match(id);
            if match_id.is_some() || !causes.is_empty() {
                self.context.notifier.notify_causes();
            }
            if match_id.is_some() {
                // Starting a match closes challenges for other games, too.
                self.context.notifier.notify_rooms();
            }
            Ok(RematchResponse { match_id })
        };
        done.await.with_subject(id)
    }
}
