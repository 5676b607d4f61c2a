//! The standings of a tournament, ranked once for each version, and encoded once for all who read a page of them.
//!
//! However many read at once, one of them ranks, and the others take that. Those of a large arena are ranked once a second at most.

use super::ranking::Ranking;
use super::{Tournaments, db};
use crate::{Error, WithSubject as _};
use bytes::Bytes;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use tochki_protocol::{
    Code, MatchId, PlayerId, TournamentFormat, TournamentId, TournamentScore, TournamentStanding,
    TournamentStandings, TournamentState,
};
use tochki_tournaments::arena;

impl Tournaments {
    /// A page of the standings, counted from 0.
    ///
    /// # Errors
    /// `no_such_tournament`, or `invalid_page`.
    pub async fn standings(
        &self,
        id: TournamentId,
        page: u32,
    ) -> Result<TournamentStandings, Error> {
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
    ) -> Result<Option<TournamentStanding>, Error> {
        let ranking = self.ranking(id).await.with_subject(id)?;
        let place = ranking.places.get(&player);
        Ok(place.map(|&place| ranking.rows[place].clone()))
    }

    /// The matches whose boards the page shows: those of the leaders that run; after the end, the best of the winner.
    ///
    /// # Errors
    /// `no_such_tournament`.
    pub async fn shown_matches(&self, id: TournamentId) -> Result<Vec<MatchId>, Error> {
        let done = async {
            match self.get(id).await?.state {
                TournamentState::Open | TournamentState::Cancelled => Ok(Vec::new()),
                TournamentState::Running => db::pairings::top_running(&self.db, id).await,
                TournamentState::Finished => {
                    let standings = self.standings(id, 0).await?;
                    match standings.rows.first() {
                        Some(first) => db::pairings::best_wins(&self.db, id, first.player.id).await,
                        None => Ok(Vec::new()),
                    }
                }
            }
        };
        done.await.with_subject(id)
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
        let tournament = self.get(id).await?;
        let rows = if tournament.format == TournamentFormat::Knockout {
            self.knockout_rows(&tournament).await?
        } else if tournament.rounds.is_some() {
            let results = self.round_results(id).await?;
            // The order of thousands is worked out off the threads that answer requests.
            let ranked = tokio::task::spawn_blocking(move || results.standings(&tournament));
            let ranked = ranked.await;
            ranked.map_err(|error| Error::invariant(format!("ranking failed: {error}")))?
        } else {
            self.arena_rows(id).await?
        };
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

    async fn arena_rows(&self, id: TournamentId) -> Result<Vec<TournamentStanding>, Error> {
        let (rules, entrants) = db::entrants::ranked(&self.db, id).await?;
        let sheets: Vec<_> = entrants.iter().map(|one| one.sheet).collect();
        let order = arena::rank(&sheets);
        let rows = (1..).zip(order).map(|(rank, place)| {
            let one = &entrants[place];
            TournamentStanding {
                rank,
                player: one.account.clone(),
                score: TournamentScore::of_points(one.sheet.score()),
                tie_breaks: Vec::new(),
                fire: one.sheet.is_on_fire(rules),
                berserks: one.sheet.berserks(),
                performance: one.sheet.performance().map(arena::Performance::rounded),
                paused: one.paused,
            }
        });
        Ok(rows.collect())
    }
}
