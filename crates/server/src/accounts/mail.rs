//! The mail address of an account: setting, confirming and removing it, and a new password by a link.
//!
//! Setting and removing need the password. The former address is told. A link is used once: a page with a button is shown first,
//! because programs that check mail follow links.

use super::{Accounts, Browser, ClientAddress, SignedIn};
use crate::accounts::db as accounts_db;
use crate::mail::{Mail, MailAddress, db};
use crate::secrets::{Password, SessionToken};
use crate::{Error, LogFailure as _};
use tochki_names::NameKey;
use tochki_protocol::{Account, Code, MailStatus, PlayerId, limits};

impl Accounts {
    /// The address of this player, which nobody else sees.
    pub async fn mail_status(&self, player: &Account) -> Result<MailStatus, Error> {
        let status = db::status(&self.db, player.id).await?;
        Ok(MailStatus {
            available: self.mails.are_sent(),
            ..status
        })
    }

    /// Sends a link to a new address of this player. It is theirs once the link has been used.
    ///
    /// # Errors
    /// `mail_off`, `invalid_mail`, `wrong_password`, also for a guest; or `too_many_attempts`.
    pub async fn set_mail(
        &self,
        player: &Account,
        token: &SessionToken,
        client: &ClientAddress,
        password: &str,
        address: &str,
        language: &str,
    ) -> Result<(), Error> {
        if !self.mails.are_sent() {
            return Err(Code::MailOff.into());
        }
        let address = MailAddress::read(address)?;
        self.verify_password_of(player, token, password).await?;
        self.attempts.send_mail(client.address).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let counts = db::count_recent(&mut tx, "confirm", address.as_str(), player.id).await?;
        let allowed = [
            limits::CONFIRMATIONS_BY_ADDRESS,
            limits::CONFIRMATIONS_BY_PLAYER,
        ];
        db::check_count(counts, allowed)?;
        let (link, unsubscribe) = (SessionToken::generate(), SessionToken::generate());
        let digest = link.digest();
        db::set_pending(
            &mut tx,
            player.id,
            &address,
            &digest,
            language,
            unsubscribe.expose(),
        )
        .await?;
        let mail = Mail::Confirm {
            name: player.name.clone(),
            token: link.expose().to_owned(),
        };
        db::insert(&mut tx, player.id, address.as_str(), language, &mail).await?;
        tx.commit().await?;
        self.mails.wake();
        Ok(())
    }

    /// Confirms an address by its link.
    ///
    /// # Errors
    /// `bad_link` if it was used, is too old or was none.
    pub async fn confirm_mail(&self, link: &str) -> Result<(), Error> {
        let digest = SessionToken::from_cookie(link).digest();
        let mut tx = crate::db::begin(&self.db).await?;
        let confirmed = db::confirm(&mut tx, &digest).await?.ok_or(Code::BadLink)?;
        if let Some(former) = confirmed.former {
            let mail = Mail::Changed {
                name: confirmed.name,
            };
            db::insert(
                &mut tx,
                confirmed.player,
                &former,
                &confirmed.language,
                &mail,
            )
            .await?;
        }
        tx.commit().await?;
        self.mails.wake();
        Ok(())
    }

