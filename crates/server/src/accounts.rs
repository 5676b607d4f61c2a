//! Registration, sign-in and sessions.

pub use super::db::accounts::Session;

use super::db::{self, Db};
use super::names::{Name, NameKey};
use super::secrets::{Password, SessionToken};
use super::sessions::{OpenSessions, SessionGuard};
use super::settings::Settings;
use crate::Error;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};
use std::time::Duration;
use tochki_protocol::{self, Account, Code};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// How long a sign-in waits for its turn to be hashed.
const PATIENCE: Duration = Duration::from_secs(10);

/// Where a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct Visit {
    /// The visitor's address.
    pub address: IpAddr,
}

/// Somebody with a session, who opens a stream.
pub struct Visitor {
    /// Who.
    pub account: Account,
    /// The part of the stream in the session.
    pub stay: SessionGuard,
}

/// Registration, sign-in, sessions.
#[derive(Clone)]
pub struct Accounts {
    pub(super) db: Db,
    /// Those with open streams.
    pub(super) sessions: OpenSessions,
    /// How many passwords are hashed at once. Each takes 19 MiB and a core for a while, so no more than there are cores.
    hashing: Arc<Semaphore>,
    by_name: Arc<DefaultKeyedRateLimiter<NameKey>>,
    by_address: Arc<DefaultKeyedRateLimiter<IpAddr>>,
    /// How many guests come from one address.
    pub(super) guests: Arc<DefaultKeyedRateLimiter<IpAddr>>,
}

