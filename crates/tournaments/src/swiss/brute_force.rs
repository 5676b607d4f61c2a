//! The criteria by brute force: of all pairings of a small field, none is better than the one that was chosen. Faults are counted
//! here as the handbook tells them, from the sides that players get, without weights.

use super::allocation::allocate;
use super::criteria::RoundRules;
use super::field::{Float, Pair, Player};
use super::pair;
use super::sides::Strength;
use super::test_fields::Run;
use crate::Points;
use crate::testing::Random;
use std::cmp::Reverse;
use tochki_rules::Seat;

/// A pairing: for each player the mate, or the own index for the bye.
type Mates = Vec<usize>;

/// Lists all pairings that the absolute criteria C1 to C3 allow.
fn legal(players: &[Player], round: RoundRules) -> Vec<Mates> {
    fn extend(
        players: &[Player],
        round: RoundRules,
        mates: &mut Vec<Option<usize>>,
        all: &mut Vec<Mates>,
    ) {
        let Some(one) = mates.iter().position(Option::is_none) else {
            all.push(mates.iter().flatten().copied().collect());
            return;
        };
        let no_bye_yet = (0..one).all(|at| mates[at] != Some(at));
        for other in one..players.len() {
            let fits = if other == one {
                no_bye_yet && players.len() % 2 == 1 && players[one].may_have_bye
            } else {
                mates[other].is_none() && may_meet(&players[one], &players[other], round)
            };
            if fits {
                (mates[one], mates[other]) = (Some(other), Some(one));
                extend(players, round, mates, all);
                (mates[one], mates[other]) = (None, None);
            }
        }
    }
    let mut all = Vec::new();
    extend(players, round, &mut vec![None; players.len()], &mut all);
    all
}

/// C1 and C3.
fn may_meet(one: &Player, other: &Player, round: RoundRules) -> bool {
    let absolute = |player: &Player| player.sides.strength() == Strength::Absolute;
    let topscorer = |player: &Player| {
        round.played + 1 == round.rounds && player.score > Points::from_halves(round.played)
    };
    let clash =
        absolute(one) && absolute(other) && one.sides.preference() == other.sides.preference();
    one.may_meet(other) && (!clash || topscorer(one) || topscorer(other))
}

/// The faults of a bracket, in the order of the criteria. Lists are in descending order, and the shorter one of two that begin
/// the same is better.
type Faults = Vec<Vec<u32>>;

/// A bracket of a pairing: who was moved down, the residents, and their score.
struct Bracket<'a> {
    players: &'a [Player],
    members: Vec<usize>,
    score: Points,
}

impl Bracket<'_> {
    fn pairs(&self, mates: &Mates) -> Vec<[usize; 2]> {
        let inside = |&one: &usize| mates[one] > one && self.members.contains(&mates[one]);
        self.members
            .iter()
            .copied()
            .filter(inside)
            .map(|one| [one, mates[one]])
            .collect()
    }

    fn floaters(&self, mates: &Mates) -> Vec<usize> {
        let paired = self.pairs(mates).concat();
        self.members
            .iter()
            .copied()
            .filter(|one| !paired.contains(one))
            .collect()
    }

    /// C6 and C7.
    fn float_faults(&self, mates: &Mates) -> Faults {
        let floaters = self.floaters(mates);
        let mut scores: Vec<_> = floaters
            .iter()
            .map(|&one| self.players[one].score.halves())
            .collect();
        scores.sort_by_key(|&score| Reverse(score));
        vec![vec![floaters.len() as u32], scores]
    }

    /// C9 to C21.
    fn other_faults(&self, mates: &Mates) -> Faults {
        let floaters = self.floaters(mates);
        let unplayed = match *floaters.as_slice() {
            [one] if mates[one] == one => {
                let rounds = self
                    .players
                    .iter()
                    .map(|player| player.played)
                    .max()
                    .unwrap_or(0);
                rounds - self.players[one].played
            }
            _ => 0,
        };
        let mut faults = vec![vec![unplayed], vec![0], vec![0], vec![0], vec![0]];
        for [high, low] in self.pairs(mates).map_pairs(self.players) {
            let side = allocate(high, low, Seat::First);
            for (player, side) in [(high, side), (low, side.other())] {
                let refused = player.sides.preference().is_some_and(|due| due != side);
                let absolute = player.sides.strength() == Strength::Absolute;
                let wide = refused && player.sides.difference() >= 2;
                faults[1][0] += u32::from(wide);
                faults[2][0] += u32::from(player.sides.repeated() == Some(side));
                faults[3][0] += u32::from(refused);
                faults[4][0] +=
                    u32::from(refused && !absolute && player.sides.strength() == Strength::Strong);
            }
        }
        let resident = |one: &&usize| self.players[**one].score == self.score;
        let mixed: Vec<_> = self
            .pairs(mates)
            .into_iter()
            .filter(|pair| self.players[pair[0]].score > self.score)
            .collect();
        for back in 0..2 {
            let down = |one: &&usize| self.players[**one].floats[back] == Float::Down;
            faults.push(vec![
                floaters.iter().filter(resident).filter(down).count() as u32
            ]);
            let up = |pair: &&[usize; 2]| self.players[pair[1]].floats[back] == Float::Up;
            faults.push(vec![mixed.iter().filter(up).count() as u32]);
        }
        for back in 0..2 {
            // Who floats once more has a difference of a point more than to the residents.
            let above = |one: usize, more: u32| {
                self.players[one].score.halves() - self.score.halves() + more
            };
            let down = |one: usize| self.players[one].floats[back] == Float::Down;
            let again = floaters
                .iter()
                .filter(|one| !resident(one))
                .map(|&one| (one, above(one, 2)));
            let mut differences: Vec<_> = again
                .chain(mixed.iter().map(|pair| (pair[0], above(pair[0], 0))))
                .filter(|&(one, _)| down(one))
                .map(|(_, difference)| difference)
                .collect();
            differences.sort_by_key(|&difference| Reverse(difference));
            faults.push(differences);
            let up = |pair: &&[usize; 2]| self.players[pair[1]].floats[back] == Float::Up;
            let mut differences: Vec<_> = mixed
                .iter()
                .filter(up)
                .map(|pair| above(pair[0], 0))
                .collect();
            differences.sort_by_key(|&difference| Reverse(difference));
            faults.push(differences);
        }
        faults
    }
}

