//! Suspended matches: a panic in one match must not affect the others, and its players must not lose time by it.
//!
//! For [`limits::MATCH_SUSPENSION`] every command to it is refused, its streams end, and no deadline takes effect. Then it is read
//! again from its events, and the time in between is given back.

use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;
use tochki_play::Millis;
use tochki_protocol::{MatchId, limits};

/// The matches that are suspended at this instance.
#[derive(Default)]
pub(super) struct SuspendedMatches {
    /// Since when, and the version that was reached. Held for a lookup, never across an await.
    all: Mutex<HashMap<MatchId, (Instant, u32)>>,
}

/// The suspension state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suspension {
    /// Not suspended.
    None,
    /// Suspended.
    Active,
    /// Expired: it was suspended at this version, for so long, and is to be read again.
    Over(u32, Millis),
}

impl SuspendedMatches {
    /// Suspends a match that has panicked after this version.
    pub(super) fn insert(&self, id: MatchId, version: u32) {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        // From the first panic on: what comes after it is of the same state.
        all.entry(id).or_insert((Instant::now(), version));
    }

    pub(super) fn contains(&self, id: MatchId) -> bool {
        let all = self.all.lock().expect("no panic while the lock is held");
        all.contains_key(&id)
    }

    pub(super) fn state(&self, id: MatchId) -> Suspension {
        let all = self.all.lock().expect("no panic while the lock is held");
        match all.get(&id) {
            None => Suspension::None,
            Some((since, version)) if since.elapsed() >= limits::MATCH_SUSPENSION => {
                let lost = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                Suspension::Over(*version, Millis(lost))
            }
            Some(_) => Suspension::Active,
        }
    }

    /// Ends the suspension. False if it has already ended.
    pub(super) fn remove(&self, id: MatchId) -> bool {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        all.remove(&id).is_some()
    }
}
