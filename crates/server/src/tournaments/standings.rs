//! The standings of an arena, ranked once for each version, and encoded once for all who read a page of them.

use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tochki_protocol::{
    Account, ArenaStanding, ArenaStandings, Code, PlayerId, TournamentId, limits,
};
use tochki_tournaments::arena;

/// The entrants of an arena in the order of their ranks, at one version.
pub(super) struct Ranking {
    version: i64,
    rows: Vec<ArenaStanding>,
    /// The pages that were read, as JSON. Held for a lookup, never across an await.
    encoded: Mutex<HashMap<u32, Bytes>>,
}

impl Ranking {
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
    known: Mutex<HashMap<TournamentId, Arc<Ranking>>>,
}

impl RankingCache {
    fn get(&self, id: TournamentId, version: i64) -> Option<Arc<Ranking>> {
        let known = self.known.lock().expect("no panic while the lock is held");
        let ranking = known.get(&id)?;
        (ranking.version >= version).then(|| ranking.clone())
    }

    fn insert(&self, id: TournamentId, ranking: &Arc<Ranking>) {
        let mut known = self.known.lock().expect("no panic while the lock is held");
        if known.len() >= limits::STANDINGS_IN_MEMORY && !known.contains_key(&id) {
            known.clear();
        }
        known.insert(id, ranking.clone());
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
        let row = ranking.rows.iter().find(|row| row.player.id == player);
        Ok(row.cloned())
    }

    pub(super) async fn ranking(&self, id: TournamentId) -> Result<Arc<Ranking>, Error> {
        let version = db::version(&self.db, id).await?;
        let version = version.ok_or(Code::NoSuchTournament)?;
        if let Some(known) = self.rankings.get(id, version) {
            return Ok(known);
        }
        // The version is read before the rows, so that these are at least as new.
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
        let ranking = Arc::new(Ranking {
            version,
            rows: rows.collect(),
            encoded: Mutex::default(),
        });
        self.rankings.insert(id, &ranking);
        Ok(ranking)
    }
}
