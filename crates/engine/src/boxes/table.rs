//! The transposition table of the endgame solver.

/// No line.
pub(super) const NO_LINE: u8 = u8::MAX;

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    /// The lower bound of the value.
    pub low: i8,
    /// The upper bound of the value.
    pub high: i8,
    /// The best line, or [`NO_LINE`].
    pub line: u8,
    /// The number of free lines, which is the worth of an entry. 0 if it is empty.
    lines: u8,
}

const EMPTY: Entry = Entry {
    key: 0,
    low: i8::MIN,
    high: i8::MAX,
    line: NO_LINE,
    lines: 0,
};

/// Two entries: the position with the most lines, and the last position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bucket([Entry; 2]);

impl Bucket {
    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let mut entries = self.0.iter();
        let entry = entries.find(|entry| entry.key == key && entry.lines > 0);
        entry.copied()
    }
}

/// The table: as many buckets as have room.
#[derive(Clone, Debug)]
pub(super) struct Table {
    buckets: Vec<Bucket>,
}

impl Table {
    /// A table with as many buckets as fit into `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<Bucket>()).max(1);
        Self {
            buckets: vec![Bucket([EMPTY; 2]); buckets],
        }
    }

    fn place(&self, key: u64) -> usize {
        // The low half of the key as a fraction of the number of buckets, which is below 2³².
        (((key & 0xFFFF_FFFF) * self.buckets.len() as u64) >> 32) as usize
    }

    /// The bucket of a position, whether or not it is in the table.
    #[inline]
    pub(super) fn bucket(&self, key: u64) -> Bucket {
        self.buckets[self.place(key)]
    }

    #[inline]
    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        self.buckets[self.place(key)].get(key)
    }

    #[inline]
    pub(super) fn put(&mut self, key: u64, lines: u8, low: i8, high: i8, line: u8) {
        let place = self.place(key);
        let Bucket(bucket) = &mut self.buckets[place];
        let entry = Entry {
            key,
            low,
            high,
            line,
            lines,
        };
        let old = usize::from(bucket[0].key != key && lines < bucket[0].lines);
        bucket[old] = entry;
    }
}

/// Spreads the bits of a number over 64 bits (the finalizer of splitmix64).
pub(super) const fn mix(number: u64) -> u64 {
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
