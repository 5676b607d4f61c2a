//! Monte Carlo tree search over positions in capture normal form.
//!
//! A move opens a string, or draws a safe line, which is a string without boxes. If the boxes of a string may be
//! controlled, the other side's choice between taking all and leaving the last is a node of its own. Children are chosen by
//! PUCT (Rosin, *Multi-armed bandits with episode context*, 2011) with priors from the boxes given away and from the
//! long-chain rule.

use super::{
    captures::Captures,
    graph::Graph,
    playout::Playout,
    set::{LineSet, Wide},
    strings::{opening, openings},
};
use crate::Rng;

/// The edge that leads to a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Edge {
    /// The position that is searched.
    Root,
    /// The string of this line is opened; if it cannot be controlled, its boxes are taken.
    Open(u8),
    /// All free boxes are taken; the side that took them moves.
    TakeAll,
    /// The last boxes are left; the other side takes them and moves.
    Leave,
}

/// A node: results are those of the side that moves at the root.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub edge: Edge,
    prior: f32,
    pub visits: u32,
    /// The sum of margins.
    margins: i64,
    /// The sum of rewards, see [`Tree::reward`].
    rewards: i64,
    /// The first child; the others follow it.
    first: u32,
    pub children: u16,
}

/// The position of a descent.
#[derive(Clone, Copy, Debug)]
struct Place {
    free: Wide,
    /// The gain so far of the side to move at the root, and whether it moves.
    margin: i16,
    own: bool,
    /// The number of free boxes, and the number of them that may be left.
    pending: Option<(i16, i16)>,
}

/// The tree of a position.
#[derive(Clone, Debug)]
pub(super) struct Tree {
    graph: Graph<Wide>,
    nodes: Vec<Node>,
    capacity: usize,
    path: Vec<u32>,
    playout: Playout,
    rng: Rng,
    root: Place,
    /// Boxes of the board, the unit of rewards.
    area: i64,
    /// Whether the number of dots and long chains is to be even for the side to move at the root, by the long-chain rule.
    even: bool,
    dots: u32,
    depth: usize,
    iterations: u64,
}

/// The weight of exploration.
const EXPLORATION: f32 = 1.3;

/// Visits before a node gets children.
const EXPANDED_AT: u32 = 2;

impl Tree {
    /// The tree of a position whose side to move is `margin` ahead. It has as many nodes as fit into `bytes`.
    pub(super) fn new(
        graph: Graph<Wide>,
        captures: &Captures<Wide>,
        (margin, first_seat): (i16, bool),
        (depth, bytes, seed): (u16, usize, u64),
    ) -> Self {
        let capacity = (bytes / size_of::<Node>()).clamp(1024, 1 << 20);
        let (cols, rows) = graph.lines.iter().fold((0, 0), |(cols, rows), line| {
            (line.x.max(cols), line.y.max(rows))
        });
        let pending = (captures.boxes > 0).then(|| {
            let left = captures.leave.map_or(0, |leave| i16::from(leave.boxes));
            (i16::from(captures.boxes), left)
        });
        let dots = (u32::from(cols) + 1) * (u32::from(rows) + 1);
        let mut nodes = Vec::with_capacity(capacity);
        nodes.push(Node::new(Edge::Root, 1.0));
        Self {
            area: graph.sides.len().max(1) as i64,
            nodes,
            capacity,
            path: Vec::with_capacity(512),
            playout: Playout::new(),
            rng: Rng::new(seed),
            root: Place {
                free: captures.rest,
                margin,
                own: true,
                pending,
            },
            even: first_seat,
            dots,
            depth: usize::from(depth),
            iterations: 0,
            graph,
        }
    }

    /// Plays so many games more.
    pub(super) fn work(&mut self, iterations: u64) {
        for _ in 0..iterations {
            self.iterate();
        }
    }

    /// Games played.
    pub(super) const fn iterations(&self) -> u64 {
        self.iterations
    }

    /// The mean margin at the end, for the side to move at the root.
    pub(super) fn mean(&self, node: &Node) -> f32 {
        if node.visits == 0 {
            return f32::from(self.root.margin);
        }
        node.margins as f32 / node.visits as f32
    }

    pub(super) fn root(&self) -> &Node {
        &self.nodes[0]
    }

    pub(super) fn children(&self, node: &Node) -> &[Node] {
        let first = node.first as usize;
        &self.nodes[first..first + usize::from(node.children)]
    }

    /// The child that was tried most.
    pub(super) fn favourite(&self, node: &Node) -> Option<&Node> {
        let children = self.children(node).iter();
        children.rev().max_by_key(|child| child.visits)
    }

    fn iterate(&mut self) {
        self.iterations += 1;
        self.path.clear();
        let mut place = self.root;
        let mut at = 0u32;
        loop {
            self.path.push(at);
            let node = self.nodes[at as usize];
            if node.children == 0 {
                let deep = self.path.len() > self.depth;
                if node.visits + 1 < EXPANDED_AT && at > 0 || deep || !self.expand(at, &place) {
                    break;
                }
            }
            at = self.select(at, place.own);
            self.follow(&mut place, self.nodes[at as usize].edge);
        }
        let margin = self.finish(place);
        let reward = self.reward(margin);
        for &at in &self.path {
            let node = &mut self.nodes[at as usize];
            node.visits += 1;
            node.margins += i64::from(margin);
            node.rewards += reward;
        }
    }

