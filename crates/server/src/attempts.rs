//! Rate limits on attempts: passwords, passkeys, registrations, guests.
//!
//! Attempts counted by address are also counted by IPv6 site, with [`limits::SITE_FACTOR`] times the limit.
//!
//! Wrong passwords are counted by name and address, and with a higher limit by name alone, so that many addresses together
//! are limited too. A session of the account, and a browser that has been signed in to it, have counts of their own, so that
//! guessing by others never locks the owner out. An attempt is counted before the password is hashed, and taken back if the
//! password was right. The counts are in the database, so that all instances share them.

use crate::Error;
use crate::client_address::ClientAddress;
use crate::db::{self, Db};
use crate::names::NameKey;
use crate::settings::Settings;
use sha2::{Digest as _, Sha256};
use std::net::IpAddr;
use std::time::Duration;
use tochki_play::Millis;
use tochki_protocol::{Code, limits};

/// The size of a leaky bucket: a burst of attempts, and then one each period.
#[derive(Clone, Copy, Debug)]
struct Limit {
    kind: &'static str,
    burst: u32,
    period: Duration,
}

/// The limits.
#[derive(Clone)]
pub struct Attempts {
    db: Db,
    /// Passwords from one address.
    by_address: Limit,
    /// Wrong passwords for one name from one address or one browser.
    by_name: Limit,
    /// Wrong passwords for one name in all, or from one browser in a day.
    daily: Limit,
    registrations: Limit,
    guests: Limit,
    /// Recovery codes for one name from one address. A code cannot be guessed, so there is no count by name alone, which
    /// could keep its owner out.
    recovery: Limit,
    /// Challenges of passkeys from one address. A passkey cannot be guessed; a challenge is a row that is kept for a while.
    passkeys: Limit,
}

/// Origin of an attempt with a password.
#[derive(Clone, Copy, Debug)]
pub enum AttemptSource<'a> {
    /// Anybody, at an address.
    Address(IpAddr),
    /// A session of the account, or a browser that has been signed in to it, by the digest of its token.
    KnownDevice(&'a [u8]),
}

/// An attempt with a password, which counts as wrong until [`Attempts::refund`].
#[must_use]
pub struct PasswordAttempt {
    counted: [(Vec<u8>, Duration); 2],
}

const DAY_MICROS: u64 = Millis::DAY.0.unsigned_abs() * 1_000;

impl Attempts {
    /// The limits of these settings.
    pub fn open(db: Db, settings: &Settings) -> Self {
        let limit = |kind, burst: std::num::NonZeroU32, period| Limit {
            kind,
            burst: burst.get().min(limits::RATE_LIMIT_MAX_BURST),
            period,
        };
        let per_day = settings
            .guesses_per_day
            .get()
            .min(limits::RATE_LIMIT_MAX_BURST);
        // A tenth at once and the rest over the day: never more than `per_day` in any 24 hours.
        let burst = (per_day / 10).max(1);
        Self {
            db,
            by_address: limit(
                "address",
                settings.sign_in_by_address,
                limits::SIGN_IN_PERIOD_BY_ADDRESS,
            ),
            by_name: limit(
                "name",
                settings.sign_in_by_name,
                limits::SIGN_IN_PERIOD_BY_NAME,
            ),
            daily: Limit {
                kind: "daily",
                burst,
                // Postgres counts in microseconds.
                period: Duration::from_micros(
                    DAY_MICROS / u64::from(per_day.saturating_sub(burst).max(1)),
                ),
            },
            recovery: limit(
                "recover",
                settings.sign_in_by_name,
                limits::SIGN_IN_PERIOD_BY_NAME,
            ),
            passkeys: limit(
                "passkey",
                settings.sign_in_by_address,
                limits::SIGN_IN_PERIOD_BY_ADDRESS,
            ),
            registrations: limit(
                "register",
                settings.registrations_by_address,
                limits::REGISTRATION_PERIOD_BY_ADDRESS,
            ),
            guests: limit(
                "guest",
                settings.guests_by_address,
                limits::GUEST_PERIOD_BY_ADDRESS,
            ),
        }
    }

