//! Deletion of an account.
//!
//! All running matches are resigned first. Then one transaction (`accounts::db::management::delete_players`, which also serves expired
//! guests) deletes what belongs to the player alone. Finished matches stay for the opponents, with the player shown as
//! deleted; so their names are read from the database each time. The key of the name is kept for
//! [`tochki_protocol::limits::NAME_QUARANTINE`], so that nobody else can take it at once.

use crate::app_state::AppState;
use crate::error::{Error, WithSubject as _};
use crate::secrets::SessionToken;
use crate::{accounts, matches, pairing};
use tochki_play::Command;
use tochki_protocol::{Account, Code, MatchId, PlayerId};

impl AppState {
    /// Deletes the account. A guest has no password to confirm it with.
    ///
    /// # Errors
    /// `wrong_password`, or `too_many_attempts`.
    pub async fn delete_account(
        &self,
        player: &Account,
        token: &SessionToken,
        password: &str,
    ) -> Result<(), Error> {
        if !player.guest {
            self.accounts
                .verify_password_of(player, token, password)
                .await?;
        }
        let player = player.id;
        let ended = loop {
            let mut tx = crate::db::begin(&self.db).await?;
            // Whatever starts a match takes this lock, too.
            pairing::db::players::lock_players(&mut tx, [player, player]).await?;
            let Some(id) = matches::db::any_running(&mut *tx, player).await? else {
                let ended = accounts::db::management::delete_players(&mut tx, &[player.0]).await?;
                tx.commit().await?;
                break ended;
            };
            tx.rollback().await?;
            self.resign_for(player, id).await.with_subject(id)?;
        };
        self.accounts.end_streams(&ended);
        self.lobbies.refresh_all();
        Ok(())
    }

    /// Resigns for a player. A match that has ended meanwhile is no error.
    async fn resign_for(&self, player: PlayerId, id: MatchId) -> Result<(), Error> {
        let live = self.matches.get(id).await?;
        let seat = live.seat_of(player).ok_or(Code::NotAPlayer)?;
        match live.command(Command::Leave { seat }).await {
            Err(error) if error.code() != Code::Finished => Err(error),
            _ => Ok(()),
        }
    }
}
