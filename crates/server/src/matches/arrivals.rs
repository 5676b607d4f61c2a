//! Commands that have arrived at this instance and wait in a queue or for the database.
//!
//! A move counts from when the server got it. So a flag that falls while a move waits must not end the match: deadlines are
//! compared with the earliest arrival.
//!
//! A command runs to its end in a task of its own, also after its request has ended, and keeps its arrival until then. So an
//! arrival holds a deadline for as long as the database may take: the waits for the writer of matches and for the lock of a
//! match have limits, and so has each statement.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tochki_play::Timestamp;
use tochki_protocol::MatchId;

/// The commands on their way to each match.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    /// Held for a lookup, never across an await.
    waiting: Arc<Mutex<HashMap<MatchId, Vec<Timestamp>>>>,
}

impl Arrivals {
    /// Registers a command. It counts as waiting until the arrival is dropped.
    pub(super) fn note(&self, id: MatchId, at: Timestamp) -> Arrival {
        let mut waiting = self
            .waiting
            .lock()
            .expect("no panic while the lock is held");
        waiting.entry(id).or_default().push(at);
        Arrival {
            arrivals: self.clone(),
            id,
            at,
        }
    }

    /// Arrival time of the earliest waiting command to this match.
    pub(super) fn earliest(&self, id: MatchId) -> Option<Timestamp> {
        let waiting = self
            .waiting
            .lock()
            .expect("no panic while the lock is held");
        waiting.get(&id)?.iter().min().copied()
    }
}

/// A command that has arrived and is not done yet.
#[derive(Debug)]
pub struct Arrival {
    arrivals: Arrivals,
    id: MatchId,
    at: Timestamp,
}

impl Arrival {
    /// When it arrived.
    pub(super) fn at(&self) -> Timestamp {
        self.at
    }
}

impl Drop for Arrival {
    fn drop(&mut self) {
        let mut waiting = self
            .arrivals
            .waiting
            .lock()
            .expect("no panic while the lock is held");
        if let Some(times) = waiting.get_mut(&self.id) {
            if let Some(place) = times.iter().position(|at| *at == self.at) {
                times.swap_remove(place);
            }
            if times.is_empty() {
                waiting.remove(&self.id);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_earliest_command_counts_until_it_is_done() {
        let arrivals = Arrivals::default();
        let late = arrivals.note(MatchId(1), Timestamp(20));
        let early = arrivals.note(MatchId(1), Timestamp(10));
        let other = arrivals.note(MatchId(2), Timestamp(5));
        assert_eq!(arrivals.earliest(MatchId(1)), Some(Timestamp(10)));
        drop((early, other));
        assert_eq!(arrivals.earliest(MatchId(1)), Some(Timestamp(20)));
        drop(late);
        assert_eq!(arrivals.earliest(MatchId(1)), None);
        assert!(arrivals.waiting.lock().unwrap().is_empty());
    }
}
