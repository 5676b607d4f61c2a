//! Conversion of an account to a bot account, which is permanent.

use crate::app_state::AppState;
use crate::bots::db;
use crate::pairing;

use crate::error::{Error, WithSubject as _};
use crate::secrets::SessionToken;
use tochki_protocol::{Account, Code};

impl AppState {
    /// Makes the account one of a bot. One that is a bot stays one.
    ///
    /// # Errors
    /// `wrong_password`, also for a guest; `too_many_attempts`; `cannot_become_bot` for operators and for whoever has
    /// played.
    pub async fn become_bot(
        &self,
        player: &Account,
        token: &SessionToken,
        password: &str,
    ) -> Result<(), Error> {
        let checked = self.accounts.verify_password_of(player, token, password);
        checked.await?;
        let player = player.id;
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            // Whatever starts a match takes this lock, too.
            pairing::db::players::lock_players(&mut tx, [player, player]).await?;
            if !db::conversion::convert(&mut tx, player).await? {
                return Err(Code::CannotBecomeBot.into());
            }
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(player)?;
        self.lobbies.refresh_all();
        Ok(())
    }
}
