//! Event streams, at the server and at clients.

use std::time::Duration;

/// The longest pause on an event stream, after which a comment is sent.
pub const STREAM_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(3);

/// Time for which a client waits for anything on an event stream before it checks the connection.
pub const STREAM_IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// Interval at which a client checks whether the stream is idle for [`STREAM_IDLE_TIMEOUT`].
pub const STREAM_IDLE_CHECK_INTERVAL: Duration = Duration::from_secs(5);

/// Delay before a client reconnects a stream that has ended.
pub const STREAM_RETRY_DELAY: Duration = Duration::from_secs(2);

/// Delay before a client reconnects a stream that the server has ended to shut down.
pub const STREAM_SHUTDOWN_RETRY_DELAY: Duration = Duration::from_millis(500);

/// The first delay between attempts of a page to reconnect its stream; twice as long after each that follows.
pub const MIN_STREAM_BACKOFF: Duration = Duration::from_secs(1);

/// The longest delay between attempts of a page to reconnect its stream. With this delay, players are back before they count as
/// absent when a server restarts.
pub const MAX_STREAM_BACKOFF: Duration = Duration::from_secs(10);

/// Time in which a new stream has to get its first events of the status of a match.
pub const STREAM_STATUS_TIMEOUT: Duration = Duration::from_secs(1);

/// Delay before the page of a table loads again when its event stream has been refused.
pub const STREAM_REFUSED_RELOAD_DELAY: Duration = Duration::from_secs(5);

/// The longest time from an event to its arrival at a browser. If it seems longer, a clock was set, and the browser
/// estimates the server's clock anew.
pub const STREAM_MAX_EVENT_DELAY: Duration = Duration::from_secs(5);

/// Maximum number of frames of a stream that are written at once.
pub const STREAM_WRITE_MAX_FRAMES: usize = 30;

/// Number of events of a match that a client has missed which are read at once.
pub const MISSED_EVENTS_BATCH_LEN: u32 = 200;

/// The maximum number of topics of a shared stream: each costs subscriptions, and most of them a row of presence.
pub const STREAM_MAX_TOPICS: usize = 16;

/// Interval at which the worker that holds the stream of a browser pings its tabs.
pub const SHARED_STREAM_PING_INTERVAL: Duration = Duration::from_secs(1);

/// Time for which a tab may leave pings unanswered before its topic is closed.
pub const SHARED_STREAM_TAB_TIMEOUT: Duration = Duration::from_secs(6);

/// Time without a ping after which a tab opens a stream of its own.
pub const SHARED_STREAM_WORKER_TIMEOUT: Duration = Duration::from_secs(3);

/// Time for which a topic that a tab has left stays open, because the tab may be on its way to a page with another topic.
pub const SHARED_STREAM_LEAVE_DELAY: Duration = Duration::from_secs(1);

/// Number of topics of a shared stream that are opened at once, each of which reads from the database.
pub const STREAM_TOPICS_OPENED_AT_ONCE: usize = 4;

/// The maximum number of open event streams of a session or token, unless the operator sets another.
pub const STREAMS_BY_SESSION: u32 = 8;

/// The maximum number of open event streams of an address, unless the operator sets another.
pub const STREAMS_BY_ADDRESS: u32 = 32;
