//! Registration, sign-in, sessions and guests.

mod guests;
mod management;

pub use crate::db::accounts::Session;

use crate::Error;
use crate::db::{self, Db};
use crate::names::{Name, NameKey};
use crate::secrets::{Password, SessionToken};
use crate::sessions::{OpenSessions, SessionGuard};
use crate::settings::Settings;
use argon2::Argon2;
use argon2::password_hash::{PasswordHasher as _, PasswordVerifier as _, phc::PasswordHash};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use std::net::IpAddr;
use std::num::NonZeroU32;
use std::sync::{Arc, LazyLock};
use tochki_protocol::{self, Account, Code, PlayerId, limits};
use tokio::sync::Semaphore;
use tokio_util::sync::CancellationToken;

/// The network address that a request comes from.
#[derive(Clone, Copy, Debug)]
pub struct ClientAddress {
    /// The address, or the /64 network of an IPv6 address.
    pub address: IpAddr,
}

/// The signed-in player who opens a stream.
pub struct StreamCaller {
    /// The player.
    pub account: Account,
    /// Registers the stream with the session.
    pub session: SessionGuard,
}

/// Registration, sign-in, sessions.
#[derive(Clone)]
pub struct Accounts {
    db: Db,
    /// The sessions with open streams.
    pub(crate) sessions: OpenSessions,
    /// One permit for each core: hashing a password occupies a core and 19 MiB.
    hashing: Arc<Semaphore>,
    by_name: Arc<DefaultKeyedRateLimiter<NameKey>>,
    by_address: Arc<DefaultKeyedRateLimiter<IpAddr>>,
    /// New guests by address.
    guests: Arc<DefaultKeyedRateLimiter<IpAddr>>,
}

