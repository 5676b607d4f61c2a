//! Random Swiss tournaments for tests, with draws, forfeits, requested byes, late players, withdrawals and pairs
//! who must not meet.

use super::field::{Entrant, Field, Pair, Round};
use crate::Points;
use crate::testing::Random;
use tochki_rules::Seat;

/// The percentages of what happens in a random Swiss.
#[derive(Clone, Copy, Debug)]
pub(super) struct Chances {
    pub(super) draw: usize,
    pub(super) forfeit: usize,
    pub(super) bye: usize,
    pub(super) withdrawal: usize,
    pub(super) late: usize,
}

impl Chances {
    pub(super) fn random(random: &mut Random) -> Self {
        let mut up_to = |most| {
            if random.percent(30) {
                0
            } else {
                random.below(most)
            }
        };
        Self {
            draw: up_to(60),
            forfeit: up_to(20),
            bye: up_to(20),
            withdrawal: up_to(10),
            late: up_to(20),
        }
    }
}

/// A Swiss that goes on by chance.
#[derive(Clone, Debug)]
pub(super) struct Run {
    pub(super) field: Field,
    chances: Chances,
    is_wild: bool,
    left: Vec<bool>,
    comes: Vec<usize>,
    /// The points that each absent player gets for the next round.
    byes: Vec<Points>,
}

impl Run {
    pub(super) fn new(players: usize, rounds: u32, random: &mut Random) -> Self {
        let chances = Chances::random(random);
        let comes = (0..players)
            .map(|_| {
                if random.percent(chances.late) {
                    random.below(rounds as usize / 2 + 1)
                } else {
                    0
                }
            })
            .collect();
        let mut run = Self {
            field: Field {
                rounds,
                initial_side: Seat::BOTH[random.below(2)],
                players: vec![Entrant::default(); players],
                forbidden: Vec::new(),
            },
            chances,
            is_wild: random.percent(40),
            left: vec![false; players],
            comes,
            byes: vec![Points::ZERO; players],
        };
        if random.percent(20) {
            for _ in 0..players / 6 {
                let one = random.below(players);
                run.field
                    .forbidden
                    .push([one, (one + 1 + random.below(players - 1)) % players]);
            }
        }
        run.call(random);
        run
    }

    /// Draws who is absent in the next round.
    fn call(&mut self, random: &mut Random) {
        let round = self.field.played_rounds() as usize;
        for player in 0..self.left.len() {
            self.left[player] |= random.percent(self.chances.withdrawal);
            let bye = random.percent(self.chances.bye);
            self.byes[player] = if bye && !self.left[player] {
                Points::HALF
            } else {
                Points::ZERO
            };
            self.field.players[player].absent =
                self.left[player] || bye || round < self.comes[player];
        }
    }

    /// Plays the pairs of a round; the lower number mostly wins.
    pub(super) fn play(&mut self, pairs: &[Pair], random: &mut Random) {
        let players = self.left.len();
        let mut next: Vec<_> = self.byes.iter().map(|&points| Round::Bye(points)).collect();
        for pair in pairs {
            match *pair {
                Pair::Bye(player) => next[player] = Round::PairingBye,
                Pair::Game { first, second } => {
                    let both = [(first, second, Seat::First), (second, first, Seat::Second)];
                    if random.percent(self.chances.forfeit) {
                        let winner = random.below(5);
                        for (player, opponent, side) in both {
                            next[player] = Round::Forfeit {
                                opponent,
                                side,
                                won: winner % 3 == side.index(),
                            };
                        }
                        continue;
                    }
                    let halves = if random.percent(self.chances.draw) {
                        [1, 1]
                    } else if (random.below(2 * players) < players + second) == (first < second)
                        || random.percent(20)
                    {
                        [2, 0]
                    } else {
                        [0, 2]
                    };
                    for (player, opponent, side) in both {
                        let result = Points::from_halves(halves[side.index()]);
                        next[player] = Round::Game {
                            opponent,
                            side,
                            result,
                        };
                    }
                }
            }
        }
        for (player, round) in self.field.players.iter_mut().zip(next) {
            player.history.push(round);
        }
        self.call(random);
    }

    /// Goes on by the pairs, or by other ones at random, where sides and floats are wilder.
    pub(super) fn go_on(&mut self, pairs: &[Pair], random: &mut Random) {
        if self.is_wild {
            let pairs = self.random_pairs(random);
            self.play(&pairs, random);
        } else {
            self.play(pairs, random);
        }
    }

    /// Pairs those who are there at random, as far as they have not met. Who is left has the bye.
    fn random_pairs(&self, random: &mut Random) -> Vec<Pair> {
        let mut left: Vec<_> = (0..self.left.len())
            .filter(|&player| !self.field.players[player].absent)
            .collect();
        let mut pairs = Vec::new();
        while !left.is_empty() {
            let first = left.swap_remove(random.below(left.len()));
            let met = |second: usize| {
                let history = &self.field.players[first].history;
                (history.iter()).any(
                    |round| matches!(round, Round::Game { opponent, .. } if *opponent == second),
                )
            };
            match (0..left.len()).find(|&at| !met(left[at])) {
                Some(at) => {
                    let second = left.swap_remove(at);
                    pairs.push(Pair::Game { first, second });
                }
                None => pairs.push(Pair::Bye(first)),
            }
        }
        pairs
    }

    /// Returns how many are paired in the next round.
    pub(super) fn present(&self) -> usize {
        self.field
            .players
            .iter()
            .filter(|player| !player.absent)
            .count()
    }
}