impl Accounts {
    pub(super) fn open(db: Db, settings: &Settings, closing: CancellationToken) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let quota = |seconds, burst: NonZeroU32| {
            Quota::with_period(Duration::from_secs(seconds))
                .expect("a period is not zero")
                .allow_burst(burst)
        };
        Self {
            sessions: OpenSessions::open(db.clone(), closing),
            db,
            hashing: Arc::new(Semaphore::new(cores)),
            by_name: Arc::new(RateLimiter::keyed(quota(10, settings.sign_in_by_name))),
            by_address: Arc::new(RateLimiter::keyed(quota(1, settings.sign_in_by_address))),
            guests: Arc::new(RateLimiter::keyed(quota(60, settings.guests_by_address))),
        }
    }

    /// Opens an account and a session for it, in this browser.
    pub async fn register(
        &self,
        name: &str,
        password: &str,
        agent: &str,
    ) -> Result<(Account, SessionToken), Error> {
        let name = Name::read(name).ok_or(Code::InvalidName)?;
        let password = Password::read(password).ok_or(Code::InvalidPassword)?;
        // A taken name is told before the work of hashing; the constraint still decides.
        if db::accounts::by_name(&self.db, name.key().as_str())
            .await?
            .is_some()
        {
            return Err(Code::NameTaken.into());
        }
        let hash = self.hash(password).await?;
        let id = db::accounts::insert(&self.db, name.as_str(), name.key().as_str(), &hash).await?;
        let account = Account {
            id,
            name: name.as_str().to_owned(),
            guest: false,
        };
        let token = self.open_session(&account, agent).await?;
        Ok((account, token))
    }

    /// Opens a session for the name and password. It never says which of the two was wrong, nor takes less time over one.
    pub async fn sign_in(
        &self,
        visit: &Visit,
        name: &str,
        password: &str,
        agent: &str,
    ) -> Result<(Account, SessionToken), Error> {
        let key = NameKey::of(name);
        self.count_attempt(visit, &key)?;
        let found = db::accounts::by_name(&self.db, key.as_str()).await?;
        let (account, hash, closed) = match found {
            Some(stored) => (Some(stored.account), stored.password_hash, stored.closed),
            None => (None, None, false),
        };
        let matches = self.verify(Password::tried(password), hash).await?;
        let account = account.filter(|_| matches).ok_or(Code::BadCredentials)?;
        // Only whoever has the password is told.
        if closed {
            return Err(Code::AccountClosed.into());
        }
        let token = self.open_session(&account, agent).await?;
        Ok((account, token))
    }

    /// Counts a try of a password, and refuses one too many.
    pub(super) fn count_attempt(&self, visit: &Visit, key: &NameKey) -> Result<(), Error> {
        if self.by_address.check_key(&visit.address).is_err()
            || self.by_name.check_key(key).is_err()
        {
            return Err(Code::TooManyAttempts.into());
        }
        Ok(())
    }

    /// Ends the session and its streams, if there is one.
    pub async fn sign_out(&self, token: &SessionToken) -> Result<(), Error> {
        let digest = token.digest();
        db::accounts::end_session(&self.db, &digest).await?;
        self.sessions.end(&digest);
        Ok(())
    }

    /// Whose session this is.
    pub async fn of_session(&self, token: &SessionToken) -> Result<Option<Session>, Error> {
        db::accounts::of_session(&self.db, &token.digest()).await
    }

    /// Whose session this is, to open a stream in it.
    pub async fn visitor(&self, token: &SessionToken) -> Result<Option<Visitor>, Error> {
        let stay = self.sessions.stay(token);
        let session = self.of_session(token).await?;
        Ok(session.map(|session| Visitor {
            account: session.account,
            stay,
        }))
    }

    /// Lets the session live on for another 30 days.
    pub async fn renew(&self, token: &SessionToken) -> Result<(), Error> {
        db::accounts::renew(&self.db, &token.digest()).await
    }

    /// Keeps how this player wants the pages, for every browser they sign in with.
    pub async fn keep_settings(
        &self,
        player: &Account,
        settings: tochki_protocol::Settings,
    ) -> Result<(), Error> {
        db::accounts::keep_settings(&self.db, player.id, settings).await
    }

    pub(super) async fn open_session(
        &self,
        account: &Account,
        agent: &str,
    ) -> Result<SessionToken, Error> {
        let token = SessionToken::draw();
        db::accounts::open_session(&self.db, account.id, &token.digest(), agent).await?;
        Ok(token)
    }

    pub(super) async fn hash(&self, password: Password) -> Result<String, Error> {
        self.in_turn(move || {
            let hash = Argon2::default().hash_password(password.bytes());
            hash.map(|hash| hash.to_string())
        })
        .await?
        .map_err(|error| Error::invariant(format!("a password could not be hashed: {error}")))
    }

    /// Verifies a password. Where there is no such name, against a hash that fits none, so that both refusals take alike.
    pub(super) async fn verify(
        &self,
        password: Password,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        self.in_turn(move || {
            let hash = hash.as_deref().unwrap_or_else(|| NOBODYS_HASH.as_str());
            let hash = PasswordHash::new(hash);
            hash.is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.bytes(), &hash)
                    .is_ok()
            })
        })
        .await
    }

    /// Does the hashing on the pool for blocking work, a few at a time. The turn belongs to the work, not to the
    /// request: whoever hangs up has still used it.
    async fn in_turn<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let waiting = self.hashing.clone().acquire_owned();
        let turn = tokio::time::timeout(PATIENCE, waiting)
            .await
            .map_err(|_| Code::Unavailable)?
            .map_err(|_| Code::Unavailable)?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(turn);
            result
        });
        done.await
            .map_err(|error| Error::invariant(format!("hashing broke off: {error}")))
    }

    /// Forgets names and addresses that have not tried anything for long.
    pub(super) fn forget_old_attempts(&self) {
        self.by_name.retain_recent();
        self.by_address.retain_recent();
        self.guests.retain_recent();
    }
}

/// A hash that fits no password.
static NOBODYS_HASH: LazyLock<String> = LazyLock::new(|| {
    let nobody = SessionToken::draw();
    Argon2::default()
        .hash_password(nobody.expose().as_bytes())
        .map(|hash| hash.to_string())
        .unwrap_or_default()
});
