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

/// Interval at which the numbers of unread notifications of all players with a stream are read although nobody has told of a
/// change.
pub const UNREAD_POLL_INTERVAL: Duration = Duration::from_secs(30);
