//! Chat messages.

use super::days;
use std::time::Duration;

/// The longest chat message, and the longest reason of a report, in characters.
pub const MESSAGE_MAX_CHARS: usize = 300;

/// Length in characters from which the field of a chat message shows how many are left.
pub const MESSAGE_COUNTDOWN_CHARS: usize = 250;

/// Maximum number of combining marks on a letter in a message and in the name of a table. No script needs more, and long
/// sequences overlap other lines.
pub const TEXT_MAX_MARKS: usize = 4;

/// Maximum number of messages of a player within [`MESSAGE_WINDOW`].
pub const MESSAGES_PER_WINDOW: u32 = 5;

/// Window of [`MESSAGES_PER_WINDOW`].
pub const MESSAGE_WINDOW: Duration = Duration::from_secs(10);

/// Burst of messages to the waiting rooms and to spectators from one address.
pub const MESSAGES_BY_ADDRESS: u32 = 30;

/// Interval at which another message may come from one address once the burst is used up.
pub const MESSAGE_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(1);

/// Number of messages of a chat that are loaded with a page.
pub const CHAT_HISTORY_LEN: u32 = 50;

/// Maximum number of messages of a chat that an open page keeps.
pub const CHAT_PAGE_MAX_MESSAGES: u32 = 200;

/// Number of new messages, or removals of messages, that are read at once.
pub const CHAT_BATCH_LEN: i64 = 100;

/// Number of messages that a slow subscriber of a chat may be behind before it is sent back to the database.
pub const CHAT_CHANNEL_CAPACITY: usize = 64;

/// Interval at which the page of a match fetches the chat of the waiting rooms while that chat is open.
pub const LOBBY_CHAT_REFRESH_INTERVAL: Duration = Duration::from_secs(4);

/// Lifetime of messages in the waiting rooms.
pub const LOBBY_MESSAGE_LIFETIME: Duration = days(30);

/// Maximum number of muted players that are listed.
pub const MUTED_PLAYERS_LEN: u32 = 200;
