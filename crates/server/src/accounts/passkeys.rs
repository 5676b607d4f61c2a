//! Passkeys: adding and removing them, signing in with one, and setting a new password after that.
//!
//! A challenge is given to one browser: to the session that adds a passkey, or to a cookie of its own where somebody signs in.
//! It can be answered once.

use super::{Accounts, Browser, ClientAddress, SignedIn};
use crate::Error;
use crate::accounts::db;

use crate::accounts::webauthn::{Assertion, HANDLE_LEN, Refused, RelyingParty};
use crate::secrets::{Password, SessionToken};
use rand::TryRng as _;
use rand::rngs::SysRng;
use serde_json::Value;
use tochki_names::TableName;
use tochki_protocol::{Account, Code, CredentialJson, Passkey, Passkeys, limits};

impl Accounts {
    /// The passkeys of a player. `party` is the site, if browsers can use passkeys there.
    pub async fn passkeys(
        &self,
        player: &Account,
        token: &SessionToken,
        party: Option<&RelyingParty>,
    ) -> Result<Passkeys, Error> {
        Ok(Passkeys {
            passkeys: db::passkeys::list(&self.db, player.id).await?,
            available: party.is_some(),
            proven: db::passkeys::is_proven(&self.db, &token.digest()).await?,
        })
    }

    /// Begins to add a passkey. Returns the options with which the browser asks the authenticator.
    ///
    /// # Errors
    /// `wrong_password`, also for a guest; `too_many_passkeys`, or `too_many_attempts`.
    pub async fn begin_passkey(
        &self,
        player: &Account,
        token: &SessionToken,
        party: &RelyingParty,
        password: &str,
    ) -> Result<Value, Error> {
        self.verify_password_of(player, token, password).await?;
        let existing = db::passkeys::credentials(&self.db, player.id).await?;
        if existing.len() >= limits::PASSKEYS_MAX as usize {
            return Err(Code::TooManyPasskeys.into());
        }
        let mut fresh = [0_u8; HANDLE_LEN];
        SysRng
            .try_fill_bytes(&mut fresh)
            .expect("the system has a random source");
        let handle = db::passkeys::handle(&self.db, player.id, &fresh).await?;
        let ceremony = party.begin_registration(&handle, &player.name, existing)?;
        let browser = token.digest();
        db::passkeys::open_challenge(&self.db, &browser, Some(player.id), &ceremony.state).await?;
        Ok(ceremony.options)
    }

    /// Adds the passkey that an authenticator has made. Without a usable `name` it is called by the browser.
    ///
    /// # Errors
    /// `passkey_refused`, or `too_many_passkeys`.
    pub async fn add_passkey(
        &self,
        player: &Account,
        token: &SessionToken,
        party: &RelyingParty,
        answer: &CredentialJson,
        name: &str,
        agent: &str,
    ) -> Result<Passkey, Error> {
        let challenge =
            db::passkeys::take_challenge(&self.db, &token.digest(), Some(player.id)).await?;
        let challenge = challenge.ok_or(Code::PasskeyRefused)?;
        let credential = party
            .finish_registration(&challenge, answer)?
            .inspect_err(log_refused)?;
        // The device has it already, so a name is no reason to refuse it.
        let name = TableName::read(name).or_else(|| TableName::read(agent));
        let name = name.as_ref().map_or("", TableName::as_str);
        let mut tx = crate::db::begin(&self.db).await?;
        let count = db::passkeys::lock_and_count(&mut tx, player.id).await?;
        if count.ok_or(Code::SignedOut)? >= limits::PASSKEYS_MAX {
            return Err(Code::TooManyPasskeys.into());
        }
        let added = db::passkeys::insert(&mut tx, player.id, &credential, name).await?;
        tx.commit().await?;
        added.ok_or_else(|| Code::PasskeyRefused.into())
    }

    /// Removes a passkey of a player.
    ///
    /// # Errors
    /// `unknown_passkey`.
    pub async fn remove_passkey(&self, player: &Account, id: i64) -> Result<(), Error> {
        if db::passkeys::remove(&self.db, player.id, id).await? {
            Ok(())
        } else {
            Err(Code::UnknownPasskey.into())
        }
    }

    /// Begins to sign in with a passkey. Returns the options for the browser, and the token with which the answer is accepted.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn begin_passkey_sign_in(
        &self,
        client: &ClientAddress,
        party: &RelyingParty,
    ) -> Result<(Value, SessionToken), Error> {
        self.attempts.challenge(client.address).await?;
        let ceremony = party.begin_sign_in()?;
        let token = SessionToken::generate();
        db::passkeys::open_challenge(&self.db, &token.digest(), None, &ceremony.state).await?;
        Ok((ceremony.options, token))
    }

    /// Signs in with a passkey. `token` is that of [`Self::begin_passkey_sign_in`].
    ///
    /// # Errors
    /// `passkey_refused`, `unknown_passkey`, or `account_closed`.
    pub async fn passkey_sign_in(
        &self,
        browser: &Browser,
        party: &RelyingParty,
        token: Option<&SessionToken>,
        answer: &CredentialJson,
    ) -> Result<SignedIn, Error> {
        let token = token.ok_or(Code::PasskeyRefused)?;
        let challenge = db::passkeys::take_challenge(&self.db, &token.digest(), None).await?;
        let challenge = challenge.ok_or(Code::PasskeyRefused)?;
        let assertion = Assertion::read(answer).inspect_err(log_refused)?;
        let found = db::passkeys::by_credential_id(&self.db, &assertion.credential_id()).await?;
        let passkey = found.ok_or(Code::UnknownPasskey)?;
        let verified = assertion.verify(party, &challenge, &passkey.handle, &passkey.credential)?;
        if matches!(verified, Err(Refused::Counter)) {
            tracing::warn!(
                player = passkey.account.id.0,
                passkey = passkey.id,
                "the counter of a passkey has not grown: it may have been copied"
            );
        }
        let state = verified.inspect_err(log_refused)?;
        // Told only to someone who has the passkey.
        if passkey.closed {
            return Err(Code::AccountClosed.into());
        }
        if !db::passkeys::note_use(&self.db, &passkey, &state).await? {
            return Err(Code::PasskeyRefused.into());
        }
        let signed_in = self.open_session(browser, passkey.account).await?;
        db::passkeys::note_proof(&self.db, &signed_in.session.digest()).await?;
        Ok(signed_in)
    }

    /// Sets a new password without the old one, for a player who has just signed in with a passkey. All other sessions end, and
    /// so do the recovery codes.
    ///
    /// # Errors
    /// `invalid_password`, or `passkey_refused`.
    pub async fn reset_password(
        &self,
        browser: &Browser,
        player: Account,
        token: &SessionToken,
        new: &str,
    ) -> Result<SignedIn, Error> {
        if !db::passkeys::is_proven(&self.db, &token.digest()).await? {
            return Err(Code::PasskeyRefused.into());
        }
        let new = Password::read(new, &player.name)?;
        let hash = self.hashing.hash(new).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let ended = db::recovery::reset_password(&mut tx, player.id, &hash).await?;
        db::recovery::delete_codes(&mut tx, player.id).await?;
        tx.commit().await?;
        self.end_streams(&ended);
        self.open_session(browser, player).await
    }
}

/// Logs why an answer is refused, which the browser is not told.
fn log_refused(refused: &Refused) {
    tracing::debug!(?refused, "a passkey was refused");
}
