//! Rounds: their beginning under the lease of the driver, the pairings of a Swiss and of a round robin (those of a knockout are in
//! `knockout`), and the end of a tournament of rounds.

use super::db::StoredTournament;
use super::db::round_rows::{Course, RoundEntrant};
use super::round_results::{RoundResults, place};
use super::{Tournaments, db, entry};
use crate::db::Tx;
use crate::notifications::db::insert_tournament_notice;
use crate::secrets::random_u64;
use crate::{Error, pairing};
use std::collections::HashSet;
use tochki_play::{Terms, TournamentMatch};
use tochki_protocol::{
    ByeKind, Code, TournamentFormat, TournamentNotice, TournamentRounds, TournamentState, limits,
};
use tochki_rules::Seat;
use tochki_tournaments::swiss::{self, Field, NoPairing, Pair};
use tochki_tournaments::{round_robin, rounds as figures};

/// A round as it is to be made, with the numbers of its players.
#[derive(Default)]
struct RoundPlan {
    /// The pairs, the one with the first move in front.
    pairs: Vec<[i32; 2]>,
    /// The forfeits of a round robin against who has left, or plays elsewhere, with the winners.
    forfeits: Vec<([i32; 2], Seat)>,
    /// The players without an opponent.
    byes: Vec<(i32, ByeKind)>,
    /// All players of a round robin, in the order of its table.
    table: Vec<i32>,
}

/// The outcome of a due round.
enum Next {
    /// It is paired.
    Round(RoundPlan, Course),
    /// The tournament ends: too few are here, or too many have met.
    End,
}

impl Tournaments {
    /// Does what is due in a locked tournament of rounds that runs: sets the time of the next round once all games have ended, pairs
    /// it at that time, ends the tournament after the last one.
    pub(super) async fn drive_rounds(
        &self,
        mut tx: Tx,
        stored: &StoredTournament,
    ) -> Result<(), Error> {
        let id = stored.tournament.id;
        let rounds = stored.rounds()?;
        db::pairings::close_ended(&mut tx, id).await?;
        if rounds.is_by_appointment() && rounds.round > 0 {
            return self.drive_appointments(tx, stored).await;
        }
        if db::round_rows::is_running(&mut tx, id).await? {
            return Ok(tx.commit().await?);
        }
        if !rounds.is_next_to_come() && rounds.round > 0 {
            end(&mut tx, stored).await?;
            return Ok(tx.commit().await?);
        }
        match rounds.round_at {
            None => {
                db::round_rows::schedule(&mut tx, id, stored.between()?).await?;
                Ok(tx.commit().await?)
            }
            Some(at) if stored.now < at => Ok(tx.commit().await?),
            Some(_) => {
                tx.commit().await?;
                self.pair_round(stored).await
            }
        }
    }

    /// Pairs the next round. Who comes or leaves while it is computed is minded by another attempt, a few times: then who has come in
    /// the meantime is left out.
    pub(super) async fn pair_round(&self, stored: &StoredTournament) -> Result<(), Error> {
        let (id, round) = (stored.tournament.id, stored.next_round()?);
        for attempt in 1..=limits::ROUND_PAIRING_ATTEMPTS {
            // The version first: whatever is not seen here changes it.
            let version = db::version(&self.db, id).await?;
            let results = self.round_results(id).await?;
            let mut entrants = db::round_rows::entrants(&self.db, id, round).await?;
            if stored.rounds()?.is_by_appointment() {
                // Nobody has to be there yet.
                for one in &mut entrants {
                    one.is_here = one.takes_part;
                    one.is_free = true;
                }
            }
            let next = plan(stored, results, entrants).await?;
            let mut tx = crate::db::begin(&self.db).await?;
            // The lease may have ended meanwhile, another round have begun, or an outage have moved this one.
            let lasting = limits::TOURNAMENT_LEASE;
            let Some(locked) = db::leases::lock(&mut tx, id, &self.holder, lasting).await? else {
                return Ok(());
            };
            let is_due = (locked.rounds()?.round_at).is_some_and(|at| at <= locked.now);
            if !is_due
                || locked.next_round()? != round
                || db::round_rows::is_running(&mut tx, id).await?
            {
                return Ok(());
            }
            let is_last = attempt == limits::ROUND_PAIRING_ATTEMPTS;
            if Some(locked.tournament.version) != version && !is_last {
                continue;
            }
            match next {
                Next::End => {
                    end(&mut tx, &locked).await?;
                    return Ok(tx.commit().await?);
                }
                Next::Round(plan, course) => {
                    if self.start_round(tx, &locked, &plan, &course).await? {
                        // The rooms call players to their boards, in every page that they have open.
                        self.notifier.notify_rooms();
                        return Ok(());
                    }
                }
            }
        }
        // The next turn of the driver tries again.
        Ok(())
    }

