//! The transposition table of the search.

use super::board::{Cell, NOWHERE};

/// The meaning of an entry's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(super) enum Bound {
    Empty,
    Lower,
    Upper,
    Exact,
}

/// The stored result of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    pub mv: Cell,
    pub value: i16,
    pub depth: i8,
    pub bound: Bound,
}

const EMPTY: Entry = Entry {
    key: 0,
    mv: NOWHERE,
    value: 0,
    depth: 0,
    bound: Bound::Empty,
};

/// The table: buckets of two entries, the deeper one and the last one.
#[derive(Clone, Debug)]
pub(super) struct Table {
    entries: Vec<[Entry; 2]>,
}

impl Table {
    /// A table with as many buckets, a power of two, as fit into `bytes`.
    pub(super) fn new(bytes: usize) -> Self {
        let most = (bytes / size_of::<[Entry; 2]>()).max(1);
        Self {
            entries: vec![[EMPTY; 2]; 1 << most.ilog2()],
        }
    }

    pub(super) fn clear(&mut self) {
        self.entries.fill([EMPTY; 2]);
    }

    fn place(&self, key: u64) -> usize {
        (key as u32) as usize & (self.entries.len() - 1)
    }

    pub(super) fn get(&self, key: u64) -> Option<Entry> {
        let bucket = &self.entries[self.place(key)];
        bucket
            .iter()
            .find(|entry| entry.key == key && entry.bound != Bound::Empty)
            .copied()
    }

    pub(super) fn put(&mut self, key: u64, mv: Cell, value: i16, depth: i8, bound: Bound) {
        let place = self.place(key);
        let bucket = &mut self.entries[place];
        let old = usize::from(bucket[0].key != key && depth < bucket[0].depth);
        let mv = if mv == NOWHERE && bucket[old].key == key {
            bucket[old].mv
        } else {
            mv
        };
        bucket[old] = Entry {
            key,
            mv,
            value,
            depth,
            bound,
        };
    }
}