impl Accounts {
    pub(crate) fn open(db: Db, settings: &Settings, shutdown: CancellationToken) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let quota = |period, burst: NonZeroU32| {
            Quota::with_period(period)
                .expect("a period is not zero")
                .allow_burst(burst)
        };
        Self {
            sessions: OpenSessions::open(db.clone(), shutdown),
            db,
            hashing: Arc::new(Semaphore::new(cores)),
            by_name: Arc::new(RateLimiter::keyed(quota(
                limits::SIGN_IN_PERIOD_BY_NAME,
                settings.sign_in_by_name,
            ))),
            by_address: Arc::new(RateLimiter::keyed(quota(
                limits::SIGN_IN_PERIOD_BY_ADDRESS,
                settings.sign_in_by_address,
            ))),
            guests: Arc::new(RateLimiter::keyed(quota(
                limits::GUEST_PERIOD_BY_ADDRESS,
                settings.guests_by_address,
            ))),
        }
    }

    /// Creates an account and a session for it in this browser.
    ///
    /// # Errors
    /// `invalid_name`, `invalid_password`, or `name_taken`.
    pub async fn register(
        &self,
        name: &str,
        password: &str,
        agent: &str,
    ) -> Result<(Account, SessionToken), Error> {
        let name = Name::read(name)?;
        let password = Password::read(password, name.as_str())?;
        // Checked before the expensive hashing; the constraints still decide.
        self.check_name_is_free(&name, None).await?;
        let hash = self.hash(password).await?;
        let id = db::accounts::insert(&self.db, &name.row(), &hash).await?;
        let account = Account {
            id,
            name: name.as_str().to_owned(),
            guest: false,
        };
        let token = self.open_session(&account, agent).await?;
        Ok((account, token))
    }

    /// Refuses a name that is taken, or looks like one that is, by somebody else than this player.
    async fn check_name_is_free(&self, name: &Name, player: Option<PlayerId>) -> Result<(), Error> {
        let holders = db::names::holders(&self.db, &name.row()).await?;
        if holders.into_iter().any(|holder| Some(holder) != player) {
            return Err(Code::NameTaken.into());
        }
        Ok(())
    }

    /// Opens a session for the name and password. Neither the answer nor its duration tells which of the two was wrong.
    ///
    /// # Errors
    /// `bad_credentials`, `account_closed`, or `too_many_attempts`.
    pub async fn sign_in(
        &self,
        client: &ClientAddress,
        name: &str,
        password: &str,
        agent: &str,
    ) -> Result<(Account, SessionToken), Error> {
        let key = NameKey::of(name);
        self.check_sign_in_rate(client, &key)?;
        let found = db::accounts::by_name(&self.db, key.as_str()).await?;
        let (account, hash, closed) = match found {
            Some(stored) => (Some(stored.account), stored.password_hash, stored.closed),
            None => (None, None, false),
        };
        let matches = self.verify(Password::unchecked(password), hash).await?;
        let account = account.filter(|_| matches).ok_or(Code::BadCredentials)?;
        // Told only to someone who knows the password.
        if closed {
            return Err(Code::AccountClosed.into());
        }
        let token = self.open_session(&account, agent).await?;
        Ok((account, token))
    }

    /// Counts an attempt at a password, and refuses one too many with `too_many_attempts`.
    pub(crate) fn check_sign_in_rate(
        &self,
        client: &ClientAddress,
        key: &NameKey,
    ) -> Result<(), Error> {
        if self.by_address.check_key(&client.address).is_err()
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

    /// The open session of this token.
    pub async fn session(&self, token: &SessionToken) -> Result<Option<Session>, Error> {
        db::accounts::session_by_token(&self.db, &token.digest()).await
    }

    /// The player of this session, with the guard that ends a stream when the session ends.
    pub async fn stream_caller(&self, token: &SessionToken) -> Result<Option<StreamCaller>, Error> {
        // Registered first, so that a session that ends meanwhile ends the stream.
        let guard = self.sessions.register_stream(token);
        let session = self.session(token).await?;
        Ok(session.map(|session| StreamCaller {
            account: session.account,
            session: guard,
        }))
    }

    /// Renews the session for [`tochki_protocol::limits::SESSION_LIFETIME`].
    pub async fn renew(&self, token: &SessionToken) -> Result<(), Error> {
        db::accounts::renew_session(&self.db, &token.digest()).await
    }

    /// Stores the display settings of an account, which apply in every browser.
    pub async fn save_settings(
        &self,
        player: &Account,
        settings: tochki_protocol::Settings,
    ) -> Result<(), Error> {
        db::accounts::save_settings(&self.db, player.id, settings).await
    }

    pub(crate) async fn open_session(
        &self,
        account: &Account,
        agent: &str,
    ) -> Result<SessionToken, Error> {
        let token = SessionToken::generate();
        db::accounts::open_session(&self.db, account.id, &token.digest(), agent).await?;
        Ok(token)
    }

    pub(crate) async fn hash(&self, password: Password) -> Result<String, Error> {
        self.hash_blocking(move || {
            let hash = Argon2::default().hash_password(password.bytes());
            hash.map(|hash| hash.to_string())
        })
        .await?
        .map_err(|error| Error::invariant(format!("a password could not be hashed: {error}")))
    }

    /// Verifies a password; without a hash against one that no password has, so that both refusals take equally long.
    pub(crate) async fn verify(
        &self,
        password: Password,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        self.hash_blocking(move || {
            let hash = hash.as_deref().unwrap_or_else(|| UNMATCHABLE_HASH.as_str());
            let hash = PasswordHash::new(hash);
            hash.is_ok_and(|hash| {
                Argon2::default()
                    .verify_password(password.bytes(), &hash)
                    .is_ok()
            })
        })
        .await
    }

    /// Runs the hashing on the blocking pool, one per core. The permit belongs to the work and not to the request: a client
    /// that disconnects frees it only when the work is done.
    async fn hash_blocking<T: Send + 'static>(
        &self,
        work: impl FnOnce() -> T + Send + 'static,
    ) -> Result<T, Error> {
        let permit = self.hashing.clone().acquire_owned();
        let permit = tokio::time::timeout(limits::HASHING_TIMEOUT, permit)
            .await
            .map_err(|_| Code::Unavailable)?
            .map_err(|_| Code::Unavailable)?;
        let done = tokio::task::spawn_blocking(move || {
            let result = work();
            drop(permit);
            result
        });
        done.await
            .map_err(|error| Error::invariant(format!("the hashing task failed: {error}")))
    }

    /// Forgets names and addresses whose rate limits are full again.
    pub(crate) fn prune_rate_limits(&self) {
        self.by_name.retain_recent();
        self.by_address.retain_recent();
        self.guests.retain_recent();
    }
}

/// A hash that no password has.
static UNMATCHABLE_HASH: LazyLock<String> = LazyLock::new(|| {
    let random = SessionToken::generate();
    Argon2::default()
        .hash_password(random.expose().as_bytes())
        .map(|hash| hash.to_string())
        .unwrap_or_default()
});
