//! Mail.

use super::days;
use std::time::Duration;

/// The longest mail address, in bytes: what fits into a path of SMTP.
pub const MAIL_ADDRESS_MAX_BYTES: usize = 254;

/// Maximum number of links to confirm an address that are sent to one address within a day, whoever asks for them.
pub const CONFIRMATIONS_BY_ADDRESS: i64 = 3;

/// Maximum number of links to confirm an address that one player has sent within a day.
pub const CONFIRMATIONS_BY_PLAYER: i64 = 6;

/// Maximum number of links for a new password that are sent to one player within a day.
pub const RESETS_BY_PLAYER: i64 = 3;

/// Window of the counts of mails, and lifetime of what is known of mails that were sent.
pub const MAIL_WINDOW: Duration = days(1);

/// Lifetime of a link that confirms an address, and of an address whose link nobody follows.
pub const CONFIRMATION_LIFETIME: Duration = days(1);

/// Lifetime of a link that sets a new password.
pub const RESET_LIFETIME: Duration = Duration::from_hours(1);

/// Burst of requests from one network address that send a mail.
pub const MAIL_REQUESTS_BY_ADDRESS: u32 = 10;

/// Interval at which another request from one network address may send a mail once the burst is used up.
pub const MAIL_REQUEST_PERIOD: Duration = Duration::from_mins(6);

/// Interval at which reminders of turns and digests that are due are looked for.
pub const MAIL_NOTICE_SWEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Number of reminders, or of digests, that one statement writes mails of.
pub const MAIL_NOTICE_BATCH_LEN: i64 = 500;

/// Age of the notifications that a digest leaves out: those of an account that has just begun to get digests.
pub const DIGEST_MAX_AGE: Duration = days(2);

/// Number of notifications that a digest names. The others are counted.
pub const DIGEST_MAX_LEN: usize = 20;

/// Interval at which mails to be sent are looked for although nobody has told of any.
pub const MAIL_POLL_INTERVAL: Duration = Duration::from_secs(10);

/// Number of mails that an instance takes at once.
pub const MAIL_BATCH_LEN: i64 = 10;

/// Longest time in which a mail is sent.
pub const MAIL_SEND_TIMEOUT: Duration = Duration::from_secs(20);

/// Time after which another instance may take the mails that one has taken: longer than sending all of them may take.
pub const MAIL_CLAIM_LIFETIME: Duration = Duration::from_mins(5);

/// Pause after the first failure to send a mail; it doubles with each.
pub const MAIL_RETRY_PAUSE: Duration = Duration::from_mins(1);

/// Number of failures after which a mail is given up.
pub const MAIL_MAX_ATTEMPTS: i32 = 8;
