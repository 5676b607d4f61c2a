//! Before a round or an arena: who says to be here, and who asks not to be paired in a round.

use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use tochki_protocol::{
    Account, Code, EntrantState, PlayerId, TournamentFormat, TournamentId, TournamentRounds,
    TournamentState,
};

impl Tournaments {
    /// Says that a player is here for the next round, for a game by appointment, or for an arena. The time for it begins a while before.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` for who takes no part, and where no round begins soon.
    pub async fn confirm_presence(&self, player: &Account, id: TournamentId) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            let known = db::entrants::lock(&mut tx, id, player.id).await?;
            let is_here = known.is_some_and(|known| known.state == EntrantState::Here);
            let is_live = matches!(
                stored.tournament.state,
                TournamentState::Open | TournamentState::Running
            );
            if !is_here || !is_live {
                return Err(Code::NotOpen.into());
            }
            let rounds = stored.tournament.rounds.as_ref();
            if rounds.is_some_and(TournamentRounds::is_by_appointment) {
                if !db::appointments::confirm(&mut tx, id, player.id).await? {
                    return Err(Code::NotOpen.into());
                }
                // Both pages show it.
                db::advance(&mut tx, id).await?;
                return Ok(tx.commit().await?);
            }
            if !stored.asks_presence() {
                return Err(Code::NotOpen.into());
            }
            let round = stored.presence_round();
            db::presence::confirm(&mut tx, id, player.id, round).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Asks not to be paired in a round of a Swiss that is to come, for half a point; without a round, takes that back. A player has
    /// one such bye, and none in the last round.
    ///
    /// # Errors
    /// `no_such_tournament`, `not_open` for who takes no part, or `no_bye`.
    pub async fn request_bye(
        &self,
        player: &Account,
        id: TournamentId,
        round: Option<u32>,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            let stored = self.lock(&mut tx, id).await?;
            let known = db::entrants::lock(&mut tx, id, player.id).await?;
            let is_here = known.is_some_and(|known| known.state == EntrantState::Here);
            let is_live = matches!(
                stored.tournament.state,
                TournamentState::Open | TournamentState::Running
            );
            if !is_here || !is_live {
                return Err(Code::NotOpen.into());
            }
            let Some(rounds) = (stored.tournament.rounds.as_ref())
                .filter(|_| stored.tournament.format == TournamentFormat::Swiss)
            else {
                return Err(Code::NoBye.into());
            };
            let may_be = round.is_none_or(|round| {
                round > rounds.round && rounds.rounds.is_none_or(|last| round < last)
            });
            let round = round.map(i32::try_from).transpose();
            let Some(round) = round.ok().filter(|_| may_be) else {
                return Err(Code::NoBye.into());
            };
            if !db::presence::request_bye(&mut tx, id, player.id, round).await? {
                return Err(Code::NoBye.into());
            }
            // A round that is being paired minds it.
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(id)
    }

    /// Returns whether a page of the tournament counts as presence of this player: of who takes part in rounds that are not over, or in
    /// an arena and has not played yet.
    ///
    /// # Errors
    /// When the database fails.
    pub async fn asks_presence(&self, id: TournamentId, player: PlayerId) -> Result<bool, Error> {
        db::presence::takes_part(&self.db, id, player).await
    }
}
