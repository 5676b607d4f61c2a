//! Knockouts: the rounds of the bracket, the games of each pair, play-offs, and those who leave.
//!
//! All games of a pair belong to one round. Whatever was played is in the rows of the pairings alone, from which the bracket is played
//! over at each turn of the driver ([`PlayedKnockout`]): so a restart in the middle changes nothing.

use super::db::StoredTournament;
use super::db::knockout::{Choice, DuelGame};
use super::db::pairings::NewPairing;
use super::db::round_rows::{Course, RoundEntrant};
use super::duels::{PlayedDuel, PlayedKnockout};
use super::round_results::place;
use super::{Tournaments, db, rounds};
use crate::db::Tx;
use crate::secrets::random_u64;
use crate::{Error, WithSubject as _, pairing};
use std::cmp::Reverse;
use std::collections::{HashMap, HashSet};
use tochki_play::{Terms, Timestamp, TournamentMatch};
use tochki_protocol::limits::{self, in_millis};
use tochki_protocol::{Account, ByeKind, Code, TournamentId, TournamentRounds};
use tochki_rules::Seat;
use tochki_tournaments::knockout::{
    BestOf, NextGame, Step, TimeControl, half_clock, play_off_setup,
};
use tochki_tournaments::rounds as figures;

/// A game as it is to be made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct PlannedGame {
    /// The places of the players in the order of joining, the one with the first move in front.
    numbers: [i32; 2],
    clock: TimeControl,
}

/// The turn of a knockout.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct Turn {
    /// Whether it ends: the final was played, or too few have come.
    is_over: bool,
    /// Whether the time of the next round is to be set.
    is_scheduled: bool,
    /// The round that begins, with the number of all.
    begins: Option<(u32, u32)>,
    /// All players in the order of their seeds, where the first round begins.
    table: Vec<i32>,
    /// Those without an opponent in the first round.
    byes: Vec<i32>,
    games: Vec<PlannedGame>,
    /// The games that nobody plays, with their winners.
    forfeits: Vec<([i32; 2], Seat)>,
    /// Those who choose a side from now on.
    choices: Vec<i32>,
    /// Those who have lost.
    losers: Vec<i32>,
}

/// The rows that decide about a turn.
struct Situation<'a> {
    rounds: &'a TournamentRounds,
    /// Each at the place of its number.
    entrants: &'a [RoundEntrant],
    games: &'a [DuelGame],
    choices: &'a HashMap<i32, Choice>,
    now: Timestamp,
}

impl Tournaments {
    /// Does what is due in a locked knockout that runs.
    pub(super) async fn drive_knockout(
        &self,
        mut tx: Tx,
        stored: &StoredTournament,
    ) -> Result<(), Error> {
        let id = stored.tournament.id;
        let rounds = stored.rounds()?;
        db::pairings::close_ended(&mut tx, id).await?;
        tx.commit().await?;
        // The version first: whatever is not seen here changes it.
        let version = db::version(&self.db, id).await?;
        let entrants = db::round_rows::entrants(&self.db, id, stored.next_round()?).await?;
        let games = db::knockout::games(&self.db, id).await?;
        let choices = db::knockout::choices(&self.db, id, rounds.round).await?;
        let situation = Situation {
            rounds,
            entrants: &entrants,
            games: &games,
            choices: &choices,
            now: stored.now,
        };
        let turn = plan(&situation, &mut random_u64)
            .ok_or_else(|| Error::invariant("a knockout has no bracket"))?;
        if turn == Turn::default() {
            return Ok(());
        }
        let mut tx = crate::db::begin(&self.db).await?;
        // The lease may have ended meanwhile, or an outage have moved the round. What has changed is minded at the next turn.
        let lasting = limits::TOURNAMENT_LEASE;
        let Some(locked) = db::leases::lock(&mut tx, id, &self.holder, lasting).await? else {
            return Ok(());
        };
        if Some(locked.tournament.version) != version || locked.rounds()?.round != rounds.round {
            return Ok(());
        }
        if turn.is_over {
            rounds::end(&mut tx, &locked).await?;
            return Ok(tx.commit().await?);
        }
        db::knockout::eliminate(&mut tx, id, &turn.losers).await?;
        if turn.is_scheduled {
            db::round_rows::schedule(&mut tx, id, locked.between()?).await?;
            return Ok(tx.commit().await?);
        }
        if self.make(&mut tx, &locked, &turn).await? {
            tx.commit().await?;
            // The rooms call players to their boards, in every page that they have open.
            self.notifier.notify_rooms();
        } else {
            tx.commit().await?;
        }
        Ok(())
    }

