//! Signing in and registering: attempts, hashing, sessions, challenges of passkeys.

use super::days;
use std::time::Duration;

/// Burst of wrong passwords for one name from one address or browser.
pub const SIGN_IN_BY_NAME: u32 = 10;

/// Interval at which another wrong password for one name is allowed from one address or browser once the burst is used up.
pub const SIGN_IN_PERIOD_BY_NAME: Duration = Duration::from_secs(10);

/// Burst of wrong passwords from one address.
pub const SIGN_IN_BY_ADDRESS: u32 = 100;

/// Interval at which another wrong password from one address is allowed once the burst is used up.
pub const SIGN_IN_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(1);

/// Maximum number of wrong passwords for one name in a day, from all addresses together.
pub const GUESSES_PER_DAY: u32 = 1000;

/// Burst of wrong passwords for a name from one address (of IPv6: from one site, a /48) after those of [`GUESSES_PER_DAY`] are
/// used up by others.
pub const SIGN_IN_OWN_SHARE: u32 = 2;

/// Interval at which another one of [`SIGN_IN_OWN_SHARE`] is allowed.
pub const SIGN_IN_OWN_SHARE_PERIOD: Duration = Duration::from_hours(12);

/// Burst of passwords, right or wrong, that are checked for one address, because checking is work.
pub const PASSWORD_CHECKS_BY_ADDRESS: u32 = 300;

/// Interval at which another password of one address is checked once the burst is used up.
pub const PASSWORD_CHECK_PERIOD_BY_ADDRESS: Duration = Duration::from_millis(200);

/// Burst of registrations from one address.
pub const REGISTRATIONS_BY_ADDRESS: u32 = 5;

/// Interval at which another registration from one address is allowed once the burst is used up.
pub const REGISTRATION_PERIOD_BY_ADDRESS: Duration = Duration::from_mins(10);

/// Burst of new guests from one address.
pub const GUESTS_BY_ADDRESS: u32 = 30;

/// Interval at which another guest from one address is allowed once the burst is used up.
pub const GUEST_PERIOD_BY_ADDRESS: Duration = Duration::from_mins(1);

/// The largest burst of an attempt that is counted, whatever the settings say: a larger one would take longer to refill than
/// an interval of Postgres can be.
pub const RATE_LIMIT_MAX_BURST: u32 = 1_000_000;

/// Time-out of a request that waits for its password to be hashed.
pub const HASHING_TIMEOUT: Duration = Duration::from_secs(10);

/// Maximum number of jobs in each queue for hashing. A machine with two cores does as many in [`HASHING_TIMEOUT`].
pub const HASHING_QUEUE_LEN: usize = 256;

/// Lifetime of a session without being used.
pub const SESSION_LIFETIME: Duration = days(30);

/// Lifetime of a session from its beginning, however much it is used.
pub const SESSION_MAX_LIFETIME: Duration = days(180);

/// Maximum number of sessions of a player. One more ends the one that was used least recently.
pub const SESSIONS_PER_PLAYER: u32 = 50;

/// Age of the last renewal of a session from which on using the session renews it.
pub const SESSION_RENEWAL_INTERVAL: Duration = Duration::from_hours(1);

/// Interval at which an instance polls for sessions that have ended.
pub const SESSION_POLL_INTERVAL: Duration = Duration::from_secs(3);

/// Time for which a session is cached for moves. The cache is invalidated as soon as a session ends.
pub const SESSION_CACHE_LIFETIME: Duration = Duration::from_secs(3);

/// Capacity of the session cache of an instance.
pub const SESSION_CACHE_CAPACITY: usize = 20_000;

/// Time for which a known browser keeps its own count of wrong passwords.
pub const DEVICE_LIFETIME: Duration = days(365);

/// Time in which a browser has to answer the challenge of a passkey.
pub const PASSKEY_CHALLENGE_TIMEOUT: Duration = Duration::from_mins(5);

/// Time for which a page offers passkeys with the same challenge.
pub const PASSKEY_OFFER_LIFETIME: Duration = Duration::from_mins(4);

const _: () = assert!(
    PASSKEY_OFFER_LIFETIME.as_secs() < PASSKEY_CHALLENGE_TIMEOUT.as_secs(),
    "time is left for answering a challenge that is nearly renewed"
);

/// Maximum number of open challenges of passkeys; beyond that the oldest are given up.
pub const PASSKEY_CHALLENGES_MAX: u32 = 10_000;

/// Time after signing in with a passkey in which a new password can be set without the old one.
pub const PASSKEY_RESET_TIMEOUT: Duration = Duration::from_mins(10);
