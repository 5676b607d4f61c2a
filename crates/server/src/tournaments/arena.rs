//! Waves of pairings of an arena.

use super::db::StoredTournament;
use super::db::pairings::{NewPairing, PairedBefore, StoredEntrant};
use super::{Tournaments, db};
use crate::secrets::random_u64;
use crate::{Error, pairing};
use std::collections::HashMap;
use tochki_play::{Millis, Terms, Timestamp, TournamentMatch};
use tochki_protocol::{Code, TournamentState, limits};
use tochki_rules::Seat;
use tochki_tournaments::arena::{self, Pairing, Waiting};

impl Tournaments {
    /// Pairs those who wait, if a wave is due.
    pub(super) async fn pair_wave(&self, stored: &StoredTournament) -> Result<(), Error> {
        let tournament = &stored.tournament;
        let now = db::now(&self.db).await?;
        if tournament
            .pairing_closes_at
            .is_none_or(|closes| now >= closes)
        {
            return Ok(());
        }
        let line = db::pairings::line(&self.db, tournament.id).await?;
        let wait = arena::wave_wait(stored.estimate()?, line.active);
        if !arena::is_wave_due(line.waits_from.iter().copied(), wait, now) {
            return Ok(());
        }
        let entrants = db::pairings::entrants(&self.db, tournament.id).await?;
        let numbers: Vec<i32> = entrants
            .iter()
            .filter(|one| one.is_waiting)
            .map(|one| one.number)
            .collect();
        let before = db::pairings::of_entrants(&self.db, tournament.id, &numbers).await?;
        let active = line.active;
        let paired = tokio::task::spawn_blocking(move || {
            let waiting = waiting(&entrants, &before, now);
            (arena::pair(&waiting, active, &mut random_u64), entrants)
        });
        let (pairs, entrants) = paired
            .await
            .map_err(|error| Error::invariant(format!("pairing failed: {error}")))?;
        let round = db::pairings::next_round(&self.db, tournament.id).await?;
        for pairs in pairs.chunks(limits::PAIRINGS_PER_TRANSACTION) {
            let made = self.start_pairs(stored, &entrants, pairs, round).await?;
            if made.count > 0 {
                // The rooms call players to their boards, in every page that they have open. Clocks run from now on.
                self.notifier.notify_rooms();
            }
            if made.is_last {
                break;
            }
        }
        Ok(())
    }