    /// Begins a round, and makes the games of a turn. Returns whether a match was started. One whose players cannot play now is left to
    /// the next turn.
    async fn make(
        &self,
        tx: &mut Tx,
        stored: &StoredTournament,
        turn: &Turn,
    ) -> Result<bool, Error> {
        let id = stored.tournament.id;
        let round = turn
            .begins
            .map_or(stored.rounds()?.round, |begins| begins.0);
        let round = round.cast_signed();
        if let Some((_, all)) = turn.begins {
            if round == 1 {
                db::round_rows::set_places(tx, id, &turn.table).await?;
            }
            let course = Course {
                rounds: all,
                first_side: Seat::First,
            };
            db::round_rows::start(tx, id, round, &course).await?;
            for &number in &turn.byes {
                db::round_rows::insert_bye(tx, id, round, number, ByeKind::Pairing).await?;
            }
        }
        let numbers: Vec<i32> = turn.games.iter().flat_map(|game| game.numbers).collect();
        let free = db::round_rows::lock_free(tx, id, &numbers).await?;
        let free: HashSet<i32> = free.into_iter().collect();
        let bounds = db::pairings::rating_bounds(tx, id).await?;
        let players = db::round_rows::players(tx, id, &numbers).await?;
        let mut has_started = false;
        for game in &turn.games {
            if !game.numbers.iter().all(|number| free.contains(number)) {
                continue;
            }
            let seats = game.numbers.map(|number| players[&number]);
            match self.capacity.check_match(tx).await {
                Err(error) if error.failure().is_none() => break,
                checked => checked?,
            }
            let mut terms = stored.terms();
            if game.clock == TimeControl::Half {
                terms.clock = half_clock(terms.clock);
                terms.setup = play_off_setup(terms.setup);
            }
            let terms = Terms {
                rated: terms.rated && db::pairings::can_be_rated(tx, bounds, seats).await?,
                ..terms
            };
            let rules = TournamentMatch {
                id: id.0,
                first_move: figures::first_move_timeout(terms.clock),
                offers_after: stored.rounds()?.offers_after,
                berserk: false,
            };
            let started = pairing::db::start_tournament_match(tx, seats, &terms, rules).await;
            let match_id = match started {
                Ok(match_id) => match_id,
                // Refused before anything was written.
                Err(error) if matches!(error.code(), Code::OpponentLeft | Code::OnVacation) => {
                    continue;
                }
                Err(error) => return Err(error),
            };
            let new = NewPairing {
                round,
                numbers: game.numbers,
                match_id,
                is_uncounted: false,
            };
            db::pairings::insert(tx, id, &new).await?;
            has_started = true;
        }
        for &(numbers, winner) in &turn.forfeits {
            db::knockout::insert_forfeit(tx, id, round, numbers, winner).await?;
        }
        for &number in &turn.choices {
            db::knockout::open_choice(tx, id, round, number).await?;
        }
        db::advance(tx, id).await?;
        Ok(has_started)
    }

    /// Chooses the side of a player for the last game of a pair.
    ///
    /// # Errors
    /// `no_such_tournament`, or `not_open` where there is nothing to choose for the player.
    pub async fn choose_side(
        &self,
        player: &Account,
        id: TournamentId,
        side: Seat,
    ) -> Result<(), Error> {
        let done = async {
            let mut tx = crate::db::begin(&self.db).await?;
            self.lock(&mut tx, id).await?;
            if !db::knockout::choose(&mut tx, id, player.id, side).await? {
                return Err(Code::NotOpen.into());
            }
            db::advance(&mut tx, id).await?;
            tx.commit().await?;
            Ok(())
        };
        done.await.with_subject(id)
    }
}

/// Returns the number of games of a pair before a play-off.
pub(super) fn best_of(rounds: &TournamentRounds) -> BestOf {
    let games = rounds.best_of.and_then(BestOf::read);
    games.unwrap_or(BestOf::One)
}

