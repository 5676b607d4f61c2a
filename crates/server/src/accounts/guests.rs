//! Guests: players without a password.
//!
//! A guest has a name in the same name space as accounts and a session like any other. An account that a guest registers is
//! the same row. Guests expire after [`tochki_protocol::limits::GUEST_LIFETIME`]: one who has played nothing is deleted,
//! any other loses the name.

use super::{Accounts, Browser, SignedIn};
use crate::accounts::db;
use crate::{Error, pairing};

use crate::names::{Name, NameKey};
use crate::secrets::{Password, SessionToken};
use tochki_protocol::{Account, Code, limits};

/// The first word of a suggested name.
const ADJECTIVES: [&str; 24] = [
    "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Eager", "Fair", "Gentle", "Happy",
    "Jolly", "Kind", "Lively", "Lucky", "Merry", "Mild", "Nimble", "Quick", "Quiet", "Sharp",
    "Steady", "Sunny", "Swift", "Witty",
];

/// The second word of a suggested name.
const ANIMALS: [&str; 24] = [
    "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Hedgehog", "Heron",
    "Ibis", "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Puffin",
    "Raven", "Robin", "Sparrow", "Wren",
];

/// A random name.
fn random_name(random: &mut impl FnMut() -> u64) -> String {
    let adjective = ADJECTIVES[(random() % ADJECTIVES.len() as u64) as usize];
    let animal = ANIMALS[(random() % ANIMALS.len() as u64) as usize];
    format!("{adjective}-{animal}-{}", 10 + random() % 90)
}

impl Accounts {
    /// A name that nobody has, for a guest who has not chosen one.
    pub async fn suggest_name(
        &self,
        random: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<String, Error> {
        let mut name = random_name(random);
        for _ in 1..limits::GUEST_NAME_MAX_ATTEMPTS {
            let key = NameKey::of(&name);
            if db::by_name(&self.db, key.as_str()).await?.is_none() {
                break;
            }
            name = random_name(random);
        }
        Ok(name)
    }

    /// Creates a guest and a session.
    ///
    /// # Errors
    /// `address_closed`, `invalid_name`, `name_taken`, or `too_many_attempts`.
    pub async fn create_guest(&self, browser: &Browser, name: &str) -> Result<SignedIn, Error> {
        self.sanctions
            .check_new_name(browser.client.address)
            .await?;
        let name = Name::read(name)?;
        self.check_name_is_free(&name, None).await?;
        // Refused names do not count.
        self.attempts.create_guest(browser.client.address).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let account = db::guests::insert(&mut tx, &name.row()).await?;
        self.commit_new(tx, browser, account).await
    }

    /// Turns a guest into an account. The session stays with a new token, and so do the matches.
    ///
    /// # Errors
    /// `not_a_guest`, `invalid_name`, `invalid_password`, `name_taken`, or `too_many_attempts`.
    pub async fn register_guest_account(
        &self,
        browser: &Browser,
        guest: &Account,
        token: &SessionToken,
        name: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        if !guest.guest {
            return Err(Code::NotAGuest.into());
        }
        let name = Name::read(name)?;
        let password = Password::read(password, name.as_str())?;
        self.check_name_is_free(&name, Some(guest.id)).await?;
        self.attempts.register(browser.client.address).await?;
        let hash = self.hashing.hash(password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        // Whatever starts a match takes this lock, too: it begins before this, or under the new name.
        pairing::db::players::lock_players(&mut tx, [guest.id; 2]).await?;
        let account = db::guests::convert(&mut tx, guest.id, &name.row(), &hash)
            .await?
            .ok_or(Code::NotAGuest)?;
        tx.commit().await?;
        let session = SessionToken::generate();
        db::replace_token(&self.db, &token.digest(), &session.digest()).await?;
        Ok(SignedIn {
            device: Some(self.remember_device(browser, guest.id).await?),
            session,
            account,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_random_name_is_a_name() {
        for adjective in 0..ADJECTIVES.len() as u64 {
            for animal in 0..ANIMALS.len() as u64 {
                let mut numbers = [adjective, animal, adjective + animal].into_iter();
                let name = random_name(&mut || numbers.next().unwrap());
                assert!(Name::read(&name).is_ok(), "{name}");
            }
        }
        let mut numbers = [18, 9, 32].into_iter();
        assert_eq!(
            random_name(&mut || numbers.next().unwrap()),
            "Quiet-Heron-42"
        );
    }
}
