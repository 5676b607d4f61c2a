//! Sets of lines as words of bits.

/// A set of lines, each a number below [`LineSet::BITS`].
pub(super) trait LineSet: Copy + Eq + Default {
    /// Capacity: the number of lines that fit.
    const BITS: usize;

    fn has(self, line: u8) -> bool;
    #[must_use]
    fn with(self, line: u8) -> Self;
    #[must_use]
    fn without(self, line: u8) -> Self;
    #[must_use]
    fn and(self, other: Self) -> Self;
    #[must_use]
    fn minus(self, other: Self) -> Self;
    fn count(self) -> u32;
    /// The smallest number in the set.
    fn first(self) -> Option<u8>;

    fn is_empty(self) -> bool {
        self == Self::default()
    }

    /// The numbers in the set, in order.
    fn numbers(self) -> impl Iterator<Item = u8> {
        let mut rest = self;
        std::iter::from_fn(move || {
            let line = rest.first()?;
            rest = rest.without(line);
            Some(line)
        })
    }
}

impl LineSet for u64 {
    const BITS: usize = 64;

    #[inline]
    fn has(self, line: u8) -> bool {
        self >> (line & 63) & 1 != 0
    }

    #[inline]
    fn with(self, line: u8) -> Self {
        self | 1 << (line & 63)
    }

    #[inline]
    fn without(self, line: u8) -> Self {
        self & !(1 << (line & 63))
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        self & other
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        self & !other
    }

    #[inline]
    fn count(self) -> u32 {
        self.count_ones()
    }

    #[inline]
    fn first(self) -> Option<u8> {
        (self != 0).then_some(self.trailing_zeros() as u8)
    }
}

/// A set with room for the 220 lines of the largest board, 10 × 10.
pub(super) type Wide = [u64; 4];

impl LineSet for Wide {
    const BITS: usize = 256;

    #[inline]
    fn has(self, line: u8) -> bool {
        self[usize::from(line >> 6)].has(line)
    }

    #[inline]
    fn with(mut self, line: u8) -> Self {
        self[usize::from(line >> 6)] |= 1 << (line & 63);
        self
    }

    #[inline]
    fn without(mut self, line: u8) -> Self {
        self[usize::from(line >> 6)] &= !(1 << (line & 63));
        self
    }

    #[inline]
    fn and(self, other: Self) -> Self {
        std::array::from_fn(|word| self[word] & other[word])
    }

    #[inline]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|word| self[word] & !other[word])
    }

    #[inline]
    fn count(self) -> u32 {
        self.iter().map(|word| word.count_ones()).sum()
    }

    #[inline]
    fn first(self) -> Option<u8> {
        let word = self.iter().position(|&word| word != 0)?;
        Some((word * 64) as u8 + self[word].trailing_zeros() as u8)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check<S: LineSet>(lines: &[u8]) {
        let set = lines.iter().fold(S::default(), |set, &line| set.with(line));
        assert_eq!(set.numbers().collect::<Vec<_>>(), lines);
        assert_eq!(set.count() as usize, lines.len());
        assert!(lines.iter().all(|&line| set.has(line)));
        assert!(set.minus(set).is_empty() && set.and(set) == set);
        assert!(!set.without(lines[0]).has(lines[0]));
    }

    #[test]
    fn a_set_has_what_was_put_in() {
        check::<u64>(&[0, 5, 63]);
        check::<Wide>(&[0, 5, 63, 64, 128, 219]);
    }
}
