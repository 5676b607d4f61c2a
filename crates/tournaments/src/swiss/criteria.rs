//! The criteria C1 to C21 (article 2) as digits of weights: for the pairs of one bracket, those of the next one, and the rest.
//!
//! Each criterion asks to minimize something over a bracket. As the number of pairs is settled by C6, a digit counts the pairs
//! without a fault instead, and is maximized.

use super::field::{Float, Player};
use super::sides::Strength;
use super::weight::{Weights, width};
use crate::Points;

/// The round that is paired.
#[derive(Clone, Copy, Debug)]
pub(super) struct RoundRules {
    /// The rounds that are over.
    pub(super) played: u32,
    /// The rounds of the whole.
    pub(super) rounds: u32,
}

impl RoundRules {
    /// Returns whether C1 and C3 allow a game.
    pub(super) fn may_meet(self, one: &Player, other: &Player) -> bool {
        let absolute = |player: &Player| player.sides.strength() == Strength::Absolute;
        // A topscorer has more than half of the points before the last round (1.8).
        let topscorer =
            |player: &Player| self.played + 1 >= self.rounds && player.score.halves() > self.played;
        let c1 = one.may_meet(other);
        let c3 = !(absolute(one) && absolute(other))
            || one.sides.is_compatible(&other.sides)
            || topscorer(one)
            || topscorer(other);
        c1 && c3
    }
}

/// The players who are not paired yet, from the highest rank on, and the bracket that is next: players who were moved down,
/// then residents.
#[derive(Clone, Debug)]
pub(super) struct Criteria<'a> {
    pub(super) round: RoundRules,
    pub(super) players: Vec<&'a Player>,
    /// The index of the first resident.
    pub(super) residents: usize,
    /// The index behind the residents: the first player of the next bracket's score.
    pub(super) next: usize,
    /// The index behind those.
    pub(super) rest: usize,
    /// The score of who has the bye, if there is one: the least that is possible (C5). Then the last vertex is the bye.
    pub(super) bye_score: Option<Points>,
    /// Whether the only downfloater of the bracket has the bye, so that C9 matters.
    pub(super) bye_floats_alone: bool,
}

type Digits = Vec<(u32, u32)>;

impl Criteria<'_> {
    /// Returns the weights of all pairs. The vertices are the players, and behind them the bye.
    pub(super) fn weights(&self) -> Weights {
        let size = self.players.len() + usize::from(self.bye_score.is_some());
        let bits = self.digits(None).iter().map(|digit| digit.1).sum();
        let mut weights = Weights::new(size, bits);
        for low in 0..self.players.len() {
            for high in 0..low {
                let both_moved_down = low < self.residents;
                let allowed = self.round.may_meet(self.players[high], self.players[low]);
                // Of those who were moved down no two can meet: they would have before.
                if allowed && !both_moved_down {
                    weights.allow(high, low, &self.digits(Some([high, low])));
                }
            }
            if self.may_have_bye(self.players[low]) {
                weights.allow(
                    low,
                    self.players.len(),
                    &self.digits(Some([low, self.players.len()])),
                );
            }
        }
        weights
    }

    /// Returns whether C2 and C5 allow the bye.
    fn may_have_bye(&self, player: &Player) -> bool {
        player.may_have_bye && self.bye_score == Some(player.score)
    }

    /// Returns the digits of a pair, or the widths alone.
    fn digits(&self, pair: Option<[usize; 2]>) -> Digits {
        let in_bracket = pair.filter(|&[_, low]| low < self.next);
        let in_next = pair.filter(|&[_, low]| (self.next..self.rest).contains(&low));
        let high_score = |[high, _]: [usize; 2]| self.players[high].score;
        let count = width(self.rest);
        let mut digits = Digits::new();

        // C4: the rest can be paired.
        digits.push((u32::from(pair.is_some()), width(self.players.len())));
        // C6: as few downfloaters as possible.
        digits.push((u32::from(in_bracket.is_some()), count));
        // C7: the downfloaters have low scores.
        self.push_scores(&mut digits, self.next, in_bracket.map(high_score));
        // C8: the same for the next bracket.
        digits.push((u32::from(in_next.is_some()), count));
        self.push_scores(&mut digits, self.rest, in_next.map(high_score));
        // C9: the bye goes to who has played most.
        let played = pair
            .filter(|&[_, low]| low == self.players.len() && self.bye_floats_alone)
            .map_or(0, |[high, _]| self.players[high].played);
        digits.push((played, width(self.round.played as usize)));

        let [high, low] = match in_bracket {
            Some(pair) => pair.map(|index| self.players[index]),
            None => {
                let faults = vec![(0, count); 8];
                digits.extend(faults);
                for _ in 18..=21 {
                    self.push_scores(&mut digits, self.residents, None);
                }
                return digits;
            }
        };
        let mut push = |kept: bool| digits.push((u32::from(kept), count));
        let (one, other) = (&high.sides, &low.sides);
        let same = !one.is_compatible(other);
        let strengths = [one.strength(), other.strength()];
        let both_absolute = strengths == [Strength::Absolute; 2];
        // C10: no topscorer, or opponent of one, with a difference of sides above 2.
        push(!(same && one.has_absolute_difference() && other.has_absolute_difference()));
        // C11: none of them with the same side three times in a row.
        let yields = if one.difference() > other.difference() {
            other
        } else {
            one
        };
        let third = if one.difference() == other.difference() {
            one.repeated().is_some() && one.repeated() == other.repeated()
        } else {
            yields.repeated().is_some() && yields.repeated() != yields.preference()
        };
        push(!(same && both_absolute && third));
        // C12: preferences.
        push(!same);
        // C13: strong preferences.
        let both_strong = strengths
            .iter()
            .all(|&strength| strength >= Strength::Strong);
        push(!(same && both_strong && !both_absolute));

        let moved_down = high.score > low.score;
        for back in 0..2 {
            // C14, C16: residents who floated down do not so again.
            let down = |player: &Player| u32::from(player.floats[back] == Float::Down);
            let residents = down(low) + if moved_down { 0 } else { down(high) };
            digits.push((residents, count));
            // C15, C17: opponents of those who were moved down did not float up.
            let up = moved_down && low.floats[back] == Float::Up;
            digits.push((u32::from(!up), count));
        }
        for back in 0..2 {
            // C18, C20: who floated down floats no further, the highest scores first.
            let down = moved_down && high.floats[back] == Float::Down;
            self.push_scores(&mut digits, self.residents, down.then_some(high.score));
            // C19, C21: who floated up floats up by as little as possible.
            let up = low.floats[back] == Float::Up;
            self.push_scores(
                &mut digits,
                self.residents,
                (moved_down && !up).then_some(high.score),
            );
        }
        digits
    }

    /// Adds a digit for each score among the first players, from the highest on; that of `score` counts one.
    fn push_scores(&self, digits: &mut Digits, players: usize, score: Option<Points>) {
        for group in self.players[..players].chunk_by(|one, other| one.score == other.score) {
            digits.push((u32::from(score == Some(group[0].score)), width(group.len())));
        }
    }
}
