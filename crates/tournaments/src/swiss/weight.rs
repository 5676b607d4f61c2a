//! Weights of pairs in a matching: criteria in the order of their importance, as digits of one wide number.

use integer_blossom::{Weight, max_weight_matching};
use std::cmp::Ordering;
use std::ops::{Add, AddAssign, Sub, SubAssign};

/// An unsigned number of `N` limbs of 64 bits, the least significant one in front.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Wide<const N: usize>([u64; N]);

impl<const N: usize> Ord for Wide<N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.iter().rev().cmp(other.0.iter().rev())
    }
}

impl<const N: usize> PartialOrd for Wide<N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl<const N: usize> AddAssign for Wide<N> {
    fn add_assign(&mut self, other: Self) {
        let mut carry = false;
        for (limb, other) in self.0.iter_mut().zip(other.0) {
            let (sum, one) = limb.overflowing_add(other);
            let (sum, two) = sum.overflowing_add(u64::from(carry));
            (*limb, carry) = (sum, one || two);
        }
    }
}

impl<const N: usize> SubAssign for Wide<N> {
    fn sub_assign(&mut self, other: Self) {
        let mut borrow = false;
        for (limb, other) in self.0.iter_mut().zip(other.0) {
            let (rest, one) = limb.overflowing_sub(other);
            let (rest, two) = rest.overflowing_sub(u64::from(borrow));
            (*limb, borrow) = (rest, one || two);
        }
    }
}

impl<const N: usize> Add for Wide<N> {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        self += other;
        self
    }
}

impl<const N: usize> Sub for Wide<N> {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        self -= other;
        self
    }
}

impl<const N: usize> Weight for Wide<N> {
    const ZERO: Self = Self([0; N]);
    const ONE: Self = {
        let mut limbs = [0; N];
        limbs[0] = 1;
        Self(limbs)
    };

    fn inf() -> Self {
        let mut limbs = [u64::MAX; N];
        limbs[N - 1] >>= 2;
        Self(limbs)
    }

    fn double(mut self) -> Self {
        let mut carry = 0;
        for limb in &mut self.0 {
            (*limb, carry) = (*limb << 1 | carry, *limb >> 63);
        }
        self
    }

    fn half(mut self) -> Self {
        let mut carry = 0;
        for limb in self.0.iter_mut().rev() {
            (*limb, carry) = (*limb >> 1 | carry, *limb << 63);
        }
        self
    }
}

/// The room that the solver needs above the weights: it doubles them, and its potentials may be as large again.
const HEADROOM: u32 = 4;

/// The bits of the least significant digits, which decide between pairings of equal quality ([`Weights::set_order`]).
pub(super) const ORDER_BITS: u32 = 128;

/// The weights of all pairs of a graph: digits from the most significant one down. A digit is as wide as its sum over all pairs
/// of a matching may be, so that none reaches into the one before it.
#[derive(Clone, Debug)]
pub(super) struct Weights {
    size: usize,
    limbs: usize,
    /// The limbs of each pair, the least significant one in front; a pair is a row and a column behind it.
    words: Vec<u64>,
    allowed: Vec<bool>,
    bits: u32,
}

impl Weights {
    /// Makes a graph without pairs. `bits` is the sum of the widths of all digits above those of the order.
    pub(super) fn new(size: usize, bits: u32) -> Self {
        let bits = bits + ORDER_BITS;
        let limbs = (bits + HEADROOM).div_ceil(64) as usize;
        Self {
            size,
            limbs,
            words: vec![0; size * size * limbs],
            allowed: vec![false; size * size],
            bits,
        }
    }

    /// Returns the number of vertices.
    pub(super) fn size(&self) -> usize {
        self.size
    }

    fn index(&self, one: usize, other: usize) -> usize {
        one.min(other) * self.size + one.max(other)
    }

    /// Allows a pair, with digits from the most significant one down: each a value and its width.
    pub(super) fn allow(&mut self, one: usize, other: usize, digits: &[(u32, u32)]) {
        let index = self.index(one, other);
        self.allowed[index] = true;
        let words = &mut self.words[index * self.limbs..][..self.limbs];
        words.fill(0);
        let mut shift = self.bits;
        for &(value, width) in digits {
            shift -= width;
            or_into(words, value, shift);
        }
        debug_assert_eq!(shift, ORDER_BITS, "all digits were given");
    }

    /// Forbids a pair.
    pub(super) fn forbid(&mut self, one: usize, other: usize) {
        let index = self.index(one, other);
        self.allowed[index] = false;
    }

