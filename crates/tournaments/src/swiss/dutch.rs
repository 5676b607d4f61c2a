//! The Dutch system: brackets by score from the highest down, each paired with the best that is possible for it, so that the
//! rest can be paired as well.

use super::allocation::allocate;
use super::criteria::{Criteria, RoundRules};
use super::field::{Pair, Player};
use super::weight::{Weights, width};
use crate::Points;
use std::fmt;
use tochki_rules::Seat;

/// The number of players who are paired by the Dutch system at most; the time grows with its cube.
pub const LARGEST_DUTCH_FIELD: usize = 300;

/// The error that no pairing keeps the absolute criteria.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NoPairing;

impl fmt::Display for NoPairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("no pairing is possible: too many have met already")
    }
}

impl std::error::Error for NoPairing {}

/// Pairs players, who are in the order of their ranks.
pub(super) fn pair_players(
    players: &[Player],
    round: RoundRules,
    initial_side: Seat,
) -> Result<Vec<Pair>, NoPairing> {
    let bye_score = check(players, round)?;
    let mut open: Vec<_> = players.iter().collect();
    let mut pairs = Vec::new();
    for scoregroup in players.chunk_by(|one, other| one.score == other.score) {
        let score = scoregroup[0].score;
        let residents = open.partition_point(|player| player.score > score);
        let next = open.partition_point(|player| player.score >= score);
        let next_score = open.get(next).map(|player| player.score);
        let rest = open.partition_point(|player| Some(player.score) >= next_score);
        let bracket = Criteria {
            round,
            players: open.clone(),
            residents,
            next,
            rest,
            bye_score,
            bye_floats_alone: false,
        };
        let mut is_paired = vec![false; open.len()];
        for [high, low] in bracket.pair() {
            (is_paired[high], is_paired[low]) = (true, true);
            pairs.push(seat(open[high], open[low], initial_side));
        }
        let mut paired = is_paired.into_iter();
        open.retain(|_| !paired.next().unwrap_or(false));
    }
    // With an even number nobody is left, with an odd one the player with the bye.
    pairs.extend(open.into_iter().map(|player| Pair::Bye(player.place)));
    Ok(pairs)
}

/// Returns whether all can be paired (C4), and the least score that can have the bye (C5), where one is needed.
fn check(players: &[Player], round: RoundRules) -> Result<Option<Points>, NoPairing> {
    let is_odd = !players.len().is_multiple_of(2);
    let bye = players.len();
    let size = players.len() + usize::from(is_odd);
    let top = players.first().map_or(Points::ZERO, |player| player.score);
    let mut weights = Weights::new(size, width(size) + width(top.halves() as usize));
    for (low, player) in players.iter().enumerate() {
        let digits = |value| [(1, width(size)), (value, width(top.halves() as usize))];
        for (high, other) in players[..low].iter().enumerate() {
            if round.may_meet(other, player) {
                weights.allow(high, low, &digits(0));
            }
        }
        if is_odd && player.may_have_bye {
            weights.allow(low, bye, &digits((top - player.score).halves()));
        }
    }
    let all: Vec<_> = (0..size).collect();
    let mates = weights.solve(&all);
    if mates.iter().any(Option::is_none) {
        return Err(NoPairing);
    }
    Ok(mates
        .get(bye)
        .and_then(|mate| mate.map(|player| players[player].score)))
}

fn seat(high: &Player, low: &Player, initial_side: Seat) -> Pair {
    let [first, second] = match allocate(high, low, initial_side) {
        Seat::First => [high, low],
        Seat::Second => [low, high],
    };
    Pair::Game {
        first: first.place,
        second: second.place,
    }
}
