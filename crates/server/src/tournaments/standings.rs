//! The standings of an arena, ranked once for each version, and encoded once for all who read a page of them.
//!
//! However many read at once, one of them ranks, and the others take that. Those of a large arena are ranked once a second at most.

use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::{
    Account, ArenaStanding, ArenaStandings, Code, PlayerId, TournamentId, limits,
};
use tochki_tournaments::arena;

/// The entrants of an arena in the order of their ranks, at one version.
pub(super) struct Ranking {
    version: i64,
    read_at: Instant,
    rows: Vec<ArenaStanding>,
    /// The places of the players in `rows`.
    places: HashMap<PlayerId, usize>,
    /// The pages that were read, as JSON. Held for a lookup, never across an await.
    encoded: Mutex<HashMap<u32, Bytes>>,
}

impl Ranking {
    /// Returns whether this serves who needs `version`: names are read again now and then, and a large arena is not ranked at every
    /// change.
    fn serves(&self, version: i64) -> bool {
        let age = self.read_at.elapsed();
        let is_current = self.version >= version
            || self.rows.len() >= limits::LARGE_STANDINGS && age < limits::STANDINGS_MIN_AGE;
        is_current && age < limits::STANDINGS_MAX_AGE
    }

    /// Returns a page, counted from 0.
    fn page(&self, page: u32) -> Result<ArenaStandings, Code> {
        let len = limits::TOURNAMENT_PAGE_LEN as usize;
        let skip = usize::try_from(page)
            .unwrap_or(usize::MAX)
            .saturating_mul(len);
        if page > 0 && skip >= self.rows.len() {
            return Err(Code::InvalidPage);
        }
        Ok(ArenaStandings {
            version: self.version,
            players: u32::try_from(self.rows.len()).unwrap_or(u32::MAX),
            rows: self.rows.iter().skip(skip).take(len).cloned().collect(),
        })
    }

    /// Returns a page as JSON.
    fn encoded(&self, page: u32) -> Result<Bytes, Error> {
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
    fn place(&self, id: TournamentId) -> Arc<tokio::sync::Mutex<Option<Arc<Ranking>>>> {
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

impl Tournaments {
    /// A page of the standings, counted from 0.
    ///
    /// # Errors
    /// `no_such_tournament`, or `invalid_page`.
    pub async fn standings(&self, id: TournamentId, page: u32) -> Result<ArenaStandings, Error> {
        let ranking = self.ranking(id).await.with_subject(id)?;
        Ok(ranking.page(page)?)
    }

    /// A page of the standings as JSON, with its version.
    ///
    /// # Errors
    /// `no_such_tournament`, or `invalid_page`.
    pub async fn encoded_standings(
        &self,
        id: TournamentId,
        page: u32,
    ) -> Result<(i64, Bytes), Error> {
        let ranking = self.ranking(id).await.with_subject(id)?;
        Ok((ranking.version, ranking.encoded(page)?))
    }

    /// The row of one player, if they have entered.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub async fn standing_of(
        &self,
        id: TournamentId,
        player: PlayerId,
    ) -> Result<Option<ArenaStanding>, Error> {
        let ranking = self.ranking(id).await.with_subject(id)?;
        let place = ranking.places.get(&player);
        Ok(place.map(|&place| ranking.rows[place].clone()))
    }

    pub(super) async fn ranking(&self, id: TournamentId) -> Result<Arc<Ranking>, Error> {
        let version = db::version(&self.db, id).await?;
        let version = version.ok_or(Code::NoSuchTournament)?;
        let place = self.rankings.place(id);
        let mut known = place.lock().await;
        if let Some(known) = known.as_ref().filter(|known| known.serves(version)) {
            return Ok(known.clone());
        }
        // The version is read before the rows, so that these are at least as new: once more, because others may have ranked meanwhile.
        let version = db::version(&self.db, id).await?;
        let version = version.ok_or(Code::NoSuchTournament)?;
        let (rules, entrants) = db::entrants::ranked(&self.db, id).await?;
        let sheets: Vec<_> = entrants.iter().map(|one| one.sheet).collect();
        let order = arena::rank(&sheets);
        let rows = (1..).zip(order).map(|(rank, place)| {
            let one = &entrants[place];
            ArenaStanding {
                rank,
                player: one.account.clone(),
                score: one.sheet.score(),
                fire: one.sheet.is_on_fire(rules),
                performance: one.sheet.performance().map(arena::Performance::rounded),
                paused: one.paused,
            }
        });
        let rows: Vec<_> = rows.collect();
        let places = (0..).zip(&rows).map(|(place, row)| (row.player.id, place));
        let ranking = Arc::new(Ranking {
            version,
            read_at: Instant::now(),
            places: places.collect(),
            rows,
            encoded: Mutex::default(),
        });
        *known = Some(ranking.clone());
        Ok(ranking)
    }
}