/// Plans a turn. `None` if the table has no bracket, which would be a bug.
fn plan(situation: &Situation<'_>, random: &mut impl FnMut() -> u64) -> Option<Turn> {
    let Situation {
        rounds,
        entrants,
        games,
        now,
        ..
    } = *situation;
    let is_due = rounds.round_at.is_some_and(|at| at <= now);
    if rounds.round == 0 {
        if !is_due {
            return Some(Turn::default());
        }
        return Some(plan_first(situation, random));
    }
    let table = seated(entrants);
    let best_of = best_of(rounds);
    let state = PlayedKnockout::of(table, games, best_of, rounds.round, random)?;
    if state.bracket.winner().is_some() {
        return Some(Turn {
            is_over: true,
            ..Turn::default()
        });
    }
    let losers = (state.duels.iter())
        .filter_map(|duel| Some(duel.numbers[1 - duel.winner()?]))
        .filter(|&number| entrants[place(number)].takes_part);
    let mut turn = Turn {
        losers: losers.collect(),
        ..Turn::default()
    };
    let is_played = state
        .of_round(rounds.round)
        .all(|duel| duel.winner().is_some() && !duel.is_running());
    if !is_played {
        for duel in state.of_round(rounds.round) {
            plan_duel(situation, duel, &mut turn, random);
        }
        return Some(turn);
    }
    turn.is_scheduled = rounds.round_at.is_none();
    if turn.is_scheduled || !is_due {
        return Some(turn);
    }
    let next = rounds.round + 1;
    let state = PlayedKnockout::of(state.table, games, best_of, next, random)?;
    turn.begins = Some((next, state.bracket.round_count() as u32));
    for duel in state.of_round(next) {
        plan_duel(situation, duel, &mut turn, random);
    }
    Some(turn)
}

/// Plans the first round, of those who are here, by their ratings.
fn plan_first(situation: &Situation<'_>, random: &mut impl FnMut() -> u64) -> Turn {
    let mut here: Vec<_> = (situation.entrants.iter())
        .filter(|one| one.is_here)
        .collect();
    here.sort_by_key(|one| (Reverse(one.seed), one.number));
    let table: Vec<i32> = here.iter().map(|one| one.number).collect();
    let best_of = best_of(situation.rounds);
    let Some(state) = PlayedKnockout::of(table, &[], best_of, 1, random) else {
        // Too few have come. More than fit cannot enter.
        return Turn {
            is_over: true,
            ..Turn::default()
        };
    };
    let paired: HashSet<i32> = state.duels.iter().flat_map(|duel| duel.numbers).collect();
    let byes = state
        .table
        .iter()
        .copied()
        .filter(|number| !paired.contains(number));
    let mut turn = Turn {
        begins: Some((1, state.bracket.round_count() as u32)),
        byes: byes.collect(),
        table: state.table.clone(),
        ..Turn::default()
    };
    for duel in &state.duels {
        plan_duel(situation, duel, &mut turn, random);
    }
    turn
}

/// Returns the numbers of the players of a knockout that has begun, the best seed in front.
pub(super) fn seated(entrants: &[RoundEntrant]) -> Vec<i32> {
    let mut seated: Vec<_> = (entrants.iter())
        .filter_map(|one| Some((one.seed?, one.number)))
        .collect();
    seated.sort_unstable();
    seated.into_iter().map(|(_, number)| number).collect()
}

/// Plans what is due in a duel: its next game, a forfeit, or the choice of a side.
fn plan_duel(
    situation: &Situation<'_>,
    played: &PlayedDuel,
    turn: &mut Turn,
    random: &mut impl FnMut() -> u64,
) {
    let Situation {
        entrants,
        choices,
        now,
        ..
    } = *situation;
    if played.is_running() {
        return;
    }
    let numbers = played.numbers;
    let entrant = |number: i32| &entrants[place(number)];
    let next = match played.duel.step() {
        Step::Won(_) => return,
        Step::Play(next) => next,
        Step::Choose => NextGame {
            first: 0,
            clock: TimeControl::Half,
            draw_is_enough: true,
        },
    };
    let in_order = |first: usize| [numbers[first], numbers[1 - first]];
    let takes_part = numbers.map(|number| entrant(number).takes_part);
    if takes_part != [true; 2] {
        let order = in_order(next.first);
        let stays = order.map(|number| entrant(number).takes_part);
        turn.forfeits.push((order, winner_of(stays, random)));
        return;
    }
    let last_end = played.last_end();
    if last_end.is_some_and(|end| now < end + in_millis(limits::DUEL_PAUSE)) {
        return;
    }
    let mut first = next.first;
    if played.duel.step() == Step::Choose {
        match choices.get(&numbers[0]) {
            None => {
                turn.choices.push(numbers[0]);
                return;
            }
            Some(choice) if choice.side.is_none() && !choice.is_over => return,
            // Who says nothing has the side for which a draw is enough.
            Some(choice) => first = choice.side.unwrap_or(Seat::Second).index(),
        }
    }
    let order = in_order(first);
    let is_free = order.map(|number| entrant(number).is_free);
    if is_free == [true; 2] {
        turn.games.push(PlannedGame {
            numbers: order,
            clock: next.clock,
        });
    } else if last_end.is_none_or(|end| now >= end + in_millis(limits::DUEL_WAIT)) {
        turn.forfeits.push((order, winner_of(is_free, random)));
    }
}