    /// Sets the least significant digits of a pair. Their sum over a matching has to fit, too.
    pub(super) fn set_order(&mut self, one: usize, other: usize, order: u128) {
        let index = self.index(one, other) * self.limbs;
        self.words[index] = order as u64;
        self.words[index + 1] = (order >> 64) as u64;
    }

    /// Sets the least significant digits of all pairs to none.
    pub(super) fn clear_order(&mut self) {
        for words in self.words.chunks_exact_mut(self.limbs) {
            words[..2].fill(0);
        }
    }

    /// Returns the mates of a matching of most weight among some of the vertices; `None` for who has none.
    pub(super) fn solve(&self, among: &[usize]) -> Vec<Option<usize>> {
        match self.limbs {
            // Nearly all: the limbs of 300 players in a late round are five.
            ..=6 => self.solve_with::<6>(among),
            // Fields of the Dutch system never need more (`dutch::LARGEST_DUTCH_FIELD`).
            _ => self.solve_with::<40>(among),
        }
    }

    fn solve_with<const N: usize>(&self, among: &[usize]) -> Vec<Option<usize>> {
        let mut weights = vec![Wide::<N>::ZERO; among.len() * among.len()];
        for (row, &one) in among.iter().enumerate() {
            for (column, &other) in among.iter().enumerate().skip(row + 1) {
                let index = self.index(one, other);
                if self.allowed[index] {
                    let words = &self.words[index * self.limbs..][..self.limbs];
                    weights[row * among.len() + column].0[..self.limbs].copy_from_slice(words);
                }
            }
        }
        let mut mates = vec![None; self.size];
        for (row, mate) in max_weight_matching(&weights, among.len())
            .into_iter()
            .enumerate()
        {
            mates[among[row]] = mate.map(|column| among[column]);
        }
        mates
    }
}

/// Sets the bits of a value at a place.
fn or_into(words: &mut [u64], value: u32, shift: u32) {
    let (word, bit) = ((shift / 64) as usize, shift % 64);
    let value = u128::from(value) << bit;
    words[word] |= value as u64;
    if let Some(above) = words.get_mut(word + 1) {
        *above |= (value >> 64) as u64;
    }
}

/// Returns the bits of the largest value that a digit may sum up to.
pub(super) const fn width(most: usize) -> u32 {
    usize::BITS - most.leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Random;

    fn wide(value: u128) -> Wide<3> {
        Wide([value as u64, (value >> 64) as u64, 0])
    }

    #[test]
    fn wide_numbers_count_as_narrow_ones() {
        let mut random = Random(1);
        for _ in 0..1000 {
            let mut number = || {
                (u128::from(random.next()) << 60 | u128::from(random.next())) >> random.below(100)
            };
            let (one, other) = (number(), number());
            let (large, small) = (one.max(other), one.min(other));
            assert_eq!(wide(one).cmp(&wide(other)), one.cmp(&other));
            assert_eq!(wide(one) + wide(other), wide(one + other));
            assert_eq!(wide(large) - wide(small), wide(large - small));
            assert_eq!(wide(one).double(), wide(one * 2));
            assert_eq!(wide(one).half(), wide(one / 2));
        }
        assert!(Wide::<3>::inf() > wide(u128::MAX));
    }

    #[test]
    fn digits_are_in_order() {
        let mut weights = Weights::new(5, 66);
        let mut set = |one, other, high, low, order| {
            weights.allow(one, other, &[(high, 2), (0, 32), (low, 32)]);
            weights.set_order(one, other, order);
        };
        set(0, 1, 1, 0, 0);
        set(2, 3, 1, 1, u128::MAX / 4);
        set(0, 2, 1, 1, 0);
        set(1, 3, 1, 1, 0);
        set(0, 3, 0, u32::MAX / 4, 0);
        set(1, 2, 0, u32::MAX / 4, 0);
        let all = [0, 1, 2, 3];
        assert_eq!(
            weights.solve(&all),
            [Some(2), Some(3), Some(0), Some(1), None]
        );
        weights.set_order(1, 2, u128::MAX / 2);
        assert_eq!(
            weights.solve(&all)[0],
            Some(2),
            "the order is the last to decide"
        );
        weights.clear_order();
        weights.forbid(1, 3);
        assert_eq!(weights.solve(&all)[0], Some(1));
        assert_eq!(
            weights.solve(&[1, 2, 4]),
            [None, Some(2), Some(1), None, None]
        );
    }

    #[test]
    fn values_cross_the_borders_of_limbs() {
        let mut words = [0; 3];
        or_into(&mut words, u32::MAX, 62);
        assert_eq!(words, [3 << 62, (1 << 30) - 1, 0]);
        or_into(&mut words, 5, 160);
        assert_eq!(words[2], 5 << 32);
    }
}
