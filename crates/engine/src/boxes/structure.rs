//! The structure of a position: its junctions and the strings between them, whatever their places on the board.
//!
//! The value depends on nothing else, so positions of one structure share an entry of the transposition table. A key is
//! made from the leaves inwards: what hangs on a junction like a tree is folded into the label of that junction, by the
//! strings' lengths alone (as in the algorithm of Aho, Hopcroft and Ullman for isomorphic trees). Junctions on cycles, or
//! between them, are then told apart by their places. So different structures have different keys but for collisions of
//! 64 bits; alike structures have the same key if all their junctions are on trees.

use super::{graph::GROUND, strings::Kind, symmetry::Symmetries, table::mix};

/// Boxes of the largest board.
const MOST_PLACES: usize = 100;

/// Random numbers for strings of each kind and length, and for places.
const LABELS: [[u64; 64]; 3] = [labels(1), labels(2), labels(3)];
const PLACES: [u64; 128] = {
    let mut places = [0; 128];
    let mut place = 0;
    while place < 128 {
        places[place] = mix(0x5851_f42d_4c95_7f2d + place as u64);
        place += 1;
    }
    places
};

const fn labels(kind: u64) -> [u64; 64] {
    let (mut labels, mut length) = ([0; 64], 0);
    while length < 64 {
        labels[length] = mix(kind << 32 | length as u64);
        length += 1;
    }
    labels
}

/// Junction to junction.
#[derive(Clone, Copy, Debug)]
struct Link {
    ends: [u8; 2],
    /// The lengths of all strings between the two.
    label: u64,
}

/// A box of three or four free lines.
#[derive(Clone, Copy, Debug, Default)]
struct Junction {
    /// What hangs on it.
    label: u64,
    /// The links that are not folded: how many, and the exclusive or of their numbers.
    links: u8,
    numbers: u8,
    /// The places of the junctions that it is linked to.
    neighbours: u128,
    seen: bool,
    /// It is a leaf in this round of folding.
    leaf: bool,
    folded: bool,
    /// The label with its place, if it is not folded.
    placed: u64,
}

/// Buffers for the structure of one position after another.
#[derive(Clone, Debug)]
pub(super) struct Structure {
    junctions: Vec<Junction>,
    seen: Vec<u8>,
    links: Vec<Link>,
    leaves: Vec<u8>,
    next_leaves: Vec<u8>,
    key: u64,
}

impl Structure {
    pub(super) fn new() -> Self {
        Self {
            junctions: vec![Junction::default(); MOST_PLACES],
            seen: Vec::with_capacity(MOST_PLACES),
            links: Vec::with_capacity(64),
            leaves: Vec::with_capacity(MOST_PLACES),
            next_leaves: Vec::with_capacity(MOST_PLACES),
            key: 0,
        }
    }

    /// Begins with another position.
    pub(super) fn clear(&mut self) {
        for &place in &self.seen {
            self.junctions[usize::from(place)] = Junction::default();
        }
        self.seen.clear();
        self.links.clear();
        self.key = 0;
    }

    /// Adds a string of so many boxes between these places.
    #[inline]
    pub(super) fn add(&mut self, kind: Kind, tips: [u8; 2], length: u8) {
        let label = LABELS[kind as usize][usize::from(length) & 63];
        match tips {
            _ if kind != Kind::Joined => self.key = self.key.wrapping_add(label),
            [GROUND, place] | [place, GROUND] => self.hang(place, label),
            [one, other] if one == other => self.hang(one, label.rotate_left(16)),
            ends => self.link(ends, label),
        }
    }

    fn hang(&mut self, place: u8, label: u64) {
        let junction = self.junction(place);
        junction.label = junction.label.wrapping_add(label);
    }

    fn link(&mut self, [one, other]: [u8; 2], label: u64) {
        let ends = [one.min(other), one.max(other)];
        if self.junction(one).neighbours >> other & 1 != 0 {
            let twin = self.links.iter_mut().find(|link| link.ends == ends);
            if let Some(twin) = twin {
                twin.label = twin.label.wrapping_add(label);
            }
            return;
        }
        let number = self.links.len() as u8;
        self.links.push(Link { ends, label });
        for (end, far) in [(one, other), (other, one)] {
            let junction = self.junction(end);
            junction.links += 1;
            junction.numbers ^= number;
            junction.neighbours |= 1 << far;
        }
    }

    #[inline]
    fn junction(&mut self, place: u8) -> &mut Junction {
        let junction = &mut self.junctions[usize::from(place)];
        if !junction.seen {
            junction.seen = true;
            self.seen.push(place);
        }
        junction
    }

