//! Instances of the server: the bus between them, background tasks, logging, shutdown.

use std::time::Duration;

/// Interval at which an instance polls the database for changes by other instances.
pub const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Interval in which changes are batched into one message of the bus.
pub const BUS_BATCH_DELAY: Duration = Duration::from_millis(2);

/// The longest message of the bus, in bytes. Postgres takes less than 8000.
pub const BUS_MESSAGE_MAX_BYTES: usize = 7900;

/// Interval at which an instance sends a message on the bus although nothing has changed. Its own listener receives it, too.
pub const BUS_HEARTBEAT_INTERVAL: Duration = Duration::from_secs(5);

/// Time without any message after which a listener of the bus connects again, because nobody has told it that its connection is
/// dead.
pub const BUS_IDLE_TIMEOUT: Duration = Duration::from_secs(20);

/// The longest delay between attempts to connect to the bus.
pub const BUS_MAX_BACKOFF: Duration = Duration::from_secs(5);

/// The first delay before another attempt at something of the server that failed; twice as long after each that follows.
pub const SERVER_MIN_BACKOFF: Duration = Duration::from_millis(100);

/// The longest delay before a background task that has ended is started again.
pub const TASK_MAX_BACKOFF: Duration = Duration::from_secs(10);

/// Length of a run after which the delay of a background task is the shortest again.
pub const TASK_BACKOFF_RESET_TIME: Duration = Duration::from_mins(1);

/// Interval of the sweeps for passed deadlines.
pub const SWEEP_INTERVAL: Duration = Duration::from_millis(200);

/// Interval at which old rows are deleted and idle rate limits forgotten.
pub const CLEANUP_INTERVAL: Duration = Duration::from_mins(10);

/// Time for which the same failure of the same background task is not logged again. Some tasks run five times a second.
pub const FAILURE_LOG_INTERVAL: Duration = Duration::from_secs(10);

/// Rate limit of log lines for refusals of each kind: a refused client can send any number of requests.
pub const SECURITY_LOG_LINES_PER_SECOND: u32 = 20;

/// Interval at which the histograms of the metrics take in the recorded values.
pub const METRICS_UPKEEP_INTERVAL: Duration = Duration::from_secs(5);

/// Minimum interval between log lines about spans that could not be sent.
pub const TRACES_WARNING_INTERVAL: Duration = Duration::from_mins(1);

/// Time for which requests may go on once the server shuts down.
pub const DRAIN_TIMEOUT: Duration = Duration::from_secs(7);

/// Time for which the database connections may close after that.
pub const POOL_CLOSE_TIMEOUT: Duration = Duration::from_secs(1);

/// Time for which the last spans may be sent. Meanwhile the database connections close.
pub const TRACES_FLUSH_TIMEOUT: Duration = Duration::from_secs(2);

/// Time after the signal to stop within which a server has stopped.
pub const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(10);

const _: () = assert!(
    DRAIN_TIMEOUT.as_secs() + POOL_CLOSE_TIMEOUT.as_secs() < SHUTDOWN_TIMEOUT.as_secs(),
    "time is left for the process to end"
);

const _: () = assert!(
    DRAIN_TIMEOUT.as_secs() + TRACES_FLUSH_TIMEOUT.as_secs() < SHUTDOWN_TIMEOUT.as_secs(),
    "time is left for the process to end"
);
