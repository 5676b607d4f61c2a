//! The status of one match as its streams see it, from reads that may overlap.

use crate::db::match_status::StatusRow;
use tochki_protocol::{Account, MatchStatus};
use tokio::sync::watch;

/// The status of a match, which streams send beside its events. Each stream sends the difference to its last status.
#[derive(Clone, Debug, Default)]
pub struct StatusUpdate {
    /// Absences, audience, rematch.
    pub status: MatchStatus,
    /// Whether the match has ended; then absences no longer matter.
    pub finished: bool,
    /// Number of outages that have shifted the deadlines of earlier events.
    pub time_shifts: u32,
    /// The spectators with accounts. Only the players of the match get their names.
    pub watchers: Vec<Account>,
    /// Number of reads that were published.
    reads: u64,
}

/// The last published status, and its subscribers.
#[derive(Debug, Default)]
pub(super) struct PublishedStatus(watch::Sender<StatusUpdate>);

/// A read that has begun. What it reads is published only if no other read was published meanwhile, because of two reads
/// that overlap nobody knows which one is older.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatusRead(u64);

impl PublishedStatus {
    /// To be called before the database is asked.
    pub(super) fn begin_read(&self) -> StatusRead {
        StatusRead(self.0.borrow().reads)
    }

    /// Publishes what was read. Returns whether it did; otherwise the status has to be read again.
    #[must_use]
    pub(super) fn publish(&self, read: StatusRead, row: StatusRow) -> bool {
        let StatusRow {
            status,
            finished,
            watchers,
            ..
        } = row;
        let mut published = false;
        self.0.send_if_modified(|update| {
            published = update.reads == read.0;
            if !published {
                return false;
            }
            let changed = update.status != status
                || update.finished != finished
                || update.watchers != watchers;
            *update = StatusUpdate {
                status,
                finished,
                time_shifts: update.time_shifts,
                watchers,
                reads: update.reads + 1,
            };
            changed
        });
        published
    }

    /// An outage has shifted the deadlines of the events so far.
    pub(super) fn shift_time(&self) {
        self.0.send_modify(|update| update.time_shifts += 1);
    }

    /// The status now and from now on.
    pub(super) fn subscribe(&self) -> watch::Receiver<StatusUpdate> {
        self.0.subscribe()
    }

    /// The status now.
    pub(super) fn current(&self) -> MatchStatus {
        self.0.borrow().status.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_protocol::MatchId;

    fn watched_by(watching: u32) -> StatusRow {
        StatusRow {
            id: MatchId(1),
            version: 0,
            finished: false,
            status: MatchStatus {
                watching,
                ..MatchStatus::default()
            },
            watchers: Vec::new(),
        }
    }

    #[test]
    fn a_read_that_overlaps_a_published_one_is_dropped() {
        let status = PublishedStatus::default();
        let slow = status.begin_read();
        let fast = status.begin_read();
        assert!(status.publish(fast, watched_by(2)));
        assert!(!status.publish(slow, watched_by(1)));
        assert_eq!(status.current().watching, 2);
        let next = status.begin_read();
        assert!(status.publish(next, watched_by(3)));
        assert_eq!(status.current().watching, 3);
    }

    #[test]
    fn a_read_that_changes_nothing_is_published_without_waking_anybody() {
        let status = PublishedStatus::default();
        assert!(status.publish(status.begin_read(), watched_by(1)));
        let mut subscribed = status.subscribe();
        subscribed.mark_unchanged();
        let old = status.begin_read();
        assert!(status.publish(status.begin_read(), watched_by(1)));
        assert!(!subscribed.has_changed().unwrap());
        assert!(
            !status.publish(old, watched_by(0)),
            "it is older all the same"
        );
        status.shift_time();
        assert_eq!(subscribed.borrow_and_update().time_shifts, 1);
    }
}
