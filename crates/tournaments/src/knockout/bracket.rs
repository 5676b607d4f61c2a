//! The bracket of a knockout: seeds folded, so that the best two meet in the final at the earliest.

use std::ops::RangeInclusive;

/// The number of players that a knockout may have.
pub const PLAYERS: RangeInclusive<usize> = 4..=64;

/// Two seeds who meet, the higher one in front: 0 is the best of all.
pub type BracketPair = [usize; 2];

/// The rounds so far. A seed is the place in the order of ratings.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bracket {
    /// The slots of each round: who stands in it once that is known. The last round has one slot, the winner's.
    rounds: Vec<Vec<Option<usize>>>,
}

impl Bracket {
    /// Makes a bracket; `None` if the number of players is not among [`PLAYERS`]. The best have byes in the first round where
    /// the number is no power of two.
    pub fn new(players: usize) -> Option<Self> {
        if !PLAYERS.contains(&players) {
            return None;
        }
        let size = players.next_power_of_two();
        let mut slots = vec![0];
        while slots.len() < size {
            // Each seed meets the one with whom it makes the sum of the round: 1–16, 8–9, …
            let sum = 2 * slots.len() - 1;
            slots = slots.iter().flat_map(|&seed| [seed, sum - seed]).collect();
        }
        let mut rounds = vec![
            slots
                .iter()
                .map(|&seed| (seed < players).then_some(seed))
                .collect(),
        ];
        let mut size = size;
        while size > 1 {
            size /= 2;
            rounds.push(vec![None; size]);
        }
        let mut bracket = Self { rounds };
        for pair in 0..bracket.rounds[1].len() {
            if let [Some(seed), None] | [None, Some(seed)] = bracket.slots(0, pair) {
                bracket.rounds[1][pair] = Some(seed);
            }
        }
        Some(bracket)
    }

    /// Returns the number of rounds.
    pub fn round_count(&self) -> usize {
        self.rounds.len() - 1
    }

    /// Returns the pairs of a round, from 0, whose players are known, each with its index in the round.
    pub fn pairs(&self, round: usize) -> Vec<(usize, BracketPair)> {
        let Some(next) = self.rounds.get(round + 1) else {
            return Vec::new();
        };
        (0..next.len())
            .filter_map(|pair| match self.slots(round, pair) {
                [Some(one), Some(other)] => Some((pair, [one.min(other), one.max(other)])),
                _ => None,
            })
            .collect()
    }

    /// Returns the slots of each pair of a round, from 0: who stands in them, once that is known. In the first round a slot that stays
    /// empty is a bye.
    pub fn slots_of(&self, round: usize) -> Vec<[Option<usize>; 2]> {
        let pairs = self.rounds.get(round + 1).map_or(0, Vec::len);
        (0..pairs).map(|pair| self.slots(round, pair)).collect()
    }

    /// Returns the pairs of a round that are not decided.
    pub fn open_pairs(&self, round: usize) -> Vec<(usize, BracketPair)> {
        let mut pairs = self.pairs(round);
        pairs.retain(|&(pair, _)| self.rounds[round + 1][pair].is_none());
        pairs
    }

    /// Returns the winner of the whole, once there is one.
    pub fn winner(&self) -> Option<usize> {
        self.rounds[self.round_count()][0]
    }

    /// Lets the winner of a pair go on. Returns whether that was possible: the pair has to be known and open, and the winner one
    /// of it; otherwise nothing changes.
    #[must_use]
    pub fn advance(&mut self, round: usize, pair: usize, winner: usize) -> bool {
        let known = self
            .open_pairs(round)
            .into_iter()
            .any(|(index, seeds)| index == pair && seeds.contains(&winner));
        if known {
            self.rounds[round + 1][pair] = Some(winner);
        }
        known
    }

    fn slots(&self, round: usize, pair: usize) -> [Option<usize>; 2] {
        [
            self.rounds[round][2 * pair],
            self.rounds[round][2 * pair + 1],
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seeds_are_folded() {
        let bracket = Bracket::new(16).unwrap();
        let told: Vec<_> = bracket
            .pairs(0)
            .iter()
            .map(|(_, [high, low])| format!("{}–{}", high + 1, low + 1))
            .collect();
        assert_eq!(
            told,
            [
                "1–16", "8–9", "4–13", "5–12", "2–15", "7–10", "3–14", "6–11"
            ]
        );
    }

    #[test]
    fn the_best_have_byes() {
        let bracket = Bracket::new(5).unwrap();
        assert_eq!(bracket.pairs(0), [(1, [3, 4])]);
        assert_eq!(bracket.pairs(1), [(1, [1, 2])]);
        assert_eq!(
            bracket.slots_of(0),
            [
                [Some(0), None],
                [Some(3), Some(4)],
                [Some(1), None],
                [Some(2), None]
            ]
        );
        assert_eq!(bracket.slots_of(1), [[Some(0), None], [Some(1), Some(2)]]);
        assert!(bracket.slots_of(3).is_empty());
        for players in PLAYERS {
            let bracket = Bracket::new(players).unwrap();
            let mut first: Vec<_> = bracket
                .pairs(0)
                .iter()
                .flat_map(|(_, pair)| *pair)
                .collect();
            first.sort_unstable();
            let byes = players.next_power_of_two() - players;
            assert_eq!(first, (byes..players).collect::<Vec<_>>(), "{players}");
        }
        assert_eq!(Bracket::new(3), None);
        assert_eq!(Bracket::new(65), None);
    }

    #[test]
    fn the_best_two_meet_in_the_final_where_the_better_always_wins() {
        for players in PLAYERS {
            let mut bracket = Bracket::new(players).unwrap();
            for round in 0..bracket.round_count() {
                for (pair, [high, _]) in bracket.open_pairs(round) {
                    assert!(bracket.advance(round, pair, high));
                }
            }
            let last = bracket.round_count() - 1;
            assert_eq!(bracket.pairs(last), [(0, [0, 1])], "{players}");
            assert_eq!(bracket.winner(), Some(0));
        }
    }

    #[test]
    fn only_a_player_of_an_open_pair_goes_on() {
        let mut bracket = Bracket::new(4).unwrap();
        assert!(!bracket.advance(0, 0, 1), "1 plays in the other pair");
        assert!(!bracket.advance(1, 0, 0), "the final is not known");
        assert!(!bracket.advance(0, 2, 0), "there is no such pair");
        assert!(!bracket.advance(7, 0, 0), "there is no such round");
        assert!(bracket.advance(0, 0, 3));
        assert!(!bracket.advance(0, 0, 0), "the pair is decided");
        assert!(bracket.advance(0, 1, 1));
        assert_eq!(bracket.pairs(1), [(0, [1, 3])]);
        assert_eq!(bracket.winner(), None);
    }
}
