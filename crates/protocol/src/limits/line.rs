//! The line protocol.

use std::time::Duration;

/// The longest line of a client of the line protocol, in bytes, with its end.
pub const LINE_MAX_BYTES: usize = 256;

/// After so many lines in a row that cannot be read, a line is closed.
pub const LINE_UNREADABLE_MAX: u32 = 20;

/// How many lines a client of the line protocol may send at once, before it is read more slowly.
pub const LINES_BURST: u32 = 40;

/// How often another line is read once [`LINES_BURST`] is used up.
pub const LINES_PERIOD: Duration = Duration::from_millis(50);

/// How many reads of parts of lines count as one line: the rest of a line that is too long costs little, because it is
/// dropped, but not nothing.
pub const LINE_PARTS_PER_LINE: u32 = 16;

/// After so many bytes of one line, a line is closed.
pub const LINE_DROPPED_MAX_BYTES: usize = 1024 * 1024;

/// How long a client of the line protocol may stay connected without logging in.
pub const LINE_LOGIN_TIMEOUT: Duration = Duration::from_mins(2);

/// After how long without a line a client of the line protocol is sent a ping.
pub const LINE_PING_AFTER: Duration = Duration::from_secs(5);

/// How long it has to answer that ping.
pub const LINE_PONG_TIMEOUT: Duration = Duration::from_secs(6);

/// Interval of the heartbeats of open lines.
pub const LINE_TOUCH_INTERVAL: Duration = Duration::from_secs(5);

/// Age of the last heartbeat up to which a line counts as open.
pub const LINE_ALIVE_TIMEOUT: Duration = Duration::from_secs(15);

/// How long a lost line is remembered, so that its player can come back.
pub const LINE_MEMORY: Duration = Duration::from_hours(1);

/// The longest name of a game of the line protocol.
pub const LINE_GAME_NAME_MAX_CHARS: usize = 20;

/// How often a move is tried when the board has changed meanwhile. Only who plays in two windows needs it.
pub const LINE_MOVE_MAX_ATTEMPTS: usize = 5;

/// How many players may be connected by lines to one instance.
pub const LINE_MAX_PLAYERS: u32 = 1000;

/// How many games of theirs there may be at one instance.
pub const LINE_MAX_GAMES: u32 = 500;
