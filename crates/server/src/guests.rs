//! Guests: they play under a name of their own by the session alone, and can make an account of that.

use super::accounts::{Accounts, Visit};
use super::db;
use super::names::Name;
use super::secrets::{Password, SessionToken};
use crate::Error;
use tochki_protocol::{Account, Code};

/// What a made-up name begins with.
const HOW: [&str; 24] = [
    "Bold", "Brave", "Bright", "Brisk", "Calm", "Clever", "Eager", "Fair", "Gentle", "Happy",
    "Jolly", "Kind", "Lively", "Lucky", "Merry", "Mild", "Nimble", "Quick", "Quiet", "Sharp",
    "Steady", "Sunny", "Swift", "Witty",
];

/// And what comes then.
const WHO: [&str; 24] = [
    "Badger", "Beaver", "Crane", "Dolphin", "Falcon", "Finch", "Fox", "Hare", "Hedgehog", "Heron",
    "Ibis", "Kestrel", "Lark", "Lynx", "Magpie", "Marten", "Newt", "Otter", "Owl", "Puffin",
    "Raven", "Robin", "Sparrow", "Wren",
];

/// How many names are made up before a taken one is given.
const TRIES: usize = 5;

/// A friendly name for somebody who has not thought of any.
fn made_up(chance: &mut impl FnMut() -> u64) -> String {
    let how = HOW[(chance() % HOW.len() as u64) as usize];
    let who = WHO[(chance() % WHO.len() as u64) as usize];
    format!("{how}-{who}-{}", 10 + chance() % 90)
}

impl Accounts {
    /// A name that nobody has, for a guest who has not thought of any.
    pub async fn make_up_name(
        &self,
        chance: &mut (impl FnMut() -> u64 + Send),
    ) -> Result<String, Error> {
        let mut name = made_up(chance);
        for _ in 1..TRIES {
            let key = super::names::NameKey::of(&name);
            if db::accounts::by_name(&self.db, key.as_str())
                .await?
                .is_none()
            {
                break;
            }
            name = made_up(chance);
        }
        Ok(name)
    }

    /// Lets somebody play without an account, with a session like everybody's.
    pub async fn be_guest(
        &self,
        visit: &Visit,
        name: &str,
        agent: &str,
    ) -> Result<(Account, SessionToken), Error> {
        let name = Name::read(name).ok_or(Code::InvalidName)?;
        let key = name.key().as_str();
        if db::accounts::by_name(&self.db, key).await?.is_some() {
            return Err(Code::NameTaken.into());
        }
        // Only who is let in counts.
        if self.guests.check_key(&visit.address).is_err() {
            return Err(Code::TooManyAttempts.into());
        }
        let id = db::guests::insert(&self.db, name.as_str(), key).await?;
        let account = Account {
            id,
            name: name.as_str().to_owned(),
            guest: true,
        };
        let token = self.open_session(&account, agent).await?;
        Ok((account, token))
    }

    /// Makes an account of a guest, who keeps the session and all that was played.
    pub async fn keep(
        &self,
        guest: &Account,
        name: &str,
        password: &str,
    ) -> Result<Account, Error> {
        if !guest.guest {
            return Err(Code::NotAGuest.into());
        }
        let name = Name::read(name).ok_or(Code::InvalidName)?;
        let password = Password::read(password).ok_or(Code::InvalidPassword)?;
        let key = name.key().as_str();
        let taken = db::accounts::by_name(&self.db, key).await?;
        if taken.is_some_and(|taken| taken.account.id != guest.id) {
            return Err(Code::NameTaken.into());
        }
        let hash = self.hash(password).await?;
        if !db::guests::keep(&self.db, guest.id, name.as_str(), key, &hash).await? {
            return Err(Code::NotAGuest.into());
        }
        Ok(Account {
            id: guest.id,
            name: name.as_str().to_owned(),
            guest: false,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_made_up_name_is_a_name() {
        for how in 0..HOW.len() as u64 {
            for who in 0..WHO.len() as u64 {
                let mut numbers = [how, who, how + who].into_iter();
                let name = made_up(&mut || numbers.next().unwrap());
                assert!(Name::read(&name).is_some(), "{name}");
            }
        }
        let mut numbers = [18, 9, 32].into_iter();
        assert_eq!(made_up(&mut || numbers.next().unwrap()), "Quiet-Heron-42");
    }
}
