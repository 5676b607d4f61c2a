//! The transposition table of the endgame solver.

/// No line.
pub(super) const NO_LINE: u8 = u8::MAX;

/// What is known of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The value is at least this.
    pub low: i16,
    /// The value is at most this.
    pub high: i16,
    /// The line that was best, or [`NO_LINE`].
    pub line: u8,
}

/// An entry as a word, from its lowest bit: both bounds (6 bits each, see [`Entry::pack`]), the line (6 bits), and how many
/// lines were free (6 bits, what an entry is worth). An empty one is 0.
type Word = u64;

const SIX: u64 = 63;

type Bucket = [[u64; 2]; 4];

/// Buckets of four entries, each behind its whole key.
#[derive(Clone, Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// As many buckets as fit into `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).clamp(1, u32::MAX as usize);
        Self {
            buckets: vec![[[0; 2]; 4]; buckets],
        }
    }

    fn place(&self, key: u64) -> usize {
        // The low half of the key, as a share of the table: the same on every platform.
        (((key & 0xffff_ffff) * self.buckets.len() as u64) >> 32) as usize
    }

    /// What is known of a position of that key and of so many boxes that are not taken.
    #[inline]
    pub(super) fn get(&self, key: u64, open: i16) -> Option<Entry> {
        let bucket = &self.buckets[self.place(key)];
        let found = bucket.iter().find(|[of, word]| *of == key && *word != 0);
        found.map(|&[_, word]| Entry::unpack(word, open))
    }

    /// Notes a position with so many free lines, in place of the same one or of the one with the fewest lines; if all have
    /// more, it displaces the last.
    #[inline]
    pub(super) fn put(&mut self, key: u64, open: i16, lines: u8, entry: Entry) {
        let place = self.place(key);
        let bucket = &mut self.buckets[place];
        let lines_of = |at: usize| bucket[at][1] >> 18 & SIX;
        let old = bucket.iter().position(|[of, _]| *of == key).or_else(|| {
            (0..3)
                .filter(|&at| lines_of(at) <= u64::from(lines))
                .min_by_key(|&at| lines_of(at))
        });
        bucket[old.unwrap_or(3)] = [key, entry.pack(lines, open)];
    }
}

impl Entry {
    /// Values have the parity of the boxes, so half their distance from the least one is kept: 0 to 62 for the lower bound;
    /// 1 to 63 for the upper one, where 63 stands for no bound.
    fn pack(self, lines: u8, open: i16) -> Word {
        let low = (self.low + open).max(0) as u64 / 2;
        let high = ((self.high + open).max(0) as u64).div_ceil(2);
        let high = if self.high >= open {
            SIX
        } else {
            high.min(SIX)
        };
        low.min(SIX)
            | high << 6
            | (u64::from(self.line) & SIX) << 12
            | u64::from(lines).min(SIX) << 18
    }

    fn unpack(word: Word, open: i16) -> Self {
        let low = (word & SIX) as i16 * 2 - open;
        let high = (word >> 6 & SIX) as i16;
        Self {
            low,
            high: if high == 63 { open } else { high * 2 - open },
            line: (word >> 12 & SIX) as u8,
        }
    }
}

/// Spreads the bits of a number over 64 bits (the finalizer of splitmix64).
pub(super) const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_noted_is_found() {
        let mut table = Table::new(1 << 10);
        for open in 1..=48i16 {
            for low in (-open..=open).step_by(2) {
                let high = (low + 4).min(open);
                let entry = Entry { low, high, line: 5 };
                let key = mix((open * 100 + low) as u64);
                table.put(key, open, open as u8, entry);
                assert_eq!(table.get(key, open), Some(entry));
                assert_eq!(table.get(!key, open), None);
            }
        }
    }

    #[test]
    fn bounds_that_do_not_fit_are_weaker() {
        let mut table = Table::new(1 << 10);
        let (low, high, line) = (60, 62, 0);
        table.put(1 << 40, 64, 60, Entry { low, high, line });
        let entry = table.get(1 << 40, 64).unwrap();
        assert!(entry.low <= low && entry.high >= high);
    }
}
