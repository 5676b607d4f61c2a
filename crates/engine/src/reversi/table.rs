//! The transposition table: the results of positions that were searched.

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    /// The lower bound of the value.
    pub(super) lower: i16,
    /// The upper bound of the value.
    pub(super) upper: i16,
    pub(super) depth: u8,
    /// The search that wrote the entry. 0 is an empty entry.
    generation: u8,
    /// The best move and the best one before, 64 for none.
    pub(super) moves: [u8; 2],
}

impl Entry {
    const fn pack(self) -> u64 {
        let [lower, lower_high] = self.lower.to_le_bytes();
        let [upper, upper_high] = self.upper.to_le_bytes();
        let [first, second] = self.moves;
        u64::from_le_bytes([
            lower,
            lower_high,
            upper,
            upper_high,
            self.depth,
            self.generation,
            first,
            second,
        ])
    }

    const fn unpack(bits: u64) -> Self {
        let [
            lower,
            lower_high,
            upper,
            upper_high,
            depth,
            generation,
            first,
            second,
        ] = bits.to_le_bytes();
        Self {
            lower: i16::from_le_bytes([lower, lower_high]),
            upper: i16::from_le_bytes([upper, upper_high]),
            depth,
            generation,
            moves: [first, second],
        }
    }
}

/// Four hashes and the packed entries of their positions.
type Bucket = [[u64; 2]; 4];

/// No move.
pub(super) const NOWHERE: u8 = 64;

/// A table of buckets of four entries. A position goes into one bucket, where it displaces the entry of an older search, or else
/// the entry of least depth.
#[derive(Clone, Debug)]
pub(super) struct Table {
    /// The buckets as numbers, so that the memory is allocated as zeros, and pages that are never used cost nothing.
    buckets: Vec<Bucket>,
    generation: u8,
}

impl Table {
    /// A table of at most so many bytes, and at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Self {
            buckets: vec![[[0; 2]; 4]; 1 << buckets.ilog2()],
            generation: 1,
        }
    }

    /// Begins a search: the entries in the table may be displaced by new ones.
    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(1);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash & (self.buckets.len() as u64 - 1)) as usize
    }

    /// The stored result of the position of that hash.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        self.buckets[self.bucket(hash)]
            .iter()
            .find(|[key, bits]| *key == hash && *bits != 0)
            .map(|[_, bits]| Entry::unpack(*bits))
    }

    /// Notes that a search of that depth has found the value to be as given, if it is between the bounds, or else beyond the
    /// bound that it reached.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, depth: u8, bounds: (i32, i32), value: i32, best: u8) {
        let generation = self.generation;
        let at = self.bucket(hash);
        let bucket = &mut self.buckets[at];
        let known = bucket
            .iter_mut()
            .position(|[key, bits]| *key == hash && *bits != 0);
        let at = known.unwrap_or_else(|| {
            let worth = |[_, bits]: [u64; 2]| {
                let entry = Entry::unpack(bits);
                (entry.generation == generation, entry.depth)
            };
            let mut at = 0;
            for other in 1..bucket.len() {
                if worth(bucket[other]) < worth(bucket[at]) {
                    at = other;
                }
            }
            at
        });
        let mut entry = Entry::unpack(bucket[at][1]);
        if known.is_none() || entry.depth != depth {
            entry = Entry {
                lower: i16::MIN,
                upper: i16::MAX,
                depth,
                generation,
                moves: if known.is_some() {
                    entry.moves
                } else {
                    [NOWHERE; 2]
                },
            };
        }
        entry.generation = generation;
        let (alpha, beta) = bounds;
        if value < beta {
            entry.upper = entry.upper.min(value as i16);
        }
        if value > alpha {
            entry.lower = entry.lower.max(value as i16);
        }
        // A move that was only not refuted is better than none.
        let tells = value > alpha || entry.moves[0] == NOWHERE;
        if tells && entry.moves[0] != best {
            entry.moves = [best, entry.moves[0]];
        }
        bucket[at] = [hash, entry.pack()];
    }
}
