//! The metrics of the server. What can be counted is counted where it happens, with these functions; sizes are read by
//! `Arena::observe` when somebody asks.

use metrics::{
    Unit, counter, describe_counter, describe_gauge, describe_histogram, gauge, histogram,
};
use std::time::Duration;

/// Registers what each metric means.
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
    describe_counter!(
        "bus_messages_total",
        "Messages between instances: sent, received or lost"
    );
    describe_gauge!(
        "bus_connected",
        "1 while messages of other instances are received"
    );
    describe_gauge!("hashing_jobs_waiting", "Passwords that wait to be hashed");
}

/// Counts a move that was committed or refused.
pub(crate) fn moved(committed: bool) {
    let outcome = if committed { "committed" } else { "refused" };
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

/// Counts a background task that was started again.
pub fn task_restarted(task: &str) {
    counter!("task_restarts_total", "task" => task.to_owned()).increment(1);
}

/// Counts a message between instances: `sent`, `received` or `lost`.
pub(crate) fn bus_message(fate: &'static str) {
    counter!("bus_messages_total", "fate" => fate).increment(1);
}

/// Tells whether messages of other instances are received.
pub(crate) fn bus_connected(connected: bool) {
    gauge!("bus_connected").set(f64::from(u8::from(connected)));
}

/// Counts a match that was set aside.
pub(crate) fn set_aside() {
    counter!("matches_set_aside_total").increment(1);
}

/// Tells how far the clock is off.
pub(crate) fn clock_error(by: Duration) {
    gauge!("clock_error_seconds").set(by.as_secs_f64());
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
