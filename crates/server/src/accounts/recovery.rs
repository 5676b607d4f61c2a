//! Recovery codes: ten one-time codes that replace a forgotten password.

use super::{Accounts, Browser, SignedIn};
use crate::Error;
use crate::accounts::db;

use crate::secrets::{Password, RecoveryCode, SessionToken};
use tochki_names::NameKey;
use tochki_protocol::{Account, Code, RecoveryStatus, limits};

impl Accounts {
    /// Makes new codes in place of the old ones. They are never shown again.
    ///
    /// # Errors
    /// `wrong_password`, also for a guest; or `too_many_attempts`.
    pub async fn make_recovery_codes(
        &self,
        player: &Account,
        token: &SessionToken,
        password: &str,
    ) -> Result<Vec<RecoveryCode>, Error> {
        self.verify_password_of(player, token, password).await?;
        let codes: Vec<RecoveryCode> = (0..limits::RECOVERY_CODES)
            .map(|_| RecoveryCode::generate())
            .collect();
        let hashes: Vec<_> = codes.iter().map(|code| code.digest(player.id)).collect();
        db::recovery::replace(&self.db, player.id, &hashes).await?;
        Ok(codes)
    }

    /// Number of unused codes, and whether to offer new ones.
    pub async fn recovery_status(&self, player: &Account) -> Result<RecoveryStatus, Error> {
        db::recovery::status(&self.db, player.id).await
    }

    /// Sets a new password with a code, which is used up, and signs in. All other sessions end.
    ///
    /// # Errors
    /// `invalid_password`, `bad_credentials`, `account_closed`, or `too_many_attempts`.
    pub async fn recover(
        &self,
        browser: &Browser,
        name: &str,
        code: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        let password = Password::read(password, name)?;
        self.attempts.recover(browser.client.address, name).await?;
        let key = NameKey::of(name);
        let stored = db::by_name(&self.db, key.as_str()).await?;
        let stored = stored.ok_or(Code::BadCredentials)?;
        let account = stored.account;
        let digest = RecoveryCode::from_form(code).digest(account.id);
        // Hashing is only for those who have a code.
        if !db::recovery::has(&self.db, account.id, &digest).await? {
            return Err(Code::BadCredentials.into());
        }
        if stored.closed {
            return Err(Code::AccountClosed.into());
        }
        let hash = self.hashing.hash(password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        if !db::recovery::use_up(&mut tx, account.id, &digest).await? {
            return Err(Code::BadCredentials.into());
        }
        let ended = db::recovery::reset_password(&mut tx, account.id, &hash).await?;
        tx.commit().await?;
        self.end_streams(&ended);
        self.open_session(browser, account).await
    }
}
