//! The status of one match as its streams see it, from reads that may overlap.

use crate::matches::db::status::StatusRow;
use std::sync::{Mutex, MutexGuard};
use std::time::{Duration, Instant};
use tochki_protocol::{Account, MatchStatus, limits};
use tokio::sync::watch;

/// The status of a match, which streams send beside its events. Each stream sends the difference to its last status.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StatusUpdate {
    /// Absences, audience, rematch.
    pub status: MatchStatus,
    /// Whether the match has ended; then absences no longer matter.
    pub finished: bool,
    /// Number of outages that have shifted the deadlines of earlier events.
    pub time_shifts: u32,
    /// The spectators with accounts. Only the players of the match get their names.
    pub watchers: Vec<Account>,
}

/// The last published status, and its subscribers.
///
/// The spectators are published at most once in [`limits::AUDIENCE_INTERVAL`], because each of them is told of each other:
/// otherwise visitors that come and go would cost as many deliveries as there are spectators, each.
#[derive(Debug, Default)]
pub(super) struct PublishedStatus {
    update: watch::Sender<StatusUpdate>,
    /// Held while a status is published, never across an await.
    last: Mutex<LastRead>,
}

/// The last read that was not dropped.
#[derive(Debug, Default)]
struct LastRead {
    /// Number of such reads.
    number: u64,
    /// The status.
    status: MatchStatus,
    /// When other spectators than before were published.
    audience_at: Option<Instant>,
    /// Whether somebody was asked to read again because spectators were held back.
    is_held_back: bool,
}

/// The result of publishing a read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[must_use]
pub(super) enum Publication {
    Done,
    /// All but the spectators, who were published just before. The caller has to let the status be read again after this time.
    /// Nobody else is asked to until then.
    HeldBack(Duration),
    /// Nothing was published: the status has to be read again.
    Dropped,
}

/// A read that has begun. What it reads is published only if no other read was published meanwhile, because of two reads
/// that overlap nobody knows which one is older.
#[derive(Clone, Copy, Debug)]
pub(super) struct StatusRead(u64);

impl PublishedStatus {
    /// To be called before the database is asked.
    pub(super) fn begin_read(&self) -> StatusRead {
        StatusRead(self.last().number)
    }

    /// Publishes the status that was read.
    pub(super) fn publish(&self, read: StatusRead, row: StatusRow, now: Instant) -> Publication {
        let mut last = self.last();
        if last.number != read.0 {
            return Publication::Dropped;
        }
        last.number += 1;
        last.status = row.status.clone();
        let next_audience = last.audience_at.map(|at| at + limits::AUDIENCE_INTERVAL);
        let wait = next_audience.and_then(|at| at.checked_duration_since(now));
        let wait = wait.filter(|wait| !wait.is_zero());
        let mut publication = Publication::Done;
        self.update.send_if_modified(|update| {
            let mut next = StatusUpdate {
                status: row.status,
                finished: row.finished,
                time_shifts: update.time_shifts,
                watchers: row.watchers,
            };
            if (next.status.watching, &next.watchers) == (update.status.watching, &update.watchers)
            {
                // Nothing is held back.
            } else if let Some(wait) = wait {
                next.status.watching = update.status.watching;
                next.watchers.clone_from(&update.watchers);
                if !std::mem::replace(&mut last.is_held_back, true) {
                    publication = Publication::HeldBack(wait);
                }
            } else {
                last.audience_at = Some(now);
                last.is_held_back = false;
            }
            let changed = next != *update;
            *update = next;
            changed
        });
        publication
    }

    /// An outage has shifted the deadlines of the events so far.
    pub(super) fn shift_time(&self) {
        self.update.send_modify(|update| update.time_shifts += 1);
    }

    /// The published status now and from now on.
    pub(super) fn subscribe(&self) -> watch::Receiver<StatusUpdate> {
        self.update.subscribe()
    }

    /// The status as it was read last.
    pub(super) fn current(&self) -> MatchStatus {
        self.last().status.clone()
    }

    fn last(&self) -> MutexGuard<'_, LastRead> {
        self.last.lock().expect("no panic while the lock is held")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use Publication::{Done, Dropped, HeldBack};
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

    fn published(status: &PublishedStatus) -> u32 {
        status.subscribe().borrow().status.watching
    }

    #[test]
    fn a_read_that_overlaps_a_published_one_is_dropped() {
        let (status, now) = (PublishedStatus::default(), Instant::now());
        let slow = status.begin_read();
        let fast = status.begin_read();
        assert_eq!(status.publish(fast, watched_by(2), now), Done);
        assert_eq!(status.publish(slow, watched_by(1), now), Dropped);
        assert_eq!(status.current().watching, 2);
        let next = status.publish(status.begin_read(), watched_by(2), now);
        assert_eq!(next, Done);
    }

    #[test]
    fn a_read_that_changes_nothing_is_published_without_waking_anybody() {
        let (status, now) = (PublishedStatus::default(), Instant::now());
        let first = status.publish(status.begin_read(), watched_by(1), now);
        let mut subscribed = status.subscribe();
        let old = status.begin_read();
        let same = status.publish(status.begin_read(), watched_by(1), now);
        assert_eq!((first, same), (Done, Done));
        assert!(!subscribed.has_changed().unwrap());
        let late = status.publish(old, watched_by(0), now);
        assert_eq!(late, Dropped, "it is older all the same");
        status.shift_time();
        assert_eq!(subscribed.borrow_and_update().time_shifts, 1);
    }

    #[test]
    fn spectators_are_published_at_intervals_and_everything_else_at_once() {
        let (status, begin) = (PublishedStatus::default(), Instant::now());
        let publish = |row, at| status.publish(status.begin_read(), row, at);
        assert_eq!(publish(watched_by(1), begin), Done);
        assert_eq!(published(&status), 1, "the first one at once");
        let half = limits::AUDIENCE_INTERVAL / 2;
        let subscribed = status.subscribe();
        assert_eq!(publish(watched_by(2), begin + half), HeldBack(half));
        assert!(!subscribed.has_changed().unwrap());
        assert_eq!(status.current().watching, 2, "who asks gets what was read");
        let finished = StatusRow {
            finished: true,
            ..watched_by(3)
        };
        let again = publish(finished, begin + half);
        assert_eq!(again, Done, "somebody was asked to read again");
        assert!(subscribed.has_changed().unwrap());
        let update = subscribed.borrow().clone();
        assert!(update.finished && update.status.watching == 1);
        assert_eq!(publish(watched_by(3), begin + 2 * half), Done);
        assert_eq!(published(&status), 3);
        assert_eq!(publish(watched_by(4), begin + 3 * half), HeldBack(half));
    }

    #[test]
    fn spectators_who_are_back_within_the_interval_are_not_held_back() {
        let (status, begin) = (PublishedStatus::default(), Instant::now());
        let publish = |row, at| status.publish(status.begin_read(), row, at);
        assert_eq!(publish(watched_by(1), begin), Done);
        let half = limits::AUDIENCE_INTERVAL / 2;
        assert_eq!(publish(watched_by(2), begin + half), HeldBack(half));
        // The read that was asked for finds the number that is published.
        assert_eq!(publish(watched_by(1), begin + 2 * half), Done);
        assert_eq!(publish(watched_by(2), begin + 3 * half), Done);
        assert_eq!(published(&status), 2);
    }
}
