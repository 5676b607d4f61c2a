//! Making a tournament: who may.

use super::{NewTournament, Tournaments, db};
use crate::attempts::client_address::ClientAddress;
use crate::db::Tx;
use crate::{Error, WithSubject as _, now, pairing};
use tochki_protocol::limits;
use tochki_protocol::{Account, Code, EntryCondition, TournamentId};

impl Tournaments {
    /// Makes a tournament. Operators have no limits of their own.
    ///
    /// # Errors
    /// `invalid_tournament`, `invalid_clock`, `guests_unrated`, `muted`, `not_qualified` (the account is too new, or has played too
    /// little), or `too_many_tournaments`.
    pub async fn create(
        &self,
        creator: &Account,
        is_operator: bool,
        client: &ClientAddress,
        new: NewTournament,
    ) -> Result<TournamentId, Error> {
        let done = async {
            let new = new.check(now())?;
            let mut tx = crate::db::begin(&self.db).await?;
            let address = self
                .lock_creator(&mut tx, creator, is_operator, client)
                .await?;
            let id = db::insert(&mut tx, creator.id, is_operator, &address, &new).await?;
            tx.commit().await?;
            Ok(id)
        };
        done.await.with_subject(creator.id)
    }

    /// Checks a tournament and its creator before its password, which is not hashed yet: hashing takes its time.
    ///
    /// # Errors
    /// Those of [`Self::create`].
    pub(crate) async fn check_new(
        &self,
        creator: &Account,
        is_operator: bool,
        client: &ClientAddress,
        new: NewTournament,
    ) -> Result<(), Error> {
        let done = async {
            new.check(now())?;
            let mut tx = crate::db::begin(&self.db).await?;
            self.lock_creator(&mut tx, creator, is_operator, client)
                .await?;
            tx.rollback().await?;
            Ok(())
        };
        done.await.with_subject(creator.id)
    }

    /// Locks who makes a tournament, checks the limits, and returns the address that is counted.
    async fn lock_creator(
        &self,
        tx: &mut Tx,
        creator: &Account,
        is_operator: bool,
        client: &ClientAddress,
    ) -> Result<String, Error> {
        pairing::db::players::lock_players(tx, [creator.id; 2]).await?;
        let address = client.site().unwrap_or(client.address).to_string();
        let made = db::creator(tx, creator.id, &address).await?;
        // The name is something that is said to all.
        if made.is_muted {
            return Err(Code::Muted.into());
        }
        if !is_operator {
            let unmet = if made.is_guest {
                Some(EntryCondition::Guests)
            } else if !made.is_old_enough {
                Some(EntryCondition::MinAgeDays)
            } else {
                (!made.has_played_enough).then_some(EntryCondition::MinGames)
            };
            if let Some(condition) = unmet {
                return Err(condition.into());
            }
            if made.open >= limits::TOURNAMENTS_PER_PLAYER
                || made.by_address >= limits::TOURNAMENTS_BY_ADDRESS
            {
                return Err(Code::TooManyTournaments.into());
            }
        }
        Ok(address)
    }
}
