//! Suspended matches: a panic in one match must not affect the others, and its players must not lose time by it.
//!
//! For [`limits::MATCH_SUSPENSION`] every command to it is refused, its streams end, and no deadline takes effect. Then it is read
//! again from its events, and the time in between is given back.

use crate::db::Db;
use crate::outages::db::LostTime;
use crate::{Error, outages};
use std::collections::HashMap;
use std::sync::Mutex;
use std::time::Instant;
use tochki_protocol::{MatchId, limits};

/// The matches that are suspended at this instance.
#[derive(Default)]
pub(super) struct SuspendedMatches {
    /// Held for a lookup, never across an await.
    all: Mutex<HashMap<MatchId, Suspended>>,
    /// Held while time is given back, so that it is given back once.
    giving_back: tokio::sync::Mutex<()>,
}

/// A suspension.
#[derive(Clone, Copy)]
struct Suspended {
    /// When it began.
    since: Instant,
    /// The version that the match had reached.
    version: u32,
    /// Tells this suspension from others.
    id: i64,
}

/// The suspension state of a match.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Suspension {
    /// Not suspended.
    None,
    /// Suspended.
    Active,
    /// Expired. Once the lost time is given back, the match is to be read again.
    Over(LostTime),
}

impl SuspendedMatches {
    /// Suspends a match that has panicked after this version.
    pub(super) fn insert(&self, id: MatchId, version: u32) {
        let mut all = self.all.lock().expect("no panic while the lock is held");
        // From the first panic on: later panics are of the same state.
        all.entry(id).or_insert_with(|| Suspended {
            since: Instant::now(),
            version,
            id: rand::random(),
        });
    }

    pub(super) fn contains(&self, id: MatchId) -> bool {
        let all = self.all.lock().expect("no panic while the lock is held");
        all.contains_key(&id)
    }

    pub(super) fn state(&self, id: MatchId) -> Suspension {
        let all = self.all.lock().expect("no panic while the lock is held");
        match all.get(&id) {
            None => Suspension::None,
            Some(suspended) if suspended.since.elapsed() >= limits::MATCH_SUSPENSION => {
                Suspension::Over(LostTime {
                    suspension: suspended.id,
                    version: suspended.version,
                    lost: limits::in_millis(suspended.since.elapsed()),
                })
            }
            Some(_) => Suspension::Active,
        }
    }

    /// Gives the time of an expired suspension back, and ends the suspension. After a failure it goes on, and the next
    /// request tries again.
    pub(super) async fn end(&self, db: &Db, id: MatchId) -> Result<(), Error> {
        let _alone = self.giving_back.lock().await;
        if let Suspension::Over(lost) = self.state(id) {
            outages::db::give_back(db, id, lost).await?;
            let mut all = self.all.lock().expect("no panic while the lock is held");
            all.remove(&id);
        }
        Ok(())
    }
}
