//! The transposition table: what is known about positions that were searched.

/// What is known about a position.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Entry {
    key: u64,
    /// The value is at least this.
    pub(super) lower: i16,
    /// The value is at most this.
    pub(super) upper: i16,
    pub(super) depth: u8,
    /// The search that wrote it.
    generation: u8,
    /// The best move and the best one before, 64 for none.
    pub(super) moves: [u8; 2],
}

/// No move.
pub(super) const NOWHERE: u8 = 64;

/// A table of buckets of four entries. A position goes into one bucket, where it displaces the entry of an older search, or
/// else the one of least depth.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<[Entry; 4]>,
    generation: u8,
}

impl Table {
    /// A table of at most so many bytes, and at least one bucket.
    pub(super) fn new(bytes: usize) -> Self {
        let buckets = (bytes / size_of::<[Entry; 4]>()).max(1);
        let buckets = 1_usize << buckets.ilog2();
        Self {
            entries: vec![[Entry::default(); 4]; buckets],
            generation: 1,
        }
    }

    /// Begins a search: what is in the table may be displaced by what comes.
    pub(super) fn next_generation(&mut self) {
        self.generation = self.generation.checked_add(1).unwrap_or(1);
    }

    #[inline]
    fn bucket(&self, hash: u64) -> usize {
        (hash & (self.entries.len() as u64 - 1)) as usize
    }

    /// What is known about the position of that hash.
    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<&Entry> {
        self.entries[self.bucket(hash)]
            .iter()
            .find(|entry| entry.key == hash && entry.generation > 0)
    }

    /// Notes that a search of that depth has found the value to be as given, if it is between the bounds, or else beyond
    /// the one that it reached.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, depth: u8, bounds: (i32, i32), value: i32, best: u8) {
        let generation = self.generation;
        let bucket = self.bucket(hash);
        let entries = &mut self.entries[bucket];
        let known = entries
            .iter()
            .position(|entry| entry.key == hash && entry.generation > 0);
        let at = known.unwrap_or_else(|| {
            let worth = |entry: &Entry| (entry.generation == generation, entry.depth);
            let mut at = 0;
            for other in 1..entries.len() {
                if worth(&entries[other]) < worth(&entries[at]) {
                    at = other;
                }
            }
            at
        });
        let entry = &mut entries[at];
        let value = value as i16;
        let (alpha, beta) = (bounds.0 as i16, bounds.1 as i16);
        if known.is_none() || entry.depth != depth {
            *entry = Entry {
                key: hash,
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
        if value < beta {
            entry.upper = entry.upper.min(value);
        }
        if value > alpha {
            entry.lower = entry.lower.max(value);
        }
        // A move that was only not refuted is better than none.
        let tells = value > alpha || entry.moves[0] == NOWHERE;
        if tells && entry.moves[0] != best {
            entry.moves = [best, entry.moves[0]];
        }
    }
}
