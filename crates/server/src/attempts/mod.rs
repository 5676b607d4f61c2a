//! Rate limits on attempts: passwords, passkeys, registrations, guests, and what one person or address may say or open.
//!
//! Attempts counted by address are also counted by IPv6 site, with [`limits::SITE_FACTOR`] times the limit.
//!
//! Wrong passwords are counted by name and address, and with a higher limit by name alone, so that many addresses together
//! are limited too. A session of the account, and a browser that has been signed in to it, have counts of their own. So have
//! addresses: once the count by name is used up, an address that has not guessed itself still has a share
//! ([`limits::SIGN_IN_OWN_SHARE`]). So guessing by others never keeps the owner out, and `n` addresses have at most
//! [`limits::GUESSES_PER_DAY`] guesses a day together, and four a day each.
//!
//! An attempt is counted before the password is hashed, in one transaction for all of its counts, and taken back if the
//! password was right. The code that checks passwords runs to its end even if the request is dropped, so a right password is
//! always taken back, and a wrong one never. The counts are in the database, so that all instances share them.

pub mod client_address;
pub mod db;

use crate::Error;
use crate::attempts::client_address::ClientAddress;
use crate::db::{Db, Tx};
use crate::settings::Settings;
use sha2::{Digest as _, Sha256};
use std::net::IpAddr;
use std::slice::from_mut;
use std::time::Duration;
use tochki_names::NameKey;
use tochki_play::Millis;
use tochki_protocol::{Code, PlayerId, limits};

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
    /// Wrong passwords from one address.
    by_address: Limit,
    /// Passwords from one address, right or wrong: checking one is work.
    checks: Limit,
    /// Wrong passwords for one name from one address or one browser.
    by_name: Limit,
    /// Wrong passwords for one name in all, or from one browser in a day.
    daily: Limit,
    /// Wrong passwords for one name from one address while those in all are used up.
    own_share: Limit,
    registrations: Limit,
    guests: Limit,
    /// Messages to the waiting rooms and to spectators from one address.
    messages: Limit,
    /// Recovery codes for one name from one address. A code cannot be guessed, so there is no count by name alone, which
    /// could keep its owner out.
    recovery: Limit,
    /// Challenges of passkeys from one address. A passkey cannot be guessed; a challenge is a row that is kept for a while.
    passkeys: Limit,
}

/// Origin of an attempt with a password.
#[derive(Clone, Debug)]
pub enum AttemptSource {
    /// Anybody, at an address.
    Address(IpAddr),
    /// A session of the account, or a browser that has been signed in to it, by the digest of its token.
    KnownDevice(Vec<u8>),
}

/// An attempt that counts unless it is taken back ([`Attempts::refund`]): a password that was right, or something that was refused
/// for another reason.
#[must_use]
pub struct CountedAttempt {
    counted: Vec<Count>,
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
            checks: Limit {
                kind: "checks",
                burst: limits::PASSWORD_CHECKS_BY_ADDRESS,
                period: limits::PASSWORD_CHECK_PERIOD_BY_ADDRESS,
            },
            own_share: Limit {
                kind: "share",
                burst: limits::SIGN_IN_OWN_SHARE,
                period: limits::SIGN_IN_OWN_SHARE_PERIOD,
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
            messages: limit(
                "say",
                settings.messages_by_address,
                limits::MESSAGE_PERIOD_BY_ADDRESS,
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

    /// Counts an attempt with a password for this name: in all of its counts, or in none.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn try_password(
        &self,
        source: AttemptSource,
        name: &str,
    ) -> Result<CountedAttempt, Error> {
        let name = NameKey::of(name);
        let name = name.as_str().as_bytes();
        let mut counted = Vec::new();
        let mut tx;
        match source {
            AttemptSource::Address(address) => {
                let mut daily = Count::of(self.daily, &[name]);
                let site = (ClientAddress { address }).site().unwrap_or(address);
                let mut share = Count::of(self.own_share, &[name, site.to_string().as_bytes()]);
                // First of all, and only read: so nothing is written once the attempts are used up.
                if let Some(refused) = self.wait(&daily).await?
                    && let Some(of_share) = self.wait(&share).await?
                {
                    let seconds = refused.min(of_share);
                    return Err(Error::Limited(Code::TooManyAttempts, seconds));
                }
                tx = crate::db::begin(&self.db).await?;
                take_all(&mut tx, &mut of_address(self.checks, address)).await?;
                let mut own = of_address(self.by_address, address);
                let text = address.to_string();
                own.push(Count::of(self.by_name, &[name, text.as_bytes()]));
                take_all(&mut tx, &mut own).await?;
                counted.extend(own);
                match take_all(&mut tx, from_mut(&mut daily)).await {
                    Ok(()) => counted.push(daily),
                    // Others have used it up. Their guesses do not count here.
                    Err(refused) if refused.retry_after().is_some() => {
                        // Whichever is free first.
                        let taken = take_all(&mut tx, from_mut(&mut share)).await;
                        taken.map_err(|error| sooner(error, refused))?;
                        counted.push(share);
                    }
                    Err(failed) => return Err(failed),
                }
            }
            AttemptSource::KnownDevice(digest) => {
                counted.push(Count::of(self.by_name, &[name, &digest]));
                counted.push(Count::of(self.daily, &[name, &digest]));
                tx = crate::db::begin(&self.db).await?;
                take_all(&mut tx, &mut counted).await?;
            }
        }
        tx.commit().await?;
        Ok(CountedAttempt { counted })
    }

    /// The attempt does not count. Its counts are locked in the order in which they were taken.
    pub async fn refund(&self, attempt: CountedAttempt) -> Result<(), Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        for count in &attempt.counted {
            db::refund(&mut tx, &count.key, count.limit.period).await?;
        }
        tx.commit().await?;
        Ok(())
    }