    /// The key of the strings that were added: the least under these symmetries.
    pub(super) fn key(&mut self, symmetries: &Symmetries) -> (u64, u8) {
        self.fold();
        let mut least = (self.core(|place| place), 0);
        for number in 0..symmetries.count() {
            let core = self.core(|place| symmetries.place(number, place));
            if core < least.0 {
                least = (core, number + 1);
            }
        }
        (mix(self.key.wrapping_add(least.0)), least.1)
    }

    /// Folds the leaves of trees into what they hang on, all that are leaves at a time.
    fn fold(&mut self) {
        self.leaves.clear();
        self.leaves.extend(&self.seen);
        while self.mark_leaves() {
            for at in 0..self.leaves.len() {
                self.fold_leaf(self.leaves[at]);
            }
            std::mem::swap(&mut self.leaves, &mut self.next_leaves);
        }
    }

    /// Keeps those of the list that are leaves now, and says whether there is one.
    fn mark_leaves(&mut self) -> bool {
        let Self {
            junctions,
            leaves,
            next_leaves,
            ..
        } = self;
        next_leaves.clear();
        leaves.retain(|&place| {
            let junction = &mut junctions[usize::from(place)];
            let is_new = junction.links <= 1 && !junction.leaf;
            junction.leaf |= is_new;
            is_new
        });
        !leaves.is_empty()
    }

    fn fold_leaf(&mut self, place: u8) {
        let leaf = &mut self.junctions[usize::from(place)];
        if leaf.folded {
            return;
        }
        leaf.folded = true;
        let (label, number) = (mix(leaf.label), leaf.numbers);
        if leaf.links == 0 {
            self.key = self.key.wrapping_add(label);
            return;
        }
        let link = self.links[usize::from(number)];
        let inner = link.ends[usize::from(link.ends[0] == place)];
        let junction = &mut self.junctions[usize::from(inner)];
        if junction.leaf {
            // The last two of a tree: its centre is between them.
            junction.folded = true;
            let both = label.wrapping_add(mix(junction.label));
            let label = mix(both ^ link.label.rotate_left(8));
            self.key = self.key.wrapping_add(label);
            return;
        }
        let label = mix(label ^ link.label.rotate_left(24));
        junction.label = junction.label.wrapping_add(label);
        junction.links -= 1;
        junction.numbers ^= number;
        self.next_leaves.push(inner);
    }

    /// The links that are not folded, with the places that are given to their junctions.
    fn core(&mut self, place: impl Fn(u8) -> u8) -> u64 {
        let Self {
            junctions,
            seen,
            links,
            ..
        } = self;
        for &at in seen.iter() {
            let junction = &mut junctions[usize::from(at)];
            if !junction.folded {
                let place = PLACES[usize::from(place(at) & 127)];
                junction.placed = mix(junction.label ^ place);
            }
        }
        let mut sum = 0u64;
        for &Link { ends, label } in links.iter() {
            let [one, other] = ends.map(|end| &junctions[usize::from(end)]);
            if !one.folded && !other.folded {
                let [one, other] = [one, other].map(|it| it.placed.wrapping_add(label));
                let product = one.wrapping_mul(other);
                sum = sum.wrapping_add(product ^ product >> 32);
            }
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(strings: &[([u8; 2], u8)]) -> u64 {
        let mut structure = Structure::new();
        for &(tips, length) in strings {
            structure.add(Kind::Joined, tips, length);
        }
        structure.key(&Symmetries::default()).0
    }

    #[test]
    fn a_tree_is_the_same_at_any_place() {
        let tree = |[a, b, c]: [u8; 3], length| {
            key(&[
                ([GROUND, a], 2),
                ([a, GROUND], 0),
                ([a, b], 1),
                ([b, GROUND], 0),
                ([b, c], length),
                ([c, c], 3),
            ])
        };
        assert_eq!(tree([1, 2, 3], 4), tree([30, 7, 12], 4));
        assert_ne!(tree([1, 2, 3], 4), tree([1, 2, 3], 5));
        let other = key(&[
            ([GROUND, 1], 2),
            ([1, 2], 1),
            ([2, GROUND], 0),
            ([2, GROUND], 0),
            ([2, 3], 4),
            ([3, 3], 3),
        ]);
        assert_ne!(tree([1, 2, 3], 4), other);
    }

    #[test]
    fn the_order_of_strings_does_not_matter() {
        // A cycle of three, with two strings between two of them, and a tail.
        let mut strings = [
            ([1, 2], 0),
            ([2, 1], 1),
            ([3, 2], 0),
            ([1, 3], 2),
            ([3, 4], 1),
            ([GROUND, 4], 0),
            ([4, GROUND], 2),
        ];
        let one = key(&strings);
        strings.reverse();
        assert_eq!(key(&strings), one);
        strings[0].1 = 3;
        assert_ne!(key(&strings), one);
    }
}
