//! The line protocol.

use std::time::Duration;

/// The longest line of a client of the line protocol, in bytes, with its end.
pub const LINE_MAX_BYTES: usize = 256;

/// Number of unreadable lines in a row after which a line is closed.
pub const LINE_UNREADABLE_MAX: u32 = 20;

/// Burst of lines from a client of the line protocol, before it is read more slowly.
pub const LINES_BURST: u32 = 40;

/// Interval at which another line is read once [`LINES_BURST`] is used up.
pub const LINES_PERIOD: Duration = Duration::from_millis(50);

/// Number of reads of parts of lines that count as one line: the rest of a line that is too long costs little, because it is
/// dropped, but not nothing.
pub const LINE_PARTS_PER_LINE: u32 = 16;

/// Number of bytes of a single line after which the connection is closed.
pub const LINE_DROPPED_MAX_BYTES: usize = 1024 * 1024;

/// Time for which a client of the line protocol may stay connected without logging in.
pub const LINE_LOGIN_TIMEOUT: Duration = Duration::from_mins(2);

/// Time without a line after which a client of the line protocol is sent a ping.
pub const LINE_PING_AFTER: Duration = Duration::from_secs(5);

/// Time in which the client has to answer that ping.
pub const LINE_PONG_TIMEOUT: Duration = Duration::from_secs(6);

/// Time in which a line must be heard again when its player reconnects elsewhere, or its place is taken.
pub const LINE_PROBE_TIMEOUT: Duration = Duration::from_secs(2);

/// Interval of the heartbeats of open lines.
pub const LINE_TOUCH_INTERVAL: Duration = Duration::from_secs(5);

/// Age of the last heartbeat up to which a line counts as open.
pub const LINE_ALIVE_TIMEOUT: Duration = Duration::from_secs(15);

/// Time for which a lost line is remembered, so that its player can come back.
pub const LINE_MEMORY: Duration = Duration::from_hours(1);

/// The longest name of a game of the line protocol.
pub const LINE_GAME_NAME_MAX_CHARS: usize = 20;

/// Maximum number of attempts at a move when the board has changed meanwhile. Only a player with two windows needs more than one.
pub const LINE_MOVE_MAX_ATTEMPTS: usize = 5;

/// Maximum number of players connected by lines to one instance.
pub const LINE_MAX_PLAYERS: u32 = 1000;

/// Maximum number of games of players on lines at one instance.
pub const LINE_MAX_GAMES: u32 = 500;

/// Number of probes of the connection of one player that others may cause at once.
pub const LINE_PROBES: u32 = 3;

/// Interval at which another probe may be caused after [`LINE_PROBES`].
pub const LINE_PROBE_PERIOD: Duration = Duration::from_mins(1);