    /// Counts a try of a recovery code for this name.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn recover(&self, address: IpAddr, name: &str) -> Result<(), Error> {
        let key = NameKey::of(name);
        let mut counts = of_address(self.by_address, address);
        let text = address.to_string();
        counts.push(Count::of(
            self.recovery,
            &[key.as_str().as_bytes(), text.as_bytes()],
        ));
        self.take(counts).await.map(drop)
    }

    /// Counts a challenge for signing in with a passkey.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn challenge(&self, address: IpAddr) -> Result<(), Error> {
        self.take(of_address(self.passkeys, address))
            .await
            .map(drop)
    }

    /// Counts a registration.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn register(&self, address: IpAddr) -> Result<(), Error> {
        self.take(of_address(self.registrations, address))
            .await
            .map(drop)
    }

    /// Counts a request from an address that sends a mail.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn send_mail(&self, address: IpAddr) -> Result<(), Error> {
        let limit = Limit {
            kind: "mail",
            burst: limits::MAIL_REQUESTS_BY_ADDRESS,
            period: limits::MAIL_REQUEST_PERIOD,
        };
        self.take(of_address(limit, address)).await.map(drop)
    }

    /// Counts a probe of the connection that a player of the line protocol has already. Others may ask for it, too: a guest is known by
    /// name and address alone.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn probe_line(&self, player: PlayerId) -> Result<(), Error> {
        let limit = Limit {
            kind: "line probe",
            burst: limits::LINE_PROBES,
            period: limits::LINE_PROBE_PERIOD,
        };
        let counts = vec![Count::of(limit, &[&player.0.to_be_bytes()])];
        self.take(counts).await.map(drop)
    }

    /// Counts a password of a tournament, by the player and by the address.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub(crate) async fn enter(
        &self,
        player: PlayerId,
        address: IpAddr,
    ) -> Result<CountedAttempt, Error> {
        let limit = Limit {
            kind: "entry",
            burst: limits::ENTRY_PASSWORDS,
            period: limits::ENTRY_PASSWORD_PERIOD,
        };
        let mut counts = vec![Count::of(limit, &[&player.0.to_be_bytes()])];
        counts.extend(of_address(limit, address));
        self.take(counts).await
    }

    /// Counts a new guest.
    ///
    /// # Errors
    /// `too_many_attempts`.
    pub async fn create_guest(&self, address: IpAddr) -> Result<(), Error> {
        self.take(of_address(self.guests, address)).await.map(drop)
    }

    /// Counts a table that is opened. In a transaction of its own: another player at the same address who opens a table waits
    /// for no other work.
    ///
    /// # Errors
    /// `too_many_requests`.
    pub(crate) async fn open_table(
        &self,
        player: PlayerId,
        address: IpAddr,
    ) -> Result<CountedAttempt, Error> {
        let counted = self.take(table_counts(player, Some(address))).await;
        counted.map_err(too_many_requests)
    }

    /// Counts a player who sits down at a table of somebody else.
    ///
    /// # Errors
    /// `too_many_requests`.
    pub(crate) async fn sit_down(&self, tx: &mut Tx, player: PlayerId) -> Result<(), Error> {
        let done = take_all(tx, &mut [seat_count(player)]).await;
        done.map_err(too_many_requests)
    }

    /// A match has started at a table: neither its opening nor sitting down at it counts.
    pub(crate) async fn table_played(
        &self,
        creator: PlayerId,
        opened_at: Option<IpAddr>,
        sat_down: Option<PlayerId>,
    ) -> Result<(), Error> {
        let mut counted = table_counts(creator, opened_at);
        sort(&mut counted);
        counted.extend(sat_down.map(seat_count));
        self.refund(CountedAttempt { counted }).await
    }

    /// Counts a message to many readers from an address. In a transaction of its own: whoever speaks at the same address waits for
    /// no other work.
    ///
    /// # Errors
    /// `too_many_messages`.
    pub(crate) async fn say(&self, address: IpAddr) -> Result<CountedAttempt, Error> {
        let counted = self.take(of_address(self.messages, address)).await;
        counted.map_err(|error| with_code(error, Code::TooManyMessages))
    }

    /// After how many seconds there is room in this count; `None` if there is.
    async fn wait(&self, count: &Count) -> Result<Option<u32>, Error> {
        let Limit { burst, period, .. } = count.limit;
        db::wait(&self.db, &count.key, burst, period).await
    }

    /// Counts one attempt in all of these, or in none.
    async fn take(&self, mut counts: Vec<Count>) -> Result<CountedAttempt, Error> {
        let mut tx = crate::db::begin(&self.db).await?;
        take_all(&mut tx, &mut counts).await?;
        tx.commit().await?;
        Ok(CountedAttempt { counted: counts })
    }
}