/// Returns who wins a game to which not both come: the one who does, or if none does, one by lot.
fn winner_of(comes: [bool; 2], random: &mut impl FnMut() -> u64) -> Seat {
    match comes {
        [true, false] => Seat::First,
        [false, true] => Seat::Second,
        _ if random().is_multiple_of(2) => Seat::First,
        _ => Seat::Second,
    }
}

#[cfg(test)]
mod tests {
    use super::super::db::knockout::Course as GameCourse;
    use super::*;
    use tochki_play::Millis;
    use tochki_protocol::PlayerId;

    const NOW: Timestamp = Timestamp(1_000_000_000);

    fn rounds(round: u32, best_of: u32, round_at: Option<Timestamp>) -> TournamentRounds {
        TournamentRounds {
            round,
            rounds: None,
            round_at,
            presence_from: None,
            break_seconds: 60,
            double: false,
            best_of: Some(best_of),
            days: None,
            missed: None,
            offers_after: 0,
            tie_breaks: Vec::new(),
        }
    }

    /// Returns entrants in the order of their seeds. Before the first round these are ratings.
    fn entrants(count: i32, has_begun: bool) -> Vec<RoundEntrant> {
        (0..count)
            .map(|number| RoundEntrant {
                number,
                player: PlayerId(number.into()),
                seed: Some(if has_begun { number } else { 2000 - number }),
                takes_part: true,
                is_here: true,
                is_free: true,
                bye_round: None,
            })
            .collect()
    }

    /// Returns a game that the first of two numbers won by `winner`, which ended so many seconds ago.
    fn game(round: u32, numbers: [i32; 2], winner: Option<Seat>, seconds: u32) -> DuelGame {
        DuelGame {
            round,
            numbers,
            match_id: None,
            course: GameCourse::Ended {
                winner,
                forfeit: false,
            },
            ended_at: Some(NOW - Millis::from_secs(seconds)),
        }
    }

    #[track_caller]
    fn turn(
        rounds: &TournamentRounds,
        entrants: &[RoundEntrant],
        games: &[DuelGame],
        choices: &[(i32, Choice)],
    ) -> Turn {
        let choices = choices.iter().copied().collect();
        let situation = Situation {
            rounds,
            entrants,
            games,
            choices: &choices,
            now: NOW,
        };
        plan(&situation, &mut || 0).expect("a bracket")
    }

    /// Returns whether there is nothing to do but to write who has lost.
    fn is_quiet(turn: &Turn) -> bool {
        let others = Turn {
            losers: Vec::new(),
            ..turn.clone()
        };
        others == Turn::default()
    }

    fn pairs(turn: &Turn) -> Vec<[i32; 2]> {
        turn.games.iter().map(|game| game.numbers).collect()
    }

    const FIRST: Option<Seat> = Some(Seat::First);

    #[test]
    fn the_first_round_pairs_who_is_here_and_gives_the_best_their_byes() {
        let due = rounds(0, 1, Some(NOW));
        let begun = turn(&due, &entrants(5, false), &[], &[]);
        assert_eq!(begun.begins, Some((1, 3)));
        assert_eq!(begun.table, [0, 1, 2, 3, 4]);
        assert_eq!(begun.byes, [0, 1, 2]);
        assert_eq!(pairs(&begun), [[3, 4]]);
        assert!(begun.games[0].clock == TimeControl::Full);
        // Of eight, each has an opponent; of 64, too.
        let of_eight = turn(&due, &entrants(8, false), &[], &[]);
        assert_eq!(pairs(&of_eight), [[0, 7], [3, 4], [1, 6], [2, 5]]);
        let of_64 = turn(&due, &entrants(64, false), &[], &[]);
        assert_eq!(of_64.games.len(), 32);
        assert_eq!(of_64.begins, Some((1, 6)));
        // Who is not here is no part of it, and with three there is none.
        let mut away = entrants(5, false);
        away[0].is_here = false;
        assert_eq!(turn(&due, &away, &[], &[]).table, [1, 2, 3, 4]);
        away[1].is_here = false;
        assert!(turn(&due, &away, &[], &[]).is_over);
        let early = rounds(0, 1, Some(NOW + Millis(1)));
        assert_eq!(turn(&early, &entrants(8, false), &[], &[]), Turn::default());
    }

