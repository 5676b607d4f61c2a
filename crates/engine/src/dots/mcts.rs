//! The Monte Carlo tree search: UCT with RAVE and priors, and a komi that follows the expected score.

use super::{
    field::Field,
    patterns::Weights,
    place::Place,
    playout::Playout,
    prior::{Context, Prior},
    tree::{Node, Tree},
};
use crate::Rng;
use tochki_rules::{Game, Seat};

/// Visits after which a leaf gets children.
const EXPAND: u32 = 3;

/// The weight of the prior against the outcomes.
const EXPLORATION: f32 = 2.0;

/// The constant `r` in the share of RAVE, a / (a + n + a·n / r).
const RAVE: f32 = 400.0;

/// Playouts between two looks at the komi.
const KOMI_PERIOD: u32 = 200;

/// Slope, per point of the lead, of the quarter of an outcome that is not won or lost: 60 points make the whole quarter.
const SLOPE: f32 = 1.0 / 60.0;

/// Prior and outcomes of the moves of a position.
#[derive(Clone, Debug)]
pub(crate) struct Mcts {
    pub(crate) tree: Tree,
    playout: Playout,
    prior: Prior,
    path: Vec<usize>,
    /// The two last dots before the root.
    last: [Place; 2],
    /// Komi: the points taken from the first seat's lead before a playout counts as won.
    komi: f32,
    /// Outcomes of the root's side since the last look at the komi.
    share: f32,
    playouts: u32,
}

impl Mcts {
    pub(crate) fn new(nodes: usize, weights: Weights) -> Self {
        Self {
            tree: Tree::new(nodes),
            playout: Playout::new(),
            prior: Prior::new(weights),
            path: Vec::with_capacity(4096),
            last: [Place::NONE; 2],
            komi: 0.0,
            share: 0.0,
            playouts: 0,
        }
    }

    /// Begins at a position, with the tree that was kept of it.
    pub(crate) fn begin(&mut self, field: &Field, last: [Place; 2], is_new: bool) {
        self.playout.begin(&field.dots);
        self.last = last;
        self.share = 0.0;
        self.playouts = 0;
        if is_new {
            self.tree.clear();
            self.komi = field.lead(Seat::First) as f32;
        }
    }

    /// Gives the root its children: the candidates of the prior, and these moves.
    pub(crate) fn expand_root(
        &mut self,
        field: &mut Field,
        seat: Seat,
        bonus: impl Fn(Place) -> f32,
        also: &[Place],
    ) {
        let context = Context {
            seat,
            last: self.last,
        };
        let weights = self.prior.weigh(field, context, bonus);
        if self.tree.node(0).children == 0 {
            self.tree.expand(0, weights);
        } else {
            for child in self.tree.children_mut(0) {
                let weight = weights.iter().find(|weight| weight.1 == child.place);
                child.prior = weight.map_or(0.0005, |weight| weight.0);
            }
        }
        let known: Vec<Node> = self.tree.children(0).to_vec();
        let missing: Vec<Place> = also
            .iter()
            .copied()
            .chain(weights.iter().map(|weight| weight.1))
            .filter(|&place| known.iter().all(|node| node.place != place))
            .collect();
        if !missing.is_empty() {
            let share = |place: Place| {
                weights
                    .iter()
                    .find(|weight| weight.1 == place)
                    .map_or(0.02, |weight| weight.0)
            };
            let missing: Vec<_> = missing.iter().map(|&at| (share(at), at)).collect();
            self.tree.widen_root(&missing);
        }
    }

