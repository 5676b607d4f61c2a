//! Groups of connected dots: a disjoint-set forest (union–find) that can be undone.
//!
//! A dot that stands between two groups closes nothing; it only joins them. So where the forest has two groups, no line has to be
//! followed. The forest may have one group where there are two, after dots of it have died: then the lines are followed and show
//! that.
//!
//! Paths are not compressed, because that would have to be undone, too; of two roots the one that is earlier on the board
//! stays a root, which keeps paths short enough.

use super::board::PointIndex;

/// Points that may have an entry.
const POINTS: usize = 4096;

/// The forest of the dots of both seats, which never share a group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Groups {
    /// The parent of each dot; a root is its own parent. Without a dot it is 0.
    parents: Box<[PointIndex; POINTS]>,
    /// The roots that were joined to another one, in that order.
    joined: Vec<PointIndex>,
}

impl Groups {
    pub(super) fn new() -> Self {
        Self {
            parents: Box::new([PointIndex::default(); POINTS]),
            joined: Vec::new(),
        }
    }

    /// The number of joins so far, less than that of dots, to go back to with [`Groups::undo`].
    #[inline]
    pub(super) fn joins(&self) -> u16 {
        self.joined.len() as u16
    }

    /// Adds a dot that has no neighbour.
    #[inline]
    pub(super) fn found(&mut self, at: PointIndex) {
        *self.parent_mut(at) = at;
    }

    /// Adds a dot that joins the group of a neighbour, and no other, unless it is `alone`.
    #[inline]
    pub(super) fn attach(&mut self, at: PointIndex, neighbour: PointIndex, alone: bool) {
        let parent = self.parent(neighbour);
        // Chance decides between the two, so a branch here would be mispredicted often.
        *self.parent_mut(at) = std::hint::select_unpredictable(alone, at, parent);
    }

    /// Adds a dot that joins the groups of some neighbours. Returns whether two of them were in one group already.
    #[inline]
    pub(super) fn attach_all(
        &mut self,
        at: PointIndex,
        first: PointIndex,
        others: impl Iterator<Item = PointIndex>,
    ) -> bool {
        let mut root = self.parent(first);
        let mut were_one = false;
        for other in others {
            let other = self.parent(other);
            // The same parent is the same group, whichever root it has.
            if other == root {
                were_one = true;
                continue;
            }
            let (one, other) = (self.root(root), self.root(other));
            root = one.min(other);
            if one == other {
                were_one = true;
            } else {
                let child = one.max(other);
                *self.parent_mut(child) = root;
                self.joined.push(child);
            }
        }
        *self.parent_mut(at) = root;
        were_one
    }

    /// Joins the groups of two dots. Returns whether they were one already.
    #[inline]
    pub(super) fn join(&mut self, one: PointIndex, other: PointIndex) -> bool {
        let (one, other) = (self.root(one), self.root(other));
        if one == other {
            return true;
        }
        let (root, child) = (one.min(other), one.max(other));
        *self.parent_mut(child) = root;
        self.joined.push(child);
        false
    }

    /// Takes a dot back, and all joins but the first so many.
    #[inline]
    pub(super) fn undo(&mut self, at: PointIndex, joins: u16) {
        while self.joined.len() > usize::from(joins)
            && let Some(root) = self.joined.pop()
        {
            self.parents[root.index() % POINTS] = root;
        }
        *self.parent_mut(at) = PointIndex::default();
    }

    #[inline]
    fn root(&self, mut at: PointIndex) -> PointIndex {
        loop {
            let parent = self.parent(at);
            if parent == at {
                return at;
            }
            at = parent;
        }
    }

    #[inline]
    fn parent(&self, at: PointIndex) -> PointIndex {
        self.parents[at.index() % POINTS]
    }

    #[inline]
    fn parent_mut(&mut self, at: PointIndex) -> &mut PointIndex {
        &mut self.parents[at.index() % POINTS]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Point;

    #[test]
    fn groups_are_joined_and_taken_apart() {
        let [a, b, c, d] = [1, 2, 3, 4].map(|x| PointIndex::of(Point::new(x, 0)));
        let empty = Groups::new();
        let mut groups = empty.clone();
        groups.found(a);
        groups.found(d);
        groups.attach(b, a, false);
        let before = groups.clone();
        groups.attach(c, b, false);
        assert!(!groups.join(c, d));
        assert!(groups.join(a, d), "they are one now");
        groups.undo(c, 0);
        assert_eq!(groups, before);
        for at in [b, d, a] {
            groups.undo(at, 0);
        }
        assert_eq!(groups, empty);
    }

    #[test]
    fn a_dot_joins_all_its_neighbours() {
        let row = [1, 2, 3, 4, 5].map(|x| PointIndex::of(Point::new(x, 0)));
        let mut groups = Groups::new();
        for at in [row[0], row[1], row[3]] {
            groups.found(at);
        }
        let before = groups.clone();
        assert!(!groups.attach_all(row[2], row[3], [row[1], row[0]].into_iter()));
        let are_one = groups.attach_all(row[4], row[0], [row[3]].into_iter());
        assert!(are_one, "they were joined before");
        groups.undo(row[4], groups.joins());
        groups.undo(row[2], 0);
        assert_eq!(groups, before);
    }
}
