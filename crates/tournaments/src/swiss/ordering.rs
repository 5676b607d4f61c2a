//! The order of pairings of equal quality (articles 3 and 4): which players who were moved down are paired, with whom, which
//! residents are exchanged between S1 and S2, and how S2 is transposed.
//!
//! The handbook tries candidates one after the other. The same candidate has the most weight where its choices are digits below
//! those of the criteria, the earliest choice the most significant one.

use super::weight::{ORDER_BITS, Weights, width};

/// A graph whose pairings are narrowed down, step by step, to one.
pub(super) struct Narrowing {
    weights: Weights,
    /// The vertices without a final mate.
    open: Vec<usize>,
    pairs: Vec<[usize; 2]>,
}

impl Narrowing {
    pub(super) fn new(weights: Weights) -> Self {
        Self {
            open: (0..weights.size()).collect(),
            weights,
            pairs: Vec::new(),
        }
    }

    fn solve(&self) -> Vec<Option<usize>> {
        self.weights.solve(&self.open)
    }

    /// Pairs the bracket of the first `next` vertices, of which those from `residents` on are residents.
    pub(super) fn pair(mut self, residents: usize, next: usize) -> Vec<[usize; 2]> {
        let moved_down: Vec<_> = (0..residents).collect();
        let all: Vec<_> = (residents..next).collect();
        let paired = self.choose_moved_down(&moved_down, &all);
        self.choose_opponents(&paired, &all);
        let remainder: Vec<_> = all
            .into_iter()
            .filter(|one| self.open.contains(one))
            .collect();
        let (upper, lower) = self.choose_upper_half(&remainder, next);
        self.choose_opponents(&upper, &lower);
        self.pairs
    }

    /// Chooses who of those who were moved down are paired: the highest ranks as far as possible.
    fn choose_moved_down(&mut self, moved_down: &[usize], residents: &[usize]) -> Vec<usize> {
        let mut paired = Vec::new();
        for chunk in moved_down.chunks(ORDER_BITS as usize) {
            self.weights.clear_order();
            for (bit, &one) in (0..chunk.len()).rev().zip(chunk) {
                for &other in residents {
                    self.weights.set_order(one, other, 1 << bit);
                }
            }
            let mates = self.solve();
            for &one in chunk {
                let is_paired = mates[one].is_some_and(|mate| residents.contains(&mate));
                for other in 0..self.weights.size() {
                    if other != one && is_paired != residents.contains(&other) {
                        self.weights.forbid(one, other);
                    }
                }
                if is_paired {
                    paired.push(one);
                }
            }
        }
        paired
    }

    /// Pairs each of `upper` in turn with one of `lower`, the highest rank that is possible.
    fn choose_opponents(&mut self, upper: &[usize], lower: &[usize]) {
        let digit = width(lower.len());
        if digit == 0 {
            return;
        }
        for chunk in upper.chunks((ORDER_BITS / digit) as usize) {
            self.weights.clear_order();
            for (place, &one) in (0..chunk.len() as u32).rev().zip(chunk) {
                for (rank, &other) in (1..=lower.len()).rev().zip(lower) {
                    self.weights
                        .set_order(one, other, (rank as u128) << (place * digit));
                }
            }
            let mates = self.solve();
            for &one in chunk {
                if let Some(mate) = mates[one] {
                    self.pairs.push([one, mate]);
                    self.open.retain(|&vertex| vertex != one && vertex != mate);
                }
            }
        }
    }