    /// Makes these pairings and their matches. A pairing whose players do not both wait any more is left out.
    async fn start_pairs(
        &self,
        stored: &StoredTournament,
        entrants: &[StoredEntrant],
        pairs: &[Pairing],
        round: i32,
    ) -> Result<Made, Error> {
        let id = stored.tournament.id;
        let mut made = Made {
            count: 0,
            is_last: true,
        };
        let mut tx = crate::db::begin(&self.db).await?;
        // The lease may have ended meanwhile, and the tournament. A long wave renews the lease.
        let lasting = limits::TOURNAMENT_LEASE;
        let Some(locked) = db::leases::lock(&mut tx, id, &self.holder, lasting).await? else {
            return Ok(made);
        };
        let closes = locked.tournament.pairing_closes_at;
        let is_closed = closes.is_none_or(|closes| locked.now >= closes);
        if is_closed || locked.tournament.state != TournamentState::Running {
            return Ok(made);
        }
        let numbers: Vec<i32> = pairs
            .iter()
            .flat_map(|pair| [pair.first, pair.second])
            .map(|place| entrants[place].number)
            .collect();
        let free = db::pairings::lock_free(&mut tx, id, &numbers).await?;
        let bounds = db::pairings::rating_bounds(&mut tx, id).await?;
        made.is_last = false;
        for pair in pairs {
            let both = [pair.first, pair.second].map(|place| &entrants[place]);
            if !both.iter().all(|one| free.contains(&one.number)) {
                continue;
            }
            let seats = both.map(|one| one.player);
            match self.capacity.check_match(&mut tx).await {
                Err(error) if error.failure().is_none() => {
                    made.is_last = true;
                    break;
                }
                checked => checked?,
            }
            let terms = Terms {
                rated: stored.tournament.rated
                    && db::pairings::can_be_rated(&mut tx, bounds, seats).await?,
                ..stored.terms()
            };
            let rules = TournamentMatch {
                id: id.0,
                first_move: arena::first_move_timeout(&terms.setup),
                offers_after: 0,
                berserk: stored.tournament.berserk,
            };
            let started = pairing::db::start_tournament_match(&mut tx, seats, &terms, rules).await;
            let match_id = match started {
                Ok(match_id) => match_id,
                // Refused before anything was written.
                Err(error) if matches!(error.code(), Code::OpponentLeft | Code::OnVacation) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let numbers = both.map(|one| one.number);
            let new = NewPairing {
                round,
                numbers,
                match_id,
                is_uncounted: db::pairings::is_uncounted(&mut tx, id, numbers).await?,
            };
            db::pairings::insert(&mut tx, id, &new).await?;
            made.count += 1;
        }
        if made.count > 0 {
            db::advance(&mut tx, id).await?;
        }
        tx.commit().await?;
        Ok(made)
    }
}

/// The pairings that were made by one transaction.
struct Made {
    /// Their number.
    count: usize,
    /// Whether no more can be made now.
    is_last: bool,
}

/// Returns those who wait at `now`, with all that their pairing depends on.
fn waiting(entrants: &[StoredEntrant], before: &[PairedBefore], now: Timestamp) -> Vec<Waiting> {
    let place: HashMap<i32, usize> = (0..)
        .zip(entrants)
        .map(|(place, one)| (one.number, place))
        .collect();
    let sheets: Vec<_> = entrants.iter().map(|one| one.sheet).collect();
    let mut ranks = vec![0; entrants.len()];
    for (rank, player) in (1..).zip(arena::rank(&sheets)) {
        ranks[player] = rank;
    }
    let mut sites = HashMap::new();
    for one in entrants {
        if let Some(address) = &one.address {
            let next = sites.len();
            sites.entry(address.as_str()).or_insert(next);
        }
    }
    let mut opponents = vec![Vec::new(); entrants.len()];
    let mut first_moves = vec![0; entrants.len()];
    let mut last_sides: Vec<Option<(Seat, u32)>> = vec![None; entrants.len()];
    for pair in before {
        let (Some(&first), Some(&second)) = (place.get(&pair.first), place.get(&pair.second))
        else {
            continue;
        };
        opponents[first].push(second);
        opponents[second].push(first);
        first_moves[first] += 1;
        for (player, side) in [(first, Seat::First), (second, Seat::Second)] {
            let times = match last_sides[player] {
                Some((last, times)) if last == side => times + 1,
                _ => 1,
            };
            last_sides[player] = Some((side, times));
        }
    }
    (0..)
        .zip(entrants)
        .filter(|(_, one)| one.is_waiting && one.waits_from <= now)
        .map(|(player, one)| Waiting {
            player,
            rank: ranks[player],
            rating: one.rating,
            since: one.waits_from,
            opponents: std::mem::take(&mut opponents[player]),
            first_moves: first_moves[player],
            last_side: last_sides[player],
            site: one
                .address
                .as_ref()
                .and_then(|address| sites.get(address.as_str()).copied()),
        })
        .collect()
}

impl StoredTournament {
    /// Returns the terms of its matches.
    pub(super) fn terms(&self) -> Terms {
        Terms {
            setup: self.tournament.setup,
            clock: self.tournament.clock,
            rated: self.tournament.rated,
        }
    }

    /// Returns how long a game is expected to take.
    pub(super) fn estimate(&self) -> Result<Millis, Error> {
        arena::estimated_duration(self.tournament.clock, &self.tournament.setup)
            .ok_or_else(|| Error::invariant("an arena has no clock"))
    }
}
