//! Chat messages.

use super::days;
use std::time::Duration;

/// The longest chat message, and the longest reason of a report, in characters.
pub const MESSAGE_MAX_CHARS: usize = 300;

/// From how many characters on the field of a chat message says how many are left.
pub const MESSAGE_COUNTDOWN_CHARS: usize = 250;

/// How many combining marks a letter has at most in a message and in the name of a table. No script needs more, and long
/// sequences overlap other lines.
pub const TEXT_MAX_MARKS: usize = 4;

/// How many messages a player may send within [`MESSAGE_WINDOW`].
pub const MESSAGES_PER_WINDOW: u32 = 5;

/// See [`MESSAGES_PER_WINDOW`].
pub const MESSAGE_WINDOW: Duration = Duration::from_secs(10);

/// How many messages to the waiting rooms and to spectators may come in a row from one address.
pub const MESSAGES_BY_ADDRESS: u32 = 30;

/// How often another message may come from one address once the burst is used up.
pub const MESSAGE_PERIOD_BY_ADDRESS: Duration = Duration::from_secs(1);

/// How many messages of a chat are loaded with a page.
pub const CHAT_HISTORY_LEN: u32 = 50;

/// How many messages of a chat an open page keeps.
pub const CHAT_PAGE_MAX_MESSAGES: u32 = 200;

/// How many new messages, or removals of messages, are read at once.
pub const CHAT_BATCH_LEN: i64 = 100;

/// How many messages of a chat a slow subscriber may be behind before it is sent back to the database.
pub const CHAT_CHANNEL_CAPACITY: usize = 64;

/// How often a match fetches the chat of the waiting rooms while that is open.
pub const LOBBY_CHAT_REFRESH_INTERVAL: Duration = Duration::from_secs(4);

/// How long messages in the waiting rooms are kept.
pub const LOBBY_MESSAGE_LIFETIME: Duration = days(30);

/// How many muted players are listed.
pub const MUTED_PLAYERS_LEN: u32 = 200;