trait MapPairs {
    fn map_pairs(self, players: &[Player]) -> Vec<[&Player; 2]>;
}

impl MapPairs for Vec<[usize; 2]> {
    fn map_pairs(self, players: &[Player]) -> Vec<[&Player; 2]> {
        self.into_iter()
            .map(|pair| pair.map(|at| &players[at]))
            .collect()
    }
}

/// Checks bracket after bracket that no legal pairing is better, among those that agree with the brackets before.
fn check(players: &[Player], round: RoundRules, chosen: &Mates) {
    let mut rivals = legal(players, round);
    assert!(rivals.contains(chosen), "C1 to C4");
    let bye_score = |mates: &Mates| {
        (0..mates.len())
            .find(|&at| mates[at] == at)
            .map(|at| players[at].score)
    };
    let least = rivals.iter().map(bye_score).min().unwrap();
    assert_eq!(bye_score(chosen), least, "C5");
    rivals.retain(|mates| bye_score(mates) == least);

    let mut scores: Vec<_> = players.iter().map(|player| player.score).collect();
    scores.dedup();
    let mut moved_down: Vec<usize> = Vec::new();
    for (index, &score) in scores.iter().enumerate() {
        let bracket = |score: Points, moved_down: &[usize]| {
            let residents = (0..players.len()).filter(|&at| players[at].score == score);
            let members = moved_down.iter().copied().chain(residents).collect();
            Bracket {
                players,
                members,
                score,
            }
        };
        let here = bracket(score, &moved_down);
        // C8: the best that the next bracket can have after the same pairs in this one.
        let next_faults = |mates: &Mates| match scores.get(index + 1) {
            Some(&next) => bracket(next, &here.floaters(mates)).float_faults(mates),
            None => Faults::new(),
        };
        let best_next = |mates: &Mates| {
            let same = |rival: &&Mates| here.pairs(rival) == here.pairs(mates);
            rivals.iter().filter(same).map(next_faults).min().unwrap()
        };
        let faults = |mates: &Mates| {
            [
                here.float_faults(mates),
                best_next(mates),
                here.other_faults(mates),
            ]
            .concat()
        };
        let own = faults(chosen);
        for rival in &rivals {
            assert!(
                own <= faults(rival),
                "bracket {index}: {own:?}, {rival:?} {:?}",
                faults(rival)
            );
        }
        let pairs = here.pairs(chosen);
        let floaters = here.floaters(chosen);
        rivals.retain(|rival| here.pairs(rival) == pairs);
        moved_down = floaters;
    }
}

#[test]
fn no_pairing_of_a_small_field_is_better() {
    let mut random = Random(42);
    let (mut rounds, mut without) = (0, 0);
    for _ in 0..80 {
        let mut run = Run::new(4 + random.below(6), 2 + random.below(7) as u32, &mut random);
        while run.field.played_rounds() < run.field.rounds {
            let players = run.field.present();
            let round = RoundRules {
                played: run.field.played_rounds(),
                rounds: run.field.rounds,
            };
            let Ok(pairs) = pair(&run.field) else {
                assert_eq!(legal(&players, round), Vec::<Mates>::new());
                without += 1;
                break;
            };
            let at = |place| {
                players
                    .iter()
                    .position(|player| player.place == place)
                    .unwrap()
            };
            let mut mates = vec![usize::MAX; players.len()];
            for pair in &pairs {
                let [one, other] = match *pair {
                    Pair::Game { first, second } => [at(first), at(second)],
                    Pair::Bye(player) => [at(player); 2],
                };
                (mates[one], mates[other]) = (other, one);
            }
            check(&players, round, &mates);
            rounds += 1;
            run.go_on(&pairs, &mut random);
        }
    }
    assert!(rounds > 150 && without > 5, "{rounds} {without}");
}
