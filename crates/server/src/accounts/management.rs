//! Account management: password and sessions.
//!
//! The page `/account` consists of plain forms. Wrong passwords are counted by the session. Changing the
//! password, or ending a session, ends the streams of those sessions: at once on this instance, and on others when they
//! next poll (`sessions`). `/api/my_data` is one JSON document that is written while it is read, because a player's
//! matches have no upper bound.

use super::Accounts;
use crate::Error;
use crate::accounts::db;
use crate::attempts::AttemptSource;

use crate::bus::topic::Credential;
use crate::detached::run_detached;
use crate::secrets::{Password, SessionToken, TypedPassword};
use tochki_protocol::{Account, Code, SessionSummary};

impl Accounts {
    /// Changes the password, and ends the other sessions of the account with their streams and its
    /// recovery codes. Returns the new token of this one.
    ///
    /// # Errors
    /// `invalid_password`, `wrong_password`, or `too_many_attempts`.
    pub async fn change_password(
        &self,
        player: &Account,
        token: &SessionToken,
        old: &str,
        new: &str,
    ) -> Result<SessionToken, Error> {
        let new = Password::read(new, &player.name)?;
        self.verify_password_of(player, token, old).await?;
        let hash = self.hashing.hash(new).await?;
        let (digest, fresh) = (token.digest(), SessionToken::generate());
        self.end_streams(
            &db::management::change_password(&self.db, player.id, &hash, &digest, &fresh.digest())
                .await?,
        );
        Ok(fresh)
    }

    /// Checks the password of the player of this session. Wrong ones are counted by the session.
    pub(crate) async fn verify_password_of(
        &self,
        player: &Account,
        token: &SessionToken,
        password: &str,
    ) -> Result<(), Error> {
        let (accounts, player) = (self.clone(), player.clone());
        let (digest, password) = (token.digest(), TypedPassword::of(password));
        // It runs to its end, as with signing in.
        run_detached(async move {
            let source = AttemptSource::KnownDevice(digest);
            let attempt = accounts.attempts.try_password(source, &player.name).await?;
            let hash = db::management::password_hash(&accounts.db, player.id).await?;
            if accounts.verify(Some(player.id), password, hash).await? {
                accounts.attempts.refund(attempt).await
            } else {
                Err(Code::WrongPassword.into())
            }
        })
        .await
    }

    /// The open sessions of this player.
    pub async fn sessions_of(
        &self,
        player: &Account,
        token: &SessionToken,
    ) -> Result<Vec<SessionSummary>, Error> {
        db::management::sessions(&self.db, player.id, &token.digest()).await
    }

    /// Ends one session of this player, or without an id all but the one of the request.
    pub async fn end_sessions(
        &self,
        player: &Account,
        token: &SessionToken,
        id: Option<i64>,
    ) -> Result<(), Error> {
        let ended = db::management::end_sessions(&self.db, player.id, id, &token.digest()).await?;
        if ended.is_empty() && id.is_some() {
            return Err(Code::NoSuchSession.into());
        }
        self.end_streams(&ended);
        Ok(())
    }

    /// Ends the streams of ended sessions on this instance.
    pub(crate) fn end_streams(&self, sessions: &[i64]) {
        for &session in sessions {
            self.sessions.end(Credential::Session(session));
        }
        // What ends sessions may also end tokens.
        self.sessions.poll_soon();
    }
}