    /// Makes all pairings of a round and their matches; by appointment, games that are to come. Returns `false`, with nothing made, where a
    /// player has begun a game elsewhere or has left in the meantime, or where no more matches may run now.
    async fn start_round(
        &self,
        mut tx: Tx,
        stored: &StoredTournament,
        plan: &RoundPlan,
        course: &Course,
    ) -> Result<bool, Error> {
        let (id, round) = (stored.tournament.id, stored.next_round()?);
        if round == 1 && stored.tournament.format == TournamentFormat::RoundRobin {
            db::round_rows::set_places(&mut tx, id, &plan.table).await?;
        }
        let numbers: Vec<i32> = plan.pairs.iter().flatten().copied().collect();
        let is_by_appointment = stored.rounds()?.is_by_appointment();
        if is_by_appointment {
            db::appointments::insert(&mut tx, id, round, &plan.pairs).await?;
            let players = db::round_rows::players(&mut tx, id, &numbers).await?;
            let players: Vec<_> = players.into_values().collect();
            insert_tournament_notice(&mut tx, id, TournamentNotice::RoundBegun, &players).await?;
        } else if !self.start_matches(&mut tx, stored, &plan.pairs).await? {
            tx.rollback().await?;
            return Ok(false);
        }
        for &(numbers, winner) in &plan.forfeits {
            db::round_rows::insert_forfeit(&mut tx, id, round, numbers, winner).await?;
        }
        for &(number, kind) in &plan.byes {
            db::round_rows::insert_bye(&mut tx, id, round, number, kind).await?;
        }
        db::round_rows::start(&mut tx, id, round, course).await?;
        tx.commit().await?;
        if is_by_appointment {
            self.notifier.notify_causes();
        }
        Ok(true)
    }

    /// Starts the matches of the next round. Returns `false` where not all of them can be, so that nothing of it may stay.
    async fn start_matches(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        pairs: &[[i32; 2]],
    ) -> Result<bool, Error> {
        let (id, round) = (stored.tournament.id, stored.next_round()?);
        let numbers: Vec<i32> = pairs.iter().flatten().copied().collect();
        let free: HashSet<i32> = db::round_rows::lock_free(tx, id, &numbers)
            .await?
            .into_iter()
            .collect();
        if free.len() < numbers.len() {
            return Ok(false);
        }
        let bounds = db::pairings::rating_bounds(tx, id).await?;
        let players = db::round_rows::players(tx, id, &numbers).await?;
        let terms = stored.terms();
        let rules = TournamentMatch {
            id: id.0,
            first_move: stored.tournament.first_move,
            offers_after: stored.rounds()?.offers_after,
            berserk: false,
        };
        for &pair in pairs {
            let seats = pair.map(|number| players[&number]);
            match self.capacity.check_match(tx).await {
                Err(error) if error.failure().is_none() => return Ok(false),
                checked => checked?,
            }
            let terms = Terms {
                rated: terms.rated && db::pairings::can_be_rated(tx, bounds, seats).await?,
                ..terms
            };
            let started = pairing::db::start_tournament_match(tx, seats, &terms, rules).await;
            let match_id = match started {
                Ok(match_id) => match_id,
                Err(error) if matches!(error.code(), Code::OpponentLeft | Code::OnVacation) => {
                    return Ok(false);
                }
                Err(error) => return Err(error),
            };
            db::round_rows::insert(tx, id, round, pair, match_id).await?;
        }
        Ok(true)
    }
}

/// Begins a locked tournament of rounds, or cancels it where too few have entered.
pub(super) async fn begin(mut tx: Tx, stored: &StoredTournament) -> Result<(), Error> {
    entry::drop_unqualified(&mut tx, stored).await?;
    let players = db::round_rows::begin(&mut tx, stored).await?;
    if players < fewest(stored.tournament.format) {
        db::end(&mut tx, stored.tournament.id, TournamentState::Cancelled).await?;
        entry::tell_cancelled(&mut tx, stored).await?;
    }
    Ok(tx.commit().await?)
}

