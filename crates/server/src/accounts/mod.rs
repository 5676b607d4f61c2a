//! Registration, sign-in, sessions and guests.

pub mod db;
mod entry_passwords;
mod guests;
mod hashing;
mod lines;
mod mail;
mod management;
mod passkeys;
mod recovery;
pub mod sanctions;
pub mod sessions;
mod tokens;
pub mod webauthn;

pub use crate::accounts::db::Session;
pub use crate::accounts::db::tokens::TokenSession;
pub use crate::attempts::client_address::ClientAddress;
pub use lines::{LineClient, RecentLineClient};

use crate::Error;
use crate::accounts::hashing::Hashing;
use crate::accounts::sanctions::Sanctions;
use crate::accounts::sessions::{OpenSessions, SessionGuard};
use crate::attempts::{AttemptSource, Attempts};
use crate::bus::notifier::Notifier;
use crate::bus::topic::Credential;
use crate::db::{Db, Tx};
use crate::detached::run_detached;
use crate::mail::Mails;
use crate::names;
use crate::names::db::NameRow;
use crate::secrets::{Password, SessionToken, TypedPassword};
use crate::settings::Settings;
use crate::supervision::Tasks;
use tochki_names::{Name, NameKey};
use tochki_protocol::{self, Account, Code, LanguageChoice, PlayerId};

/// The browser that a request comes from.
#[derive(Clone, Debug)]
pub struct Browser {
    /// Its network address.
    pub client: ClientAddress,
    /// Short user agent, such as `Firefox, Linux`; empty if unknown.
    pub agent: String,
    /// The token that it was given when it was first signed in.
    pub device: Option<SessionToken>,
    /// The token of the session that it has.
    pub session: Option<SessionToken>,
}

/// The result of signing in, for the browser.
pub struct SignedIn {
    /// The player.
    pub account: Account,
    /// The token of the new session.
    pub session: SessionToken,
    /// The token by which the browser is known; `None` for a guest, who has no password to be guessed.
    pub device: Option<SessionToken>,
}

/// The signed-in player who opens a stream.
pub struct StreamCaller {
    /// The player.
    pub account: Account,
    /// Registers the stream with the session.
    pub session: SessionGuard,
    /// Whether the stream makes the player present: a token that may only read does not.
    pub may_play: bool,
}

/// Registration, sign-in, sessions.
#[derive(Clone)]
pub struct Accounts {
    db: Db,
    /// The sessions with open streams.
    pub(crate) sessions: OpenSessions,
    /// One thread for each core: hashing a password occupies a core and 19 MiB.
    hashing: Hashing,
    attempts: Attempts,
    sanctions: Sanctions,
    mails: Mails,
}

impl Accounts {
    pub(crate) fn open(
        db: Db,
        settings: &Settings,
        notifier: Notifier,
        tasks: &Tasks,
        sanctions: Sanctions,
        mails: Mails,
    ) -> Self {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Self {
            sessions: OpenSessions::open(db.clone(), settings, notifier, tasks),
            attempts: Attempts::open(db.clone(), settings),
            hashing: Hashing::start(cores, settings.hashing_cost),
            sanctions,
            mails,
            db,
        }
    }

    /// Number of passwords waiting to be hashed.
    pub(crate) fn hashing_jobs_waiting(&self) -> usize {
        self.hashing.waiting()
    }

    /// Creates an account and a session for it in this browser.
    ///
    /// # Errors
    /// `invalid_name`, `invalid_password`, `name_taken`, or `too_many_attempts`.
    pub async fn register(
        &self,
        browser: &Browser,
        name: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        self.sanctions
            .check_new_name(browser.client.address)
            .await?;
        let name = Name::read(name)?;
        let password = Password::read(password, name.as_str())?;
        // Checked before the expensive hashing; the constraints still decide.
        self.check_name_is_free(&name, None).await?;
        // Refused names and passwords do not count.
        self.attempts.register(browser.client.address).await?;
        let hash = self.hashing.hash(password).await?;
        let mut tx = crate::db::begin(&self.db).await?;
        let account = db::insert(&mut tx, &NameRow::of(&name), &hash).await?;
        self.commit_new(tx, browser, account).await
    }

    /// Commits a new player, with the sanction of their address, and opens a session for them.
    async fn commit_new(
        &self,
        mut tx: Tx,
        browser: &Browser,
        account: Account,
    ) -> Result<SignedIn, Error> {
        self.sanctions
            .carry_over(&mut tx, account.id, browser.client.address)
            .await?;
        tx.commit().await?;
        self.open_session(browser, account).await
    }

    /// Refuses a name that is taken, or looks like one that is, by somebody else than this player.
    async fn check_name_is_free(&self, name: &Name, player: Option<PlayerId>) -> Result<(), Error> {
        db::line_connections::release(&self.db, &NameRow::of(name)).await?;
        let holders = names::db::holders(&self.db, &NameRow::of(name)).await?;
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
        browser: &Browser,
        name: &str,
        password: &str,
    ) -> Result<SignedIn, Error> {
        let key = NameKey::of(name);
        let known = self.known_as(browser, &key).await?;
        let source = known.map_or(
            AttemptSource::Address(browser.client.address),
            AttemptSource::KnownDevice,
        );
        let (accounts, name, password) =
            (self.clone(), name.to_owned(), TypedPassword::of(password));
        // It runs to its end, so that a right password does not count as a wrong one when the visitor leaves.
        let signing_in = async move {
            let attempt = accounts.attempts.try_password(source, &name).await?;
            let found = db::by_name(&accounts.db, key.as_str()).await?;
            let (account, hash, closed) = match found {
                Some(stored) => (Some(stored.account), stored.password_hash, stored.closed),
                None => (None, None, false),
            };
            let player = account.as_ref().map(|account| account.id);
            let matches = accounts.verify(player, password, hash).await?;
            let account = account.filter(|_| matches).ok_or(Code::BadCredentials)?;
            accounts.attempts.refund(attempt).await?;
            // Told only to someone who knows the password.
            if closed {
                return Err(Code::AccountClosed.into());
            }
            Ok(account)
        };
        let account = run_detached(signing_in).await?;
        self.open_session(browser, account).await
    }

