//! The tree of the Monte Carlo search: nodes in one array, the children of a node next to each other.

use super::place::Place;

/// A position, by the move that leads to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    /// The move that leads here.
    pub(crate) place: Place,
    /// The number of children, and the index of the first child.
    pub(crate) children: u16,
    pub(crate) first: u32,
    pub(crate) visits: u32,
    /// Playouts in which the same side placed this dot at any later time.
    pub(crate) rave_visits: u32,
    /// Sums of outcomes, each 0 to 1, for the mover.
    pub(crate) wins: f32,
    pub(crate) rave_wins: f32,
    /// The share of the parent's playouts that this move seems worth.
    pub(crate) prior: f32,
    /// Sum of the final leads of the mover.
    pub(crate) leads: f32,
}

impl Node {
    pub(crate) const fn new(place: Place, prior: f32) -> Self {
        Self {
            place,
            children: 0,
            first: 0,
            visits: 0,
            rave_visits: 0,
            wins: 0.0,
            rave_wins: 0.0,
            prior,
            leads: 0.0,
        }
    }

    pub(crate) fn child_range(&self) -> std::ops::Range<usize> {
        self.first as usize..self.first as usize + usize::from(self.children)
    }
}

/// The nodes. The first node is the root.
#[derive(Clone, Debug)]
pub(crate) struct Tree {
    nodes: Vec<Node>,
    spare: Vec<Node>,
    most: usize,
}

impl Tree {
    /// A tree that is only a root, and never has more than `most` nodes.
    pub(crate) fn new(most: usize) -> Self {
        let mut tree = Self {
            nodes: Vec::new(),
            spare: Vec::new(),
            most: most.max(1),
        };
        tree.clear();
        tree
    }

    /// Bytes for each node that a tree may have: it is copied when the root moves.
    pub(crate) const BYTES_A_NODE: usize = 2 * size_of::<Node>();

    pub(crate) fn clear(&mut self) {
        self.nodes.clear();
        self.nodes.push(Node::new(Place::NONE, 1.0));
    }

    pub(crate) fn node(&self, index: usize) -> &Node {
        &self.nodes[index]
    }

    pub(crate) fn node_mut(&mut self, index: usize) -> &mut Node {
        &mut self.nodes[index]
    }

    pub(crate) fn children(&self, index: usize) -> &[Node] {
        &self.nodes[self.nodes[index].child_range()]
    }

    pub(crate) fn children_mut(&mut self, index: usize) -> &mut [Node] {
        let range = self.nodes[index].child_range();
        &mut self.nodes[range]
    }

    /// Gives a node its children, if there is room for them.
    pub(crate) fn expand(&mut self, index: usize, children: &[(f32, Place)]) {
        if self.nodes.len() + children.len() > self.most {
            return;
        }
        self.reserve(children.len());
        self.nodes[index].first = self.nodes.len() as u32;
        self.nodes[index].children = children.len() as u16;
        let new = children
            .iter()
            .map(|&(prior, place)| Node::new(place, prior));
        self.nodes.extend(new);
    }

    /// Gives the root further children.
    pub(crate) fn widen_root(&mut self, children: &[(f32, Place)]) {
        let old = self.nodes[0].child_range();
        let all = old.len() + children.len();
        if self.nodes.len() + all > self.most {
            return;
        }
        self.reserve(all);
        self.nodes[0].first = self.nodes.len() as u32;
        self.nodes[0].children = all as u16;
        self.nodes.extend_from_within(old);
        let new = children
            .iter()
            .map(|&(prior, place)| Node::new(place, prior));
        self.nodes.extend(new);
    }

    /// Grows in steps, so that a small search stays small and the bound is kept.
    fn reserve(&mut self, more: usize) {
        if self.nodes.len() + more > self.nodes.capacity() {
            let room = self.most - self.nodes.len();
            let step = self.nodes.capacity().max(4096).min(room);
            self.nodes.reserve_exact(step.max(more));
        }
    }

    /// Makes a child of the root the new root, and drops all nodes that are not below it. Without such a child the tree is
    /// emptied.
    pub(crate) fn descend(&mut self, place: Place) {
        let found = self.nodes[0]
            .child_range()
            .find(|&index| self.nodes[index].place == place);
        let Some(child) = found else {
            self.clear();
            return;
        };
        self.spare.clear();
        if self.spare.capacity() < self.nodes.capacity() {
            self.spare.reserve_exact(self.nodes.capacity());
        }
        self.spare.push(self.nodes[child]);
        let mut next = 0;
        while next < self.spare.len() {
            let range = self.spare[next].child_range();
            self.spare[next].first = self.spare.len() as u32;
            self.spare.extend_from_slice(&self.nodes[range]);
            next += 1;
        }
        std::mem::swap(&mut self.nodes, &mut self.spare);
    }
}