    /// Winning counts for three quarters, the margin for one: in quarters of the board's boxes.
    fn reward(&self, margin: i16) -> i64 {
        3 * self.area * i64::from(margin.signum()) + i64::from(margin)
    }

    /// The margin of a game that is played on from here.
    fn finish(&mut self, mut place: Place) -> i16 {
        let sign = |own: bool| if own { 1 } else { -1 };
        let pending = place.pending.take();
        let value = self.playout.value(&self.graph, place.free, &mut self.rng);
        let value = match pending {
            None => value,
            Some((boxes, 0)) => boxes + value,
            Some((boxes, left)) => boxes - left + (value + left).abs(),
        };
        place.margin + sign(place.own) * value
    }

    fn follow(&self, place: &mut Place, edge: Edge) {
        let sign = if place.own { 1 } else { -1 };
        match edge {
            Edge::Root => {}
            Edge::Open(line) => {
                let string = opening(&self.graph, place.free, line);
                place.free = place.free.minus(string.lines);
                place.own = !place.own;
                if string.left > 0 {
                    place.pending = Some((i16::from(string.boxes), i16::from(string.left)));
                } else {
                    place.margin -= sign * i16::from(string.boxes);
                }
            }
            Edge::TakeAll => {
                let (boxes, _) = place.pending.take().unwrap_or_default();
                place.margin += sign * boxes;
            }
            Edge::Leave => {
                let (boxes, left) = place.pending.take().unwrap_or_default();
                place.margin += sign * (boxes - 2 * left);
                place.own = !place.own;
            }
        }
    }

    /// Gives a node its children. Returns `false` if it has none, or there is no room.
    fn expand(&mut self, at: u32, place: &Place) -> bool {
        let first = self.nodes.len();
        if first + Wide::BITS > self.capacity {
            return false;
        }
        let Self { nodes, graph, .. } = self;
        if let Some((_, left)) = place.pending {
            nodes.push(Node::new(Edge::TakeAll, 0.5));
            if left > 0 {
                nodes.push(Node::new(Edge::Leave, 0.5));
            }
        } else {
            openings(graph, place.free, |string| {
                let prior = match (string.boxes, string.left) {
                    (0, _) => 1.0,
                    (1, _) => 0.2,
                    (2, 0) => 0.1,
                    _ => 0.05,
                };
                nodes.push(Node::new(Edge::Open(string.line), prior));
            });
            self.weigh_by_chains(first, place);
        }
        let added = &mut self.nodes[first..];
        let sum: f32 = added.iter().map(|node| node.prior).sum();
        for node in &mut *added {
            node.prior /= sum;
        }
        let children = added.len() as u16;
        let node = &mut self.nodes[at as usize];
        (node.first, node.children) = (first as u32, children);
        children > 0
    }

    /// Applies the long-chain rule: the side that starts the game wants dots and long chains together to be even, the other side
    /// odd (Berlekamp, *The Dots and Boxes Game*, chapter 2). Near the end of the safe moves, those that make it so come first.
    fn weigh_by_chains(&mut self, first: usize, place: &Place) {
        let added = &self.nodes[first..];
        let is_safe = |node: &Node| matches!(node.edge, Edge::Open(line) if self.graph.is_safe(place.free, line));
        let safe = added.iter().filter(|node| is_safe(node)).count();
        if !(1..=16).contains(&safe) {
            return;
        }
        let wants_even = self.even == place.own;
        for at in first..self.nodes.len() {
            let Edge::Open(line) = self.nodes[at].edge else {
                continue;
            };
            if !self.graph.is_safe(place.free, line) {
                continue;
            }
            let mut chains = self.dots;
            openings(&self.graph, place.free.without(line), |string| {
                chains += u32::from(string.left > 0);
            });
            if chains.is_multiple_of(2) == wants_even {
                self.nodes[at].prior *= 1.5;
            }
        }
    }

    fn select(&self, at: u32, own: bool) -> u32 {
        let node = &self.nodes[at as usize];
        let unit = 4.0 * self.area as f32;
        let sign = if own { 1.0 } else { -1.0 };
        let mean = |node: &Node| sign * node.rewards as f32 / (unit * node.visits.max(1) as f32);
        let untried = mean(node) - 0.2;
        let explore = EXPLORATION * (node.visits as f32).sqrt();
        let mut best = (f32::MIN, node.first);
        for (place, child) in self.children(node).iter().enumerate() {
            let value = if child.visits == 0 {
                untried
            } else {
                mean(child)
            };
            let score = value + explore * child.prior / (1 + child.visits) as f32;
            if score > best.0 {
                best = (score, node.first + place as u32);
            }
        }
        best.1
    }
}

impl Node {
    const fn new(edge: Edge, prior: f32) -> Self {
        Self {
            edge,
            prior,
            visits: 0,
            margins: 0,
            rewards: 0,
            first: 0,
            children: 0,
        }
    }
}