/// Plans the next round, off the threads that answer requests.
async fn plan(
    stored: &StoredTournament,
    results: RoundResults,
    entrants: Vec<RoundEntrant>,
) -> Result<Next, Error> {
    let rounds = stored.rounds()?.clone();
    let format = stored.tournament.format;
    let first_side = stored.first_side;
    let planned = tokio::task::spawn_blocking(move || {
        let here = entrants.iter().filter(|one| one.is_here).count();
        if rounds.round == 0 && (here as i64) < fewest(format) {
            return Next::End;
        }
        let taking_part = entrants.iter().filter(|one| one.takes_part).count() as u32;
        if format == TournamentFormat::RoundRobin {
            let table = table(&entrants, rounds.round);
            let course = Course {
                rounds: figures::round_robin_rounds(table.len() as u32, rounds.double),
                first_side: Seat::First,
            };
            return match plan_table(&table, &results, &entrants, &rounds) {
                Some(plan) => Next::Round(plan, course),
                None => Next::End,
            };
        }
        let course = Course {
            rounds: if rounds.round == 0 {
                figures::swiss_rounds(rounds.rounds, taking_part)
            } else {
                rounds.rounds.unwrap_or(rounds.round)
            },
            first_side: first_side.unwrap_or_else(drawn_side),
        };
        match plan_swiss(&results, &entrants, rounds.round, &course) {
            Ok(plan) => Next::Round(plan, course),
            Err(NoPairing) => Next::End,
        }
    });
    planned
        .await
        .map_err(|error| Error::invariant(format!("pairing failed: {error}")))
}

/// Ends a locked tournament of rounds. Who has come to all games of a Swiss is forgiven what they have missed before.
pub(super) async fn end(tx: &mut Tx, stored: &StoredTournament) -> Result<(), Error> {
    let id = stored.tournament.id;
    let state = if stored.rounds()?.round == 0 {
        TournamentState::Cancelled
    } else {
        TournamentState::Finished
    };
    if stored.tournament.format == TournamentFormat::Swiss {
        db::no_shows::forgive(tx, id).await?;
    }
    db::end(tx, id, state).await
}

/// Returns a side, drawn by lot.
pub(super) fn drawn_side() -> Seat {
    if random_u64().is_multiple_of(2) {
        Seat::First
    } else {
        Seat::Second
    }
}

/// Returns how many have to be there for a tournament to begin.
fn fewest(format: TournamentFormat) -> i64 {
    match format {
        TournamentFormat::RoundRobin => *limits::ROUND_ROBIN_PLAYERS.start(),
        TournamentFormat::Knockout => *limits::KNOCKOUT_PLAYERS.start(),
        TournamentFormat::Arena | TournamentFormat::Swiss => 2,
    }
}

/// Plans a round of a Swiss after `played` rounds.
fn plan_swiss(
    results: &RoundResults,
    entrants: &[RoundEntrant],
    played: u32,
    course: &Course,
) -> Result<RoundPlan, NoPairing> {
    let round = played + 1;
    let order = results.pairing_order();
    let mut field = results.field(&order, played, course.rounds, course.first_side);
    let mut plan = RoundPlan::default();
    for one in entrants.iter().filter(|one| one.takes_part) {
        let asks_bye = one.bye_round == Some(round.cast_signed());
        if asks_bye && round < course.rounds {
            plan.byes.push((one.number, ByeKind::Requested));
        } else if asks_bye || !one.is_here {
            plan.byes.push((one.number, ByeKind::Absent));
        }
    }
    let away: HashSet<i32> = plan.byes.iter().map(|bye| bye.0).collect();
    let plays = |number: usize| {
        let one = entrants.get(number);
        one.is_some_and(|one| one.takes_part && !away.contains(&one.number))
    };
    let mut present = 0;
    for (at, &number) in order.iter().enumerate() {
        field.players[at].absent = !plays(number);
        present += usize::from(!field.players[at].absent);
    }
    // Who is alone has no opponent, in this round and in all to come.
    if present < 2 {
        return Err(NoPairing);
    }
    for pair in swiss::pair(&field)? {
        match pair {
            Pair::Game { first, second } => {
                plan.pairs
                    .push([first, second].map(|at| entrants[order[at]].number));
            }
            Pair::Bye(at) => plan
                .byes
                .push((entrants[order[at]].number, ByeKind::Pairing)),
        }
    }
    debug_assert!(is_whole(&field, &plan), "everybody has one part of a round");
    Ok(plan)
}