    /// Counts an attempt with a password for this name.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn try_password(
        &self,
        source: AttemptSource<'_>,
        name: &str,
    ) -> Result<PasswordAttempt, Error> {
        let name = NameKey::of(name);
        let name = name.as_str().as_bytes();
        let [near, daily] = match source {
            AttemptSource::Address(address) => {
                // First of all, and only read: so nothing is written once the attempts are used up.
                self.check(self.daily, &[name]).await?;
                self.take_from(self.by_address, address).await?;
                let address = address.to_string();
                [
                    self.take(self.by_name, &[name, address.as_bytes()]).await?,
                    self.take(self.daily, &[name]).await?,
                ]
            }
            AttemptSource::KnownDevice(digest) => [
                self.take(self.by_name, &[name, digest]).await?,
                self.take(self.daily, &[name, digest]).await?,
            ],
        };
        Ok(PasswordAttempt {
            counted: [(near, self.by_name.period), (daily, self.daily.period)],
        })
    }

    /// The password was right, so it does not count.
    pub async fn refund(&self, attempt: PasswordAttempt) -> Result<(), Error> {
        for (key, period) in attempt.counted {
            db::attempts::refund(&self.db, &key, period).await?;
        }
        Ok(())
    }

    /// Counts a try of a recovery code for this name.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn recover(&self, address: IpAddr, name: &str) -> Result<(), Error> {
        self.take_from(self.by_address, address).await?;
        let (name, address) = (NameKey::of(name), address.to_string());
        let name = name.as_str().as_bytes();
        self.take(self.recovery, &[name, address.as_bytes()])
            .await?;
        Ok(())
    }

    /// Counts a challenge for signing in with a passkey.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn challenge(&self, address: IpAddr) -> Result<(), Error> {
        self.take_from(self.passkeys, address).await
    }

    /// Counts a registration.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn register(&self, address: IpAddr) -> Result<(), Error> {
        self.take_from(self.registrations, address).await
    }

    /// Counts a new guest.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn create_guest(&self, address: IpAddr) -> Result<(), Error> {
        self.take_from(self.guests, address).await
    }

    /// Refuses one attempt too many, and counts nothing.
    async fn check(&self, limit: Limit, subject: &[&[u8]]) -> Result<(), Error> {
        let key = key(limit, subject);
        match db::attempts::wait(&self.db, &key, limit.burst, limit.period).await? {
            None => Ok(()),
            Some(seconds) => Err(Error::Limited(Code::TooManyAttempts, seconds)),
        }
    }

    /// Counts one attempt of an address, and loosely of its site.
    async fn take_from(&self, limit: Limit, address: IpAddr) -> Result<(), Error> {
        self.take(limit, &[address.to_string().as_bytes()]).await?;
        if let Some(site) = (ClientAddress { address }).site() {
            let of_site = Limit {
                burst: (limit.burst * limits::SITE_FACTOR).min(limits::RATE_LIMIT_MAX_BURST),
                period: limit.period / limits::SITE_FACTOR,
                ..limit
            };
            self.take(of_site, &[b"site", site.to_string().as_bytes()])
                .await?;
        }
        Ok(())
    }

    /// Counts one attempt and returns its key.
    async fn take(&self, limit: Limit, subject: &[&[u8]]) -> Result<Vec<u8>, Error> {
        let key = key(limit, subject);
        match db::attempts::take(&self.db, &key, limit.burst, limit.period).await? {
            None => Ok(key),
            Some(seconds) => Err(Error::Limited(Code::TooManyAttempts, seconds)),
        }
    }
}

/// The key under which a limit counts a subject.
fn key(limit: Limit, subject: &[&[u8]]) -> Vec<u8> {
    let mut hash = Sha256::new();
    for part in [limit.kind.as_bytes()].iter().chain(subject) {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    hash.finalize().to_vec()
}
