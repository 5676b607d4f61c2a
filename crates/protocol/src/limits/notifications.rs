//! Notifications.

use super::days;
use std::time::Duration;

/// Lifetime of a notification.
pub const NOTIFICATION_LIFETIME: Duration = days(90);

/// Number of notifications on a page.
pub const NOTIFICATIONS_PAGE_LEN: u32 = 30;

/// The number up to which unread notifications are counted.
pub const UNREAD_COUNTED: u32 = 100;

/// Number of causes that one transaction makes notifications of.
pub const NOTIFICATION_BATCH_LEN: u32 = 500;

/// Pause before causes are taken that an instance has left because another one is telling an earlier one of the same subject.
pub const NOTIFICATION_ORDER_PAUSE: Duration = Duration::from_millis(50);

/// Interval at which the numbers of unread notifications of all players with a stream are read although nobody has told of a
/// change.
pub const UNREAD_POLL_INTERVAL: Duration = Duration::from_secs(30);

/// Number of push subscriptions of an account. A further one takes the place of the oldest.
pub const PUSH_SUBSCRIPTIONS_PER_PLAYER: u32 = 5;

/// Delay of a push, in which the player may come to the page by themselves.
pub const PUSH_DELAY: Duration = Duration::from_secs(2);

/// Interval at which an instance looks for pushes that are due.
pub const PUSH_POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Time for which a push service keeps a push for a browser that is not there. A push that is older is not sent.
pub const PUSH_LIFETIME: Duration = Duration::from_hours(12);

/// Lifetime of the token by which a push service knows this server.
pub const PUSH_TOKEN_LIFETIME: Duration = Duration::from_hours(12);

/// Time for which the same token is sent to a push service.
pub const PUSH_TOKEN_REUSE: Duration = Duration::from_hours(6);

/// Number of push services whose tokens are kept.
pub const PUSH_TOKENS_KEPT: usize = 64;

/// Timeout of a request to a push service.
pub const PUSH_TIMEOUT: Duration = Duration::from_secs(10);

/// Time after which a push whose sender has not said that it was sent is sent again. A push is sent as soon as it is claimed.
pub const PUSH_LEASE: Duration = Duration::from_mins(1);

/// The first delay before a push is sent again that a push service has not taken; twice as long after each that follows.
pub const PUSH_MIN_RETRY: Duration = Duration::from_secs(10);

/// The shortest delay where a push service asks for one, such as none at all.
pub const PUSH_MIN_TOLD_RETRY: Duration = Duration::from_secs(30);

/// The longest delay, unless a push service asks for a longer one.
pub const PUSH_MAX_RETRY: Duration = Duration::from_hours(1);

/// The longest delay where a push service asks for one.
pub const PUSH_MAX_TOLD_RETRY: Duration = Duration::from_hours(24);

/// Time for which the beginning of a turn and the end of a match are kept for a player whose page of the match is open: the connection may
/// be lost already, which is noticed after [`PEER_TIMEOUT`](super::PEER_TIMEOUT). They are told if the page is gone by then, and the turn
/// is not over.
pub const NOTICE_HOLD: Duration = Duration::from_secs(12);

/// Time for which the beginning of a turn is kept for a player whose conditional moves may answer it, after 2 to 20 seconds and a sweep.
pub const ANSWER_NOTICE_HOLD: Duration = Duration::from_secs(25);

/// Number of requests to push services that an instance makes at once.
pub const PUSHES_AT_ONCE: usize = 512;

/// Number of requests to one push service that an instance makes at once: one that hangs leaves the others their places. Beside those that
/// are sent while an instance claims more of them, there are some left to send.
pub const PUSHES_AT_ONCE_PER_HOST: usize = 128;

/// Number of pushes that are sent before an instance claims more of them. More at once would delay the moves of live matches.
pub const PUSHES_BETWEEN_CLAIMS: usize = 32;

/// Number of pushes whose failure an instance notes at once: all requests to a push service that hangs time out in the same moment, and
/// the connections to the database are also those of moves.
pub const PUSHES_SETTLED_AT_ONCE: usize = 2;

/// Maximum length of the endpoint of a push subscription, in bytes.
pub const PUSH_ENDPOINT_MAX_BYTES: usize = 1024;

/// Maximum length of the content of a push, in bytes.
pub const PUSH_MAX_BYTES: usize = 3072;

const _: () = assert!(
    PUSHES_AT_ONCE >= 4 * PUSHES_AT_ONCE_PER_HOST,
    "three push services that hang leave places to a fourth"
);

const _: () = assert!(
    PUSHES_AT_ONCE_PER_HOST >= 4 * PUSHES_BETWEEN_CLAIMS,
    "pushes are being sent while more are claimed"
);

const _: () = assert!(
    PUSH_LEASE.as_secs() > 2 * PUSH_TIMEOUT.as_secs(),
    "nobody else sends what is being sent"
);