/// The counts of a table that this player opens at an address.
fn table_counts(player: PlayerId, address: Option<IpAddr>) -> Vec<Count> {
    let by_player = Limit {
        kind: "table",
        burst: limits::TABLE_OPENINGS,
        period: limits::TABLE_OPENING_PERIOD,
    };
    let by_address = Limit {
        kind: "table address",
        burst: limits::TABLE_OPENINGS_BY_ADDRESS,
        period: limits::TABLE_OPENING_PERIOD_BY_ADDRESS,
    };
    let mut counts = vec![Count::of(by_player, &[&player.0.to_be_bytes()])];
    counts.extend(
        address
            .map(|address| of_address(by_address, address))
            .into_iter()
            .flatten(),
    );
    counts
}

/// The count of a player who sits down.
fn seat_count(player: PlayerId) -> Count {
    let limit = Limit {
        kind: "seat",
        burst: limits::SEAT_CHANGES,
        period: limits::SEAT_CHANGE_PERIOD,
    };
    Count::of(limit, &[&player.0.to_be_bytes()])
}

fn too_many_requests(error: Error) -> Error {
    with_code(error, Code::TooManyRequests)
}

/// Gives a refusal because of a limit this code. Returns other errors unchanged.
fn with_code(error: Error, code: Code) -> Error {
    match error {
        Error::Limited(_, seconds) => Error::Limited(code, seconds),
        other => other,
    }
}

/// One of the counts of an attempt.
#[derive(Clone, Debug)]
struct Count {
    key: Vec<u8>,
    limit: Limit,
}

impl Count {
    fn of(limit: Limit, subject: &[&[u8]]) -> Self {
        let mut hash = Sha256::new();
        for part in [limit.kind.as_bytes()].iter().chain(subject) {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
        Self {
            key: hash.finalize().to_vec(),
            limit,
        }
    }
}

/// The count of an address, and loosely that of its site.
fn of_address(limit: Limit, address: IpAddr) -> Vec<Count> {
    let mut counts = vec![Count::of(limit, &[address.to_string().as_bytes()])];
    if let Some(site) = (ClientAddress { address }).site() {
        let of_site = Limit {
            burst: (limit.burst * limits::SITE_FACTOR).min(limits::RATE_LIMIT_MAX_BURST),
            period: limit.period / limits::SITE_FACTOR,
            ..limit
        };
        counts.push(Count::of(of_site, &[b"site", site.to_string().as_bytes()]));
    }
    counts
}

/// Counts an attempt in all of these. After an error the transaction is to be rolled back.
///
/// Every transaction takes its counts in the same order (the kinds in the order of this file, those of one call by their
/// keys, in which they are sorted for a refund), so that they queue for each other without deadlocks.
async fn take_all(tx: &mut Tx, counts: &mut [Count]) -> Result<(), Error> {
    sort(counts);
    for count in counts {
        let Limit { burst, period, .. } = count.limit;
        if let Some(seconds) = db::take(tx, &count.key, burst, period).await? {
            return Err(Error::Limited(Code::TooManyAttempts, seconds));
        }
    }
    Ok(())
}

fn sort(counts: &mut [Count]) {
    counts.sort_by(|one, other| one.key.cmp(&other.key));
}

/// Of two refusals the one that is over sooner; a failure is told first.
fn sooner(one: Error, other: Error) -> Error {
    match (one.retry_after(), other.retry_after()) {
        (Some(of_one), Some(of_other)) if of_other < of_one => other,
        _ => one,
    }
}
