//! Matches that are set aside: a panic in one match must not reach the others, and its players must not lose time by it.
//!
//! For [`limits::SET_ASIDE`] every command to it is refused, its streams end, and no deadline takes effect. Then it is read
//! again from its events, and the time in between is given back.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_play::Millis;
use tochki_protocol::{MatchId, limits};

/// The matches that are set aside at this instance.
#[derive(Clone, Default)]
pub(super) struct AsideMatches {
    /// Since when, and the version that was reached. Held for a lookup, never across an await.
    all: Arc<Mutex<HashMap<MatchId, (Instant, u32)>>>,
}

/// What to do with a match that is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aside {
    /// It plays.
    No,
    /// It is set aside.
    Yes,
    /// It was set aside at this version, for so long, and is to be read again.
    Over(u32, Millis),
}

impl AsideMatches {
    /// Sets a match aside that has panicked after this version.
    pub(super) fn insert(&self, id: MatchId, version: u32) {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        // From the first panic on: what comes after it is of the same state.
        all.entry(id).or_insert((Instant::now(), version));
    }

    pub(super) fn contains(&self, id: MatchId) -> bool {
        let all = self.all.lock().expect("no panic while the lock is held");
        all.contains_key(&id)
    }

    pub(super) fn state(&self, id: MatchId) -> Aside {
        let all = self.all.lock().expect("no panic while the lock is held");
        match all.get(&id) {
            None => Aside::No,
            Some((since, version)) if since.elapsed() >= limits::SET_ASIDE => {
                let lost = i64::try_from(since.elapsed().as_millis()).unwrap_or(i64::MAX);
                Aside::Over(*version, Millis(lost))
            }
            Some(_) => Aside::Yes,
        }
    }

    /// Takes a match back. False if somebody else has.
    pub(super) fn remove(&self, id: MatchId) -> bool {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        all.remove(&id).is_some()
    }
}