    /// Plays one playout. Only `allowed` moves are tried at the root, if there are any. Returns the number of dots that it
    /// placed.
    pub(crate) fn run(
        &mut self,
        field: &mut Field,
        seat: Seat,
        allowed: &[Place],
        rng: &mut Rng,
    ) -> u32 {
        self.playout.clear();
        self.path.clear();
        self.path.push(0);
        let (mut at, mut to_move, mut last) = (0, seat, self.last);
        loop {
            let node = self.tree.node(at);
            if node.children == 0 {
                if node.visits < EXPAND || field.dots.to_move().is_none() {
                    break;
                }
                let context = Context {
                    seat: to_move,
                    last,
                };
                let weights = self.prior.weigh(field, context, |_| 1.0);
                self.tree.expand(at, weights);
                if self.tree.node(at).children == 0 {
                    break;
                }
            }
            at = self.select(at, if at == 0 { allowed } else { &[] });
            let place = self.tree.node(at).place;
            if field.dots.play_as(to_move, place.point()).is_err() {
                debug_assert!(false, "a child is a legal move");
                break;
            }
            self.playout.note(to_move, place);
            self.path.push(at);
            last = [place, last[0]];
            to_move = to_move.other();
        }
        let (lead, placed) = self.playout.run(&mut field.dots, last[0], rng);
        for _ in 1..self.path.len() {
            field.dots.undo();
        }
        self.learn(seat, lead);
        placed + self.path.len() as u32
    }

    /// The child to try next.
    fn select(&self, parent: usize, allowed: &[Place]) -> usize {
        let node = self.tree.node(parent);
        let range = node.child_range();
        let scale = EXPLORATION * (node.visits as f32 + 1.0).sqrt();
        // The parent's outcomes are those of the other side.
        let unknown = if node.visits == 0 || parent == 0 {
            0.5
        } else {
            1.0 - node.wins / node.visits as f32
        };
        let mut best = (f32::MIN, range.start);
        for (index, child) in range.clone().zip(self.tree.children(parent)) {
            if !allowed.is_empty() && !allowed.contains(&child.place) {
                continue;
            }
            let visits = child.visits as f32;
            let mut value = if child.visits == 0 {
                unknown
            } else {
                child.wins / visits
            };
            if child.rave_visits > 0 {
                let rave = child.rave_visits as f32;
                let share = rave / (rave + visits + rave * visits / RAVE);
                value += (child.rave_wins / rave - value) * share;
            }
            value += scale * child.prior / (1.0 + visits);
            if value > best.0 {
                best = (value, index);
            }
        }
        best.1
    }

    /// Adds the result of a playout to the nodes of its path and to the moves that were made later.
    fn learn(&mut self, seat: Seat, lead: i32) {
        let margin = lead as f32 - self.komi;
        let win = if margin > 0.0 {
            1.0
        } else if margin < 0.0 {
            0.0
        } else {
            0.5
        };
        let slope = (0.5 + margin * SLOPE).clamp(0.0, 1.0);
        let first = 0.75 * win + 0.25 * slope;
        let outcome = |seat: Seat| {
            if seat == Seat::First {
                first
            } else {
                1.0 - first
            }
        };
        let mut mover = seat.other();
        for depth in 0..self.path.len() {
            let index = self.path[depth];
            let node = self.tree.node_mut(index);
            node.visits += 1;
            node.wins += outcome(mover);
            node.leads += if mover == Seat::First {
                lead as f32
            } else {
                -lead as f32
            };
            mover = mover.other();
            let value = outcome(mover);
            let playout = &self.playout;
            for child in self.tree.children_mut(index) {
                if playout.was_first(mover, child.place) {
                    child.rave_visits += 1;
                    child.rave_wins += value;
                }
            }
        }
        self.follow(seat, outcome(seat));
    }

    /// Moves the komi so that the side to move wins a little less than half of the playouts.
    fn follow(&mut self, seat: Seat, outcome: f32) {
        self.playouts += 1;
        self.share += outcome;
        // The first guess, without which it would take thousands of playouts to get there.
        if self.playouts == 32 && self.tree.node(0).visits == 32 {
            // The root's move is the other side's, so its leads are those of the other side.
            let own = self.tree.node(0).leads as i32 / -32;
            self.komi = if seat == Seat::First { own } else { -own } as f32;
        }
        if self.playouts.is_multiple_of(KOMI_PERIOD) {
            let share = self.share / KOMI_PERIOD as f32;
            let towards = if seat == Seat::First { 1.0 } else { -1.0 };
            if share > 0.5 {
                self.komi += towards;
            } else if share < 0.45 {
                self.komi -= towards;
            }
            self.share = 0.0;
        }
    }
}
