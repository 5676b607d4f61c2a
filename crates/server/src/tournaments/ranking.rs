//! The entrants of a tournament in the order of their ranks, kept for all who read them.

use crate::Error;
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::{
    Account, Code, PlayerId, TournamentId, TournamentStanding, TournamentStandings, limits,
};

/// The entrants of a tournament in the order of their ranks, at one version.
pub(super) struct Ranking {
    pub(super) version: i64,
    pub(super) read_at: Instant,
    pub(super) rows: Vec<TournamentStanding>,
    /// The places of the players in `rows`.
    pub(super) places: HashMap<PlayerId, usize>,
    /// The pages that were read, as JSON. Held for a lookup, never across an await.
    pub(super) encoded: Mutex<HashMap<u32, Bytes>>,
}

impl Ranking {
    /// Returns whether this serves who needs `version`: names are read again now and then, and a large arena is not ranked at every
    /// change.
    pub(super) fn serves(&self, version: i64) -> bool {
        let age = self.read_at.elapsed();
        let is_current = self.version >= version
            || self.rows.len() >= limits::LARGE_STANDINGS && age < limits::STANDINGS_MIN_AGE;
        is_current && age < limits::STANDINGS_MAX_AGE
    }

    /// Returns a page, counted from 0.
    pub(super) fn page(&self, page: u32) -> Result<TournamentStandings, Code> {
        let len = limits::TOURNAMENT_PAGE_LEN as usize;
        let skip = usize::try_from(page)
            .unwrap_or(usize::MAX)
            .saturating_mul(len);
        if page > 0 && skip >= self.rows.len() {
            return Err(Code::InvalidPage);
        }
        Ok(TournamentStandings {
            version: self.version,
            players: u32::try_from(self.rows.len()).unwrap_or(u32::MAX),
            rows: self.rows.iter().skip(skip).take(len).cloned().collect(),
        })
    }

    /// Returns a page as JSON.
    pub(super) fn encoded(&self, page: u32) -> Result<Bytes, Error> {
        let mut encoded = self
            .encoded
            .lock()
            .expect("no panic while the lock is held");
        if let Some(known) = encoded.get(&page) {
            return Ok(known.clone());
        }
        let body = serde_json::to_vec(&self.page(page)?)
            .map_err(|error| Error::invariant(format!("standings cannot be encoded: {error}")))?;
        let body = Bytes::from(body);
        encoded.insert(page, body.clone());
        Ok(body)
    }

    /// Returns the players, best first.
    pub(super) fn players(&self) -> impl Iterator<Item = &Account> {
        self.rows.iter().map(|row| &row.player)
    }
}

/// The rankings in memory.
#[derive(Default)]
pub(super) struct RankingCache {
    /// Held for a lookup, never across an await.
    known: Mutex<HashMap<TournamentId, Slot>>,
}

struct Slot {
    used_at: Instant,
    /// Held by who ranks, so that nobody else does at the same time.
    ranking: Arc<tokio::sync::Mutex<Option<Arc<Ranking>>>>,
}

impl RankingCache {
    /// Returns the place of the ranking of a tournament that there is. The one that was used least lately makes room for it.
    pub(super) fn place(&self, id: TournamentId) -> Arc<tokio::sync::Mutex<Option<Arc<Ranking>>>> {
        let mut known = self.known.lock().expect("no panic while the lock is held");
        if known.len() >= limits::STANDINGS_IN_MEMORY && !known.contains_key(&id) {
            let oldest = known.iter().min_by_key(|(_, slot)| slot.used_at);
            if let Some(oldest) = oldest.map(|(id, _)| *id) {
                known.remove(&oldest);
            }
        }
        let now = Instant::now();
        let slot = known.entry(id).or_insert_with(|| Slot {
            used_at: now,
            ranking: Arc::default(),
        });
        slot.used_at = now;
        slot.ranking.clone()
    }
}