fn is_whole(field: &Field, plan: &RoundPlan) -> bool {
    let present = field.players.iter().filter(|one| !one.absent).count();
    let byes = plan.byes.iter().filter(|bye| bye.1 == ByeKind::Pairing);
    2 * plan.pairs.len() + byes.count() == present
}

/// Returns the numbers of the players of a round robin, in the order of its table, which is drawn by lot for the first round.
fn table(entrants: &[RoundEntrant], played: u32) -> Vec<i32> {
    if played == 0 {
        let mut numbers: Vec<_> = (entrants.iter())
            .filter(|one| one.is_here)
            .map(|one| one.number)
            .collect();
        // Fisher and Yates.
        for at in (1..numbers.len()).rev() {
            let other = random_u64() % (at as u64 + 1);
            numbers.swap(at, other as usize);
        }
        return numbers;
    }
    let mut seated: Vec<_> = (entrants.iter())
        .filter_map(|one| Some((one.seed?, one.number)))
        .collect();
    seated.sort_unstable();
    seated.into_iter().map(|(_, number)| number).collect()
}

/// Plans a round of a round robin. `None` if its table has no such round, or nobody is left to play.
fn plan_table(
    table: &[i32],
    results: &RoundResults,
    entrants: &[RoundEntrant],
    rounds: &TournamentRounds,
) -> Option<RoundPlan> {
    let berger = round_robin::berger(table.len(), rounds.double)?;
    let round = berger.get(rounds.round as usize)?;
    let entrant = |number: i32| &entrants[place(number)];
    let is_void = |number: i32| {
        let played = results.games_of(number);
        !entrant(number).takes_part && round_robin::is_void(played, table.len(), rounds.double)
    };
    // Of who has left the table nobody meets anybody any more.
    if table
        .iter()
        .filter(|&&number| entrant(number).takes_part)
        .count()
        < 2
    {
        return None;
    }
    let mut plan = RoundPlan {
        table: table.to_vec(),
        ..RoundPlan::default()
    };
    if let Some(free) = round.bye.map(|at| table[at])
        && entrant(free).takes_part
    {
        plan.byes.push((free, ByeKind::Free));
    }
    for pair in &round.pairs {
        let numbers = pair.map(|at| table[at]);
        let plays = numbers.map(|number| entrant(number).takes_part && entrant(number).is_free);
        match plays {
            [true, true] => plan.pairs.push(numbers),
            // Neither has a point.
            [false, false] => {}
            _ if numbers.iter().any(|&number| is_void(number)) => {
                let stays = numbers
                    .into_iter()
                    .filter(|&number| entrant(number).takes_part);
                plan.byes
                    .extend(stays.map(|number| (number, ByeKind::Free)));
            }
            [true, false] => plan.forfeits.push((numbers, Seat::First)),
            [false, true] => plan.forfeits.push((numbers, Seat::Second)),
        }
    }
    Some(plan)
}

#[cfg(test)]
mod tests {
    use super::super::db::round_results::{ListedEntrant, Part};
    use super::*;
    use tochki_protocol::{Account, EntrantState, PlayerId};
    use tochki_tournaments::arena::Sheet;

    /// Returns entrants who are here, but for those with these numbers, who have left.
    fn entrants(count: i32, gone: &[i32]) -> Vec<RoundEntrant> {
        (0..count)
            .map(|number| {
                let takes_part = !gone.contains(&number);
                RoundEntrant {
                    number,
                    player: PlayerId(number.into()),
                    seed: Some(number),
                    takes_part,
                    is_here: takes_part,
                    is_free: true,
                    bye_round: None,
                }
            })
            .collect()
    }

