//! What players manage about their accounts: the password and the sessions.
//!
//! The page `/account` consists of plain forms. Attempts at a password count towards the limits of signing in. Changing the
//! password, or ending a session, ends the streams of those sessions: at once on this instance, and on others when they
//! next poll (`sessions`). `/api/my_data` is one JSON document that is written while it is read, because a player's
//! matches have no upper bound.

use super::{Accounts, ClientAddress};
use crate::Error;
use crate::db::account_management;
use crate::names::NameKey;
use crate::secrets::{Password, SessionToken};
use tochki_protocol::{Account, Code, SessionSummary};

impl Accounts {
    /// Changes the password, and ends the other sessions of the account with their streams.
    ///
    /// # Errors
    /// `invalid_password`, `wrong_password`, or `too_many_attempts`.
    pub async fn change_password(
        &self,
        client: &ClientAddress,
        player: &Account,
        token: &SessionToken,
        old: &str,
        new: &str,
    ) -> Result<(), Error> {
        let new = Password::read(new, &player.name)?;
        self.verify_password_of(client, player, old).await?;
        let hash = self.hash(new).await?;
        let digest = token.digest();
        self.end_streams(
            &account_management::change_password(&self.db, player.id, &hash, &digest).await?,
        );
        Ok(())
    }

    /// Checks the password of this player. Attempts are counted like those of signing in.
    pub(crate) async fn verify_password_of(
        &self,
        client: &ClientAddress,
        player: &Account,
        password: &str,
    ) -> Result<(), Error> {
        self.check_sign_in_rate(client, &NameKey::of(&player.name))?;
        let hash = account_management::password_hash(&self.db, player.id).await?;
        if self.verify(Password::unchecked(password), hash).await? {
            Ok(())
        } else {
            Err(Code::WrongPassword.into())
        }
    }

    /// The open sessions of this player.
    pub async fn sessions_of(
        &self,
        player: &Account,
        token: &SessionToken,
    ) -> Result<Vec<SessionSummary>, Error> {
        account_management::sessions(&self.db, player.id, &token.digest()).await
    }

    /// Ends one session of this player, or without an id all but the one of the request.
    pub async fn end_sessions(
        &self,
        player: &Account,
        token: &SessionToken,
        id: Option<i64>,
    ) -> Result<(), Error> {
        let ended =
            account_management::end_sessions(&self.db, player.id, id, &token.digest()).await?;
        if ended.is_empty() && id.is_some() {
            return Err(Code::NoSuchSession.into());
        }
        self.end_streams(&ended);
        Ok(())
    }

    /// Ends the streams of ended sessions on this instance.
    pub(crate) fn end_streams(&self, digests: &[Vec<u8>]) {
        for digest in digests {
            self.sessions.end(digest);
        }
    }
}