    #[test]
    fn a_round_ends_with_its_last_game() {
        let all = entrants(4, true);
        let half = [game(1, [0, 3], FIRST, 60)];
        let running = turn(&rounds(1, 1, None), &all, &half, &[]);
        assert_eq!(pairs(&running), [[1, 2]], "what was not made before");
        assert_eq!(running.losers, [3]);
        let both = [half[0], game(1, [1, 2], FIRST, 60)];
        assert!(turn(&rounds(1, 1, None), &all, &both, &[]).is_scheduled);
        let waits = rounds(1, 1, Some(NOW + Millis(1)));
        let waiting = turn(&waits, &all, &both, &[]);
        assert!(is_quiet(&waiting));
        assert_eq!(waiting.losers, [3, 2]);
        // That is written once.
        let mut known = entrants(4, true);
        known[2].takes_part = false;
        known[3].takes_part = false;
        assert_eq!(turn(&waits, &known, &both, &[]), Turn::default());
        let last = turn(&rounds(1, 1, Some(NOW)), &all, &both, &[]);
        assert_eq!(last.begins, Some((2, 2)));
        assert_eq!(pairs(&last), [[0, 1]]);
        let over = [both[0], both[1], game(2, [0, 1], FIRST, 1)];
        assert!(turn(&rounds(2, 1, None), &all, &over, &[]).is_over);
    }

    #[test]
    fn sides_are_swapped_after_a_pause_and_a_tie_is_played_off() {
        let all = entrants(4, true);
        let of_two = rounds(1, 2, None);
        let other = game(1, [1, 2], FIRST, 600);
        let decided = [other, game(1, [2, 1], Some(Seat::Second), 600)];
        let next = |games: &[DuelGame]| {
            let games = [&decided[..], games].concat();
            turn(&of_two, &all, &games, &[])
        };
        assert!(is_quiet(&next(&[game(1, [3, 0], FIRST, 9)])));
        assert_eq!(pairs(&next(&[game(1, [3, 0], FIRST, 10)])), [[0, 3]]);
        let tied = [game(1, [3, 0], FIRST, 99), game(1, [0, 3], FIRST, 10)];
        let play_off = next(&tied);
        assert_eq!(play_off.games[0].clock, TimeControl::Half);
        assert_eq!(play_off.games[0].numbers, [3, 0]);
    }

    #[test]
    fn the_better_seed_chooses_a_side_or_has_the_second() {
        let all = entrants(4, true);
        let of_one = rounds(1, 1, None);
        let drawn = |numbers| game(1, numbers, None, 30);
        let games = [
            game(1, [1, 2], FIRST, 600),
            drawn([0, 3]),
            drawn([3, 0]),
            drawn([0, 3]),
        ];
        let asked = turn(&of_one, &all, &games, &[]);
        assert_eq!(asked.choices, [0]);
        assert!(asked.games.is_empty());
        let choose = |side: Option<Seat>, is_over: bool| {
            let choices = [(0, Choice { side, is_over })];
            turn(&of_one, &all, &games, &choices)
        };
        assert!(is_quiet(&choose(None, false)));
        assert_eq!(pairs(&choose(None, true)), [[3, 0]]);
        assert_eq!(pairs(&choose(Some(Seat::First), false)), [[0, 3]]);
        assert_eq!(pairs(&choose(Some(Seat::Second), false)), [[3, 0]]);
    }

    #[test]
    fn who_has_left_or_plays_elsewhere_forfeits() {
        let mut all = entrants(4, true);
        all[0].takes_part = false;
        all[1].is_free = false;
        let of_two = rounds(1, 2, None);
        let begun = turn(&of_two, &all, &[], &[]);
        assert_eq!(
            begun.forfeits,
            [([0, 3], Seat::Second), ([1, 2], Seat::Second)]
        );
        assert!(begun.games.is_empty());
        // In the middle of a duel there is some time to come back.
        let middle = |seconds| {
            let games = [
                game(1, [0, 3], Some(Seat::Second), 600),
                game(1, [3, 0], FIRST, 600),
                game(1, [1, 2], FIRST, seconds),
            ];
            turn(&of_two, &all, &games, &[])
        };
        assert!(is_quiet(&middle(179)));
        assert_eq!(middle(180).forfeits, [([2, 1], Seat::First)]);
        // Of two who have both left one goes on by lot, so that the bracket does.
        all[3].takes_part = false;
        let both = turn(&of_two, &all, &[], &[]);
        assert_eq!(both.forfeits[0], ([0, 3], Seat::First));
    }
}