    /// Removes the address of this player, and one that waits for its link.
    ///
    /// # Errors
    /// `wrong_password`, or `too_many_attempts`.
    pub async fn remove_mail(
        &self,
        player: &Account,
        token: &SessionToken,
        password: &str,
    ) -> Result<(), Error> {
        self.verify_password_of(player, token, password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        if let Some((former, language)) = db::delete(&mut tx, player.id).await? {
            let mail = Mail::Changed {
                name: player.name.clone(),
            };
            db::insert(&mut tx, player.id, &former, &language, &mail).await?;
        }
        tx.commit().await?;
        self.mails.wake();
        Ok(())
    }

    /// Sets whether sign-ins from new browsers are told.
    pub async fn set_mail_notices(&self, player: &Account, sign_ins: bool) -> Result<(), Error> {
        db::set_sign_ins(&self.db, player.id, sign_ins).await
    }

    /// Ends the mails of the kind that this link names, for whoever has it.
    ///
    /// # Errors
    /// `bad_link`.
    pub async fn unsubscribe(&self, link: &str) -> Result<(), Error> {
        if self.mails.unsubscribe(link).await? {
            Ok(())
        } else {
            Err(Code::BadLink.into())
        }
    }

    /// Sends a link for a new password to the player of this name, if they have an address. Neither the answer nor its duration tells
    /// whether there is such a player.
    ///
    /// # Errors
    /// `mail_off`, or `too_many_attempts` from this network address.
    pub async fn forgot_password(&self, client: &ClientAddress, name: &str) -> Result<(), Error> {
        if !self.mails.are_sent() {
            return Err(Code::MailOff.into());
        }
        self.attempts.send_mail(client.address).await?;
        let (accounts, key) = (self.clone(), NameKey::of(name));
        tokio::spawn(async move {
            let sent = accounts.send_reset(&key).await;
            sent.log_failure("writing a link for a new password");
        });
        Ok(())
    }

    async fn send_reset(&self, key: &NameKey) -> Result<(), Error> {
        let Some(to) = db::recipient_by_name(&self.db, key.as_str()).await? else {
            return Ok(());
        };
        let mut tx = crate::db::begin(&self.db).await?;
        let [_, for_player] = db::count_recent(&mut tx, "reset", &to.address, to.player).await?;
        // Whoever asks again and again fills nobody's box.
        if for_player >= limits::RESETS_BY_PLAYER {
            return Ok(());
        }
        let link = SessionToken::generate();
        db::insert_reset(&mut tx, to.player, &link.digest()).await?;
        let mail = Mail::Reset {
            name: to.name,
            token: link.expose().to_owned(),
        };
        db::insert(&mut tx, to.player, &to.address, &to.language, &mail).await?;
        tx.commit().await?;
        self.mails.wake();
        Ok(())
    }

    /// Sets a new password by a link, which is used up, and signs in. All other sessions and all tokens end.
    ///
    /// # Errors
    /// `bad_link`, `invalid_password`, `account_closed`, or `too_many_attempts`.
    pub async fn reset_by_mail(
        &self,
        browser: &Browser,
        link: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        let digest = SessionToken::from_cookie(link).digest();
        let (player, name) = db::reset_of(&self.db, &digest)
            .await?
            .ok_or(Code::BadLink)?;
        let password = Password::read(password, &name)?;
        let stored = accounts_db::by_name(&self.db, NameKey::of(&name).as_str()).await?;
        let stored = stored.ok_or(Code::BadLink)?;
        if stored.closed {
            return Err(Code::AccountClosed.into());
        }
        // Hashing is only for those who have a link.
        let hash = self.hashing.hash(password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        // In the order of other changes of a password, and of the link that confirms an address.
        crate::pairing::db::players::lock_players(&mut tx, [player; 2]).await?;
        db::forget_pending(&mut tx, player).await?;
        if !db::use_reset(&mut tx, player, &digest).await? {
            return Err(Code::BadLink.into());
        }
        let ended = accounts_db::recovery::reset_password(&mut tx, player, &hash).await?;
        db::delete_tokens(&mut tx, player).await?;
        tx.commit().await?;
        self.end_streams(&ended);
        self.open_session(browser, stored.account).await
    }

    /// Writes to a player who has just signed in from a browser that was not known. A failure is no reason to refuse the sign-in.
    pub(super) async fn tell_sign_in(&self, player: PlayerId, agent: &str) {
        if self.mails.are_sent() {
            let told = self.write_sign_in(player, agent.to_owned()).await;
            told.log_failure("telling of a sign-in");
        }
    }

    async fn write_sign_in(&self, player: PlayerId, agent: String) -> Result<(), Error> {
        let to = db::recipient(&self.db, player).await?;
        let Some(to) = to.filter(|to| to.sign_ins) else {
            return Ok(());
        };
        let mail = Mail::SignIn {
            name: to.name,
            agent,
            at: crate::clock::now(),
            unsubscribe: to.unsubscribe,
        };
        let mut tx = crate::db::begin(&self.db).await?;
        db::insert(&mut tx, to.player, &to.address, &to.language, &mail).await?;
        tx.commit().await?;
        self.mails.wake();
        Ok(())
    }
}
