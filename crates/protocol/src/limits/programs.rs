//! The client for programs (`tochki-client`), and `tochki-bot`.

use std::time::Duration;

/// Time-out of a request of the client.
pub const CLIENT_REQUEST_TIMEOUT: Duration = Duration::from_secs(20);

/// Time without a byte after which the client counts a connection as dead. The server writes on a stream at least every
/// [`STREAM_HEARTBEAT_INTERVAL`](super::STREAM_HEARTBEAT_INTERVAL).
pub const CLIENT_IDLE_TIMEOUT: Duration = Duration::from_secs(10);

/// Time for which the client repeats a request that fails on the way, unless the program sets another time.
pub const CLIENT_RETRY_TIMEOUT: Duration = Duration::from_mins(1);

/// The first delay of the client between two attempts; twice as long after each that follows.
pub const CLIENT_MIN_BACKOFF: Duration = Duration::from_millis(100);

/// The longest delay of the client between two attempts.
pub const CLIENT_MAX_BACKOFF: Duration = Duration::from_secs(2);

/// The longest time of a `Retry-After` that the client takes over.
pub const CLIENT_MAX_RETRY_AFTER: Duration = Duration::from_hours(24);

/// Delay before `tochki-bot` retries after a failure.
pub const BOT_RETRY_DELAY: Duration = Duration::from_secs(2);

/// Delay between attempts of `tochki-bot` to send something to a match. The client itself has tried for a while before each of
/// them.
pub const BOT_SEND_RETRY_DELAY: Duration = Duration::from_secs(1);

/// Time-out of the search for an opponent, which is then tried again the next time.
pub const BOT_SEEK_TIMEOUT: Duration = Duration::from_secs(5);

/// The least time between two challenges of an account of `tochki-bot`.
pub const BOT_MIN_CHALLENGE_INTERVAL: Duration = Duration::from_secs(10);

/// Pause before `tochki-bot` challenges a player again who was busy.
pub const BOT_BUSY_RETRY_DELAY: Duration = Duration::from_mins(2);

/// Pause before `tochki-bot` challenges a player again who declined.
pub const BOT_DECLINED_RETRY_DELAY: Duration = Duration::from_mins(15);

/// Delay before `tochki-bot` restarts an engine that fails again and again.
pub const BOT_ENGINE_RESTART_DELAY: Duration = Duration::from_millis(500);

/// Illegal moves in a match after which `tochki-bot` gives up: the second one comes of an engine that was started anew.
pub const BOT_MAX_ILLEGAL_MOVES: u32 = 2;

/// Maximum number of engines of `tochki-bot` that may think at the same time, far beyond the cores of a machine.
pub const BOT_MAX_THREADS: usize = 4096;

/// Time in which engines have to end when `tochki-bot` does.
pub const BOT_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);