    /// Splits the remainder: returns those whose opponents have a lower rank, S1, and the others, S2, among them who floats. Of S1 and
    /// S2 as they are by rank, as few as possible are exchanged; then with the least difference of numbers; then the lowest of S1;
    /// then the highest of S2.
    fn choose_upper_half(&mut self, remainder: &[usize], next: usize) -> (Vec<usize>, Vec<usize>) {
        self.weights.clear_order();
        let mates = self.solve();
        let half = uppers(remainder, &mates, next).len();
        let exchange = Exchange { remainder, half };
        let mut upper = exchange.upper(&mates, next);
        if half > 0 {
            let all: Vec<_> = (0..half).rev().collect();
            let others: Vec<_> = (half..remainder.len()).collect();
            if exchange.bits(all.len(), others.len()) <= ORDER_BITS {
                upper = self.solve_exchange(&exchange, &all, &others, next);
            } else {
                upper = self.solve_exchange(&exchange, &[], &[], next);
                if upper != remainder[..half] {
                    // In chunks, each of which is settled before the next one.
                    let chunk = ((ORDER_BITS - exchange.bits(0, 0)) / 2) as usize;
                    for lowest in all.chunks(chunk) {
                        upper = self.solve_exchange(&exchange, lowest, &[], next);
                        self.settle(&exchange, lowest, &upper);
                    }
                    for highest in others.chunks(chunk) {
                        upper = self.solve_exchange(&exchange, &[], highest, next);
                        self.settle(&exchange, highest, &upper);
                    }
                }
            }
        }
        let lower: Vec<_> = remainder
            .iter()
            .copied()
            .filter(|one| !upper.contains(one))
            .collect();
        for &one in remainder {
            for other in 0..self.weights.size() {
                let fits = if upper.contains(&one) {
                    lower.contains(&other) && other > one
                } else {
                    !lower.contains(&other)
                };
                if other != one && !fits {
                    self.weights.forbid(one, other);
                }
            }
        }
        (upper, lower)
    }

    /// Solves with the digits of exchanges; returns S1.
    fn solve_exchange(
        &mut self,
        exchange: &Exchange,
        lowest: &[usize],
        highest: &[usize],
        next: usize,
    ) -> Vec<usize> {
        self.weights.clear_order();
        for (index, &one) in exchange.remainder.iter().enumerate() {
            let order = exchange.order(index, lowest, highest);
            for &other in &exchange.remainder[index + 1..] {
                self.weights.set_order(one, other, order);
            }
        }
        exchange.upper(&self.solve(), next)
    }

    /// Leaves the players with these indices in the half in which they are.
    fn settle(&mut self, exchange: &Exchange, indices: &[usize], upper: &[usize]) {
        for &index in indices {
            let one = exchange.remainder[index];
            let is_upper = upper.contains(&one);
            for other in 0..self.weights.size() {
                let makes_upper = other > one && exchange.remainder.contains(&other);
                if other != one && is_upper != makes_upper {
                    self.weights.forbid(one, other);
                }
            }
        }
    }
}

/// Returns those of a remainder who are paired with a lower rank of the bracket.
fn uppers(remainder: &[usize], mates: &[Option<usize>], next: usize) -> Vec<usize> {
    let is_upper = |&one: &usize| mates[one].is_some_and(|mate| mate > one && mate < next);
    remainder.iter().copied().filter(is_upper).collect()
}

/// The exchange of residents between S1, the first half of the remainder, and S2.
struct Exchange<'a> {
    remainder: &'a [usize],
    /// The number of pairs.
    half: usize,
}

impl Exchange<'_> {
    fn upper(&self, mates: &[Option<usize>], next: usize) -> Vec<usize> {
        uppers(self.remainder, mates, next)
    }

    /// Returns the bits of [`order`](Self::order) for so many players of S1 and S2.
    fn bits(&self, lowest: usize, highest: usize) -> u32 {
        let pairs = width(self.half);
        let choices = if lowest > 0 { lowest as u32 + pairs } else { 0 };
        pairs + width(self.half * self.remainder.len()) + choices + highest as u32
    }

    /// Returns the digits of a pair whose upper player has an index in the remainder. `lowest` are indices of S1 in the order in
    /// which they should leave it, `highest` those of S2 in the order in which they should join S1.
    fn order(&self, index: usize, lowest: &[usize], highest: &[usize]) -> u128 {
        let mut order = u128::from(index < self.half);
        // The sum of the numbers in S1 is least.
        order <<= width(self.half * self.remainder.len());
        order |= (self.remainder.len() - index) as u128;
        if !lowest.is_empty() {
            order <<= lowest.len() as u32 + width(self.half);
            let stays = lowest.iter().position(|&one| one == index);
            order |= (1 << lowest.len()) - stays.map_or(0, |place| 1 << (lowest.len() - 1 - place));
        }
        order <<= highest.len();
        if let Some(place) = highest.iter().position(|&one| one == index) {
            order |= 1 << (highest.len() - 1 - place);
        }
        order
    }
}
