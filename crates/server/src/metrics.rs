//! The metrics of the server. Counters and histograms are updated where things happen, with these functions; `AppState::observe`
//! samples the gauges at scrape time.

use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

/// Registers what each metric means. Counters whose labels are known begin at 0, so that the first increase is seen.
pub fn describe() {
    describe_counter!("moves_total", "Moves, by outcome: committed or refused");
    describe_histogram!(
        "append_duration_seconds",
        Unit::Seconds,
        "Time to store the events of one command"
    );
    describe_counter!(
        "append_batches_total",
        "Commits that stored the events of all commands that had come"
    );
    describe_histogram!(
        "sweep_delay_seconds",
        Unit::Seconds,
        "How late a round of the deadlines began"
    );
    describe_counter!(
        "task_restarts_total",
        "Background tasks, and our own Postgres, that were started again"
    );
    describe_counter!(
        "matches_set_aside_total",
        "Matches that were set aside because of a panic"
    );
    describe_gauge!(
        "clock_error_seconds",
        Unit::Seconds,
        "By how much at least the clock differs from that of the database"
    );
    describe_gauge!("streams", "Open event streams, by kind");
    describe_gauge!("line_clients", "Open connections of the line protocol");
    describe_gauge!("matches_in_memory", "Matches in the cache");
    describe_gauge!(
        "presence_rows",
        "Rows of presence in the database, of all instances"
    );
    describe_gauge!(
        "presence_oldest_beat_seconds",
        Unit::Seconds,
        "Age of the oldest beat of a presence that counts"
    );
    describe_gauge!(
        "database_connections",
        "Connections to the database, by state"
    );
    describe_gauge!(
        "database_wait_seconds",
        Unit::Seconds,
        "How long the last reading of the metrics waited for a connection to the database"
    );
    describe_gauge!(
        "database_transactions_beginning",
        "Transactions that wait for a connection to the database, or for its answer to BEGIN"
    );
    describe_counter!(
        "database_timeouts_total",
        "Waits for a connection to the database that were given up"
    );
    describe_counter!(
        "database_disk_failures_total",
        "Statements that failed because the disk of the database was full or broken"
    );
    describe_counter!(
        "bus_messages_total",
        "Messages between instances: sent, received or lost"
    );
    describe_gauge!(
        "bus_connected",
        "1 while messages of other instances are received"
    );
    describe_gauge!("hashing_jobs_waiting", "Passwords that wait to be hashed");
    for outcome in MOVE_OUTCOMES {
        counter!("moves_total", "outcome" => outcome).absolute(0);
    }
    for fate in ["sent", "received", "lost"] {
        counter!("bus_messages_total", "fate" => fate).absolute(0);
    }
    for name in [
        "append_batches_total",
        "matches_set_aside_total",
        "database_timeouts_total",
        "database_disk_failures_total",
    ] {
        counter!(name).absolute(0);
    }
    gauge!("database_transactions_beginning").set(0.0);
}

const MOVE_OUTCOMES: [&str; 2] = ["committed", "refused"];

/// Counts a move that was committed or refused.
pub(crate) fn moved(committed: bool) {
    let outcome = MOVE_OUTCOMES[usize::from(!committed)];
    counter!("moves_total", "outcome" => outcome).increment(1);
}

/// Records how long storing events has taken.
pub(crate) fn appended(took: Duration) {
    histogram!("append_duration_seconds").record(took);
}

/// Counts a commit that appended to any number of matches.
pub(crate) fn batch_appended() {
    counter!("append_batches_total").increment(1);
}

/// Records how late a round of the sweeper began.
pub(crate) fn sweep_delayed(by: Duration) {
    histogram!("sweep_delay_seconds").record(by);
}

/// Begins to count how often this task is started again.
pub(crate) fn task_started(task: &str) {
    counter!("task_restarts_total", "task" => task.to_owned()).increment(0);
}

/// Counts a background task that was started again.
pub fn task_restarted(task: &str) {
    counter!("task_restarts_total", "task" => task.to_owned()).increment(1);
}

/// Counts a message between instances: `sent`, `received` or `lost`.
pub(crate) fn bus_message(fate: &'static str) {
    counter!("bus_messages_total", "fate" => fate).increment(1);
}

/// Sets the gauge of whether messages of other instances are received.
pub(crate) fn bus_connected(connected: bool) {
    gauge!("bus_connected").set(f64::from(u8::from(connected)));
}

/// Counts a match that was suspended.
pub(crate) fn match_suspended() {
    counter!("matches_set_aside_total").increment(1);
}

/// Sets the gauge of the clock error.
pub(crate) fn clock_error(by: Duration) {
    gauge!("clock_error_seconds").set(by.as_secs_f64());
}

/// Counts a wait for a connection that was given up.
pub(crate) fn database_timed_out() {
    counter!("database_timeouts_total").increment(1);
}

/// How many statements of this process have failed because the disk of the database was full or broken.
static DISK_FAILURES: AtomicU64 = AtomicU64::new(0);

/// Counts a statement that failed because the disk of the database was full or broken.
pub(crate) fn disk_failed() {
    DISK_FAILURES.fetch_add(1, Ordering::SeqCst);
    counter!("database_disk_failures_total").increment(1);
}

/// Number of such statements.
pub(crate) fn disk_failures() -> u64 {
    DISK_FAILURES.load(Ordering::SeqCst)
}

/// Guard that counts a transaction as beginning until it is dropped.
pub(crate) struct BeginGuard(());

impl BeginGuard {
    pub(crate) fn count() -> Self {
        gauge!("database_transactions_beginning").increment(1.0);
        Self(())
    }
}

impl Drop for BeginGuard {
    fn drop(&mut self) {
        gauge!("database_transactions_beginning").decrement(1.0);
    }
}

/// An open stream, as long as it is held.
pub(crate) struct StreamCount(&'static str);

impl StreamCount {
    /// Counts a stream of this kind.
    pub(crate) fn of(kind: &'static str) -> Self {
        gauge!("streams", "kind" => kind).increment(1.0);
        Self(kind)
    }
}

impl Drop for StreamCount {
    fn drop(&mut self) {
        gauge!("streams", "kind" => self.0).decrement(1.0);
    }
}