    /// Verifies a password as it was typed. A hash from before passwords were normalized is replaced.
    async fn verify(
        &self,
        player: Option<PlayerId>,
        password: TypedPassword,
        hash: Option<String>,
    ) -> Result<bool, Error> {
        let TypedPassword { normal, as_typed } = password;
        if self.hashing.verify(normal.clone(), hash.clone()).await? {
            return Ok(true);
        }
        let (Some(as_typed), Some(hash), Some(player)) = (as_typed, hash, player) else {
            return Ok(false);
        };
        if !self.hashing.verify(as_typed, Some(hash.clone())).await? {
            return Ok(false);
        }
        let fresh = self.hashing.hash(normal).await?;
        db::replace_hash(&self.db, player, &hash, &fresh).await?;
        Ok(true)
    }

    /// The digest by which this browser is known at the account with this name: of its session there, or of its device.
    async fn known_as(&self, browser: &Browser, key: &NameKey) -> Result<Option<Vec<u8>>, Error> {
        if let Some(token) = &browser.session
            && let Some(session) = self.session(token).await?
            && NameKey::of(&session.account.name) == *key
        {
            return Ok(Some(token.digest()));
        }
        let Some(digest) = browser.device.as_ref().map(SessionToken::digest) else {
            return Ok(None);
        };
        let known = db::devices::is_known(&self.db, &digest, key.as_str()).await?;
        Ok(known.then_some(digest))
    }

    /// Ends the session and its streams, if there is one.
    pub async fn sign_out(&self, token: &SessionToken) -> Result<(), Error> {
        if let Some(id) = db::end_session(&self.db, &token.digest()).await? {
            self.sessions.end(Credential::Session(id));
        }
        Ok(())
    }

    /// The open session of this token.
    pub async fn session(&self, token: &SessionToken) -> Result<Option<Session>, Error> {
        let (digest, generation) = (token.digest(), self.sessions.cache_generation());
        let session = db::session_by_token(&self.db, &digest).await?;
        if let Some(session) = &session
            && !session.needs_renewal
        {
            self.sessions.remember(generation, digest, session);
        }
        Ok(session)
    }

    /// The open session of this token, if it was read within [`limits::SESSION_CACHE_LIFETIME`].
    ///
    /// [`limits::SESSION_CACHE_LIFETIME`]: tochki_protocol::limits::SESSION_CACHE_LIFETIME
    pub fn recent_session(&self, token: &SessionToken) -> Option<Session> {
        self.sessions.recent(&token.digest())
    }

    /// The player of this session, with the guard that ends a stream when the session ends.
    pub async fn stream_caller(&self, token: &SessionToken) -> Result<Option<StreamCaller>, Error> {
        // A session that ends in between is found by the next poll.
        let session = self.session(token).await?;
        if let Some(session) = session.as_ref().filter(|session| session.needs_renewal) {
            // A stream has no answer that a cookie could go with.
            db::note_visit(&self.db, session.account.id).await?;
        }
        Ok(session.map(|session| StreamCaller {
            session: self.sessions.register_stream(session.id),
            account: session.account,
            may_play: true,
        }))
    }

    /// Renews the session for [`tochki_protocol::limits::SESSION_LIFETIME`].
    pub async fn renew(
        &self,
        token: &SessionToken,
        client: &ClientAddress,
        agent: &str,
    ) -> Result<(), Error> {
        db::renew_session(&self.db, &token.digest(), agent, &client.coarse()).await
    }

    /// Stores the display settings of an account, which apply in every browser.
    pub async fn save_settings(
        &self,
        player: &Account,
        settings: tochki_protocol::Settings,
    ) -> Result<(), Error> {
        if let LanguageChoice::Tag(tag) = settings.language {
            crate::mail::db::set_language(&self.db, player.id, tag.as_str()).await?;
        }
        db::save_settings(&self.db, player.id, settings).await
    }

    /// Opens a session of this player in this browser, which ends the one that the browser had, and remembers the browser.
    async fn open_session(&self, browser: &Browser, account: Account) -> Result<SignedIn, Error> {
        let device = if account.guest {
            None
        } else {
            Some(self.remember_device(browser, account.id).await?)
        };
        // First, so that it is not another that is one too many.
        if let Some(former) = &browser.session {
            self.sign_out(former).await?;
        }
        let session = SessionToken::generate();
        let ended = db::open_session(
            &self.db,
            account.id,
            &session.digest(),
            &browser.agent,
            &browser.client.coarse(),
        )
        .await?;
        for id in ended {
            self.sessions.end(Credential::Session(id));
        }
        Ok(SignedIn {
            account,
            session,
            device,
        })
    }

    /// Notes that this player has been signed in in this browser. A browser keeps its token, unless we have not given it.
    async fn remember_device(
        &self,
        browser: &Browser,
        player: PlayerId,
    ) -> Result<SessionToken, Error> {
        let token = match &browser.device {
            Some(token) if db::devices::exists(&self.db, &token.digest()).await? => token.clone(),
            _ => SessionToken::generate(),
        };
        let digest = token.digest();
        if db::devices::remember(&self.db, &digest, player, &browser.agent).await? {
            self.tell_sign_in(player, &browser.agent).await;
        }
        Ok(token)
    }
}