    fn results(count: i32, parts: Vec<(u32, Part)>) -> RoundResults {
        let entrant = |number: i32| ListedEntrant {
            account: Account {
                id: PlayerId(number.into()),
                name: format!("player{number}"),
                guest: false,
                bot: false,
            },
            state: EntrantState::Here,
            seed: Some(1600 - number),
            closed: false,
            sheet: Sheet::default(),
        };
        RoundResults {
            entrants: (0..count).map(entrant).collect(),
            parts,
        }
    }

    fn won(first: i32, second: i32) -> Part {
        Part::Ended {
            numbers: [first, second],
            winner: Some(Seat::First),
            forfeit: false,
            board: [1, 0],
        }
    }

    fn of_table(round: u32) -> TournamentRounds {
        TournamentRounds {
            round,
            rounds: Some(3),
            round_at: None,
            presence_from: None,
            break_seconds: 60,
            double: false,
            best_of: None,
            days: None,
            missed: None,
            offers_after: 0,
            tie_breaks: Vec::new(),
        }
    }

    #[test]
    fn a_round_robin_goes_on_without_who_has_left() {
        let table = [0, 1, 2, 3];
        let first = plan_table(
            &table,
            &results(4, Vec::new()),
            &entrants(4, &[]),
            &of_table(0),
        );
        let first = first.unwrap();
        assert_eq!(first.pairs, [[0, 3], [1, 2]]);
        let played = vec![(1, won(0, 3)), (1, won(1, 2))];
        // 3 has played one of three games: its results are void, and who would have met it is free.
        let early = plan_table(
            &table,
            &results(4, played.clone()),
            &entrants(4, &[3]),
            &of_table(1),
        );
        let early = early.unwrap();
        assert_eq!(early.pairs, [[0, 1]]);
        assert_eq!(early.byes, [(2, ByeKind::Free)]);
        assert!(early.forfeits.is_empty());
        // After two of three games the third is a forfeit.
        let later = [played, vec![(2, won(0, 1)), (2, won(3, 2))]].concat();
        let later = plan_table(&table, &results(4, later), &entrants(4, &[3]), &of_table(2));
        let later = later.unwrap();
        assert_eq!(later.pairs, [[2, 0]]);
        assert_eq!(later.forfeits, [([1, 3], Seat::First)]);
        // Alone nobody plays on.
        let alone = plan_table(
            &table,
            &results(4, Vec::new()),
            &entrants(4, &[1, 2, 3]),
            &of_table(1),
        );
        assert!(alone.is_none());
        let over = plan_table(
            &table,
            &results(4, Vec::new()),
            &entrants(4, &[]),
            &of_table(3),
        );
        assert!(over.is_none());
    }

    #[test]
    fn of_an_odd_table_one_is_free() {
        let plan = plan_table(
            &[4, 2, 0],
            &results(5, Vec::new()),
            &entrants(5, &[]),
            &of_table(0),
        );
        let plan = plan.unwrap();
        assert_eq!(plan.pairs, [[2, 0]]);
        assert_eq!(plan.byes, [(4, ByeKind::Free)]);
    }

    #[test]
    fn a_swiss_pairs_who_is_here() {
        let course = Course {
            rounds: 3,
            first_side: Seat::First,
        };
        let mut all = entrants(6, &[5]);
        all[1].bye_round = Some(1);
        all[2].is_here = false;
        let plan = plan_swiss(&results(6, Vec::new()), &all, 0, &course).unwrap();
        // Of 0, 3 and 4 the last one has the bye.
        assert_eq!(plan.pairs, [[0, 3]]);
        let mut byes = plan.byes;
        byes.sort_by_key(|bye| bye.0);
        assert_eq!(
            byes,
            [
                (1, ByeKind::Requested),
                (2, ByeKind::Absent),
                (4, ByeKind::Pairing)
            ]
        );
        // In the last round a requested bye is no more than absence.
        all[1].bye_round = Some(3);
        let plan = plan_swiss(&results(6, Vec::new()), &all, 2, &course).unwrap();
        assert!(plan.byes.contains(&(1, ByeKind::Absent)));
        let alone = plan_swiss(
            &results(6, Vec::new()),
            &entrants(6, &[1, 2, 3, 4, 5]),
            1,
            &course,
        );
        assert!(alone.is_err());
        // Who has met everybody who is here has no opponent left.
        let met = vec![(1, won(0, 1))];
        let again = plan_swiss(&results(2, met), &entrants(2, &[]), 1, &course);
        assert!(again.is_err());
    }
}
