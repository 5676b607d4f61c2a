//! The engine of Dots: a tactical search over trajectories, and a Monte Carlo tree search among the moves that it leaves open.
//!
//! A capture takes many dots, so a search over all moves does not see it: on 39 × 32 points there are 1,248 of them. The tactical
//! search ([`tactics`]) tries only dots that take part in a capture by few dots. Where such a dot gains over playing elsewhere,
//! only the moves that gain most are considered. Playouts ([`mcts`]) decide between these moves, and where there is nothing to
//! gain.

mod field;
mod ladder_scan;
pub mod ladders;
mod levels;
mod mcts;
mod patterns;
mod place;
mod playout;
mod prior;
mod settled;
pub mod tactics;
#[cfg(test)]
mod tests;
pub mod training;
mod trajectories;
mod tree;

use super::{Candidate, Engine, Limits, Progress, Report, Rng};
use field::Field;
use ladder_scan::LadderScan;
use levels::LevelSettings;
use mcts::Mcts;
use patterns::Weights;
use place::{PLACES, Place, table};
pub use settled::is_settled;
use tactics::{Ended, TacticalResult, Tactics};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};
use tree::Tree;

/// The engine of Dots.
///
/// A node is a position of the tactical search (or work there that takes as long), or 16 dots of a playout.
#[derive(Clone, Debug)]
pub struct DotsEngine {
    field: Field,
    /// The side to move; the search has no meaning when the game is over.
    seat: Seat,
    limits: Limits,
    manner: LevelSettings,
    /// The random number that decides whether and how a weak level errs.
    slip: u64,
    rng: Rng,
    tactics: Tactics,
    finding: TacticalResult,
    /// The depth to search next, and whether there is one.
    depth: u8,
    tactics_go_on: bool,
    /// Slices that were spent on the depth.
    slices: u32,
    ladders: LadderScan,
    /// The only moves to consider, if there are any.
    urgent: Vec<Place>,
    mcts: Mcts,
    bonus: Box<[f32; PLACES]>,
    tactical_nodes: u64,
    dots_placed: u64,
    settled: bool,
}

/// Nodes of a tactical search that is not interrupted, so that no step takes long.
const SLICE: u64 = 1000;

/// Slices for one depth at most.
const SLICES: u32 = 60;

/// Nodes of tactics before the first playout, if they find work.
const TACTICS_FIRST: u64 = 6000;

/// Ladders are searched once the tactics have reached so many plies.
const LADDERS_AFTER: u8 = 4;

/// The tactics have one node in so many.
const TACTICS_SHARE: u64 = 8;

/// Playouts after which the value of a forced move is known to about a point.
const PLAYOUTS_OF_FORCED: u32 = 200;

impl DotsEngine {
    fn with_weights(position: &Dots, limits: Limits, seed: u64, weights: Weights) -> Self {
        let mut engine = Self {
            field: Field::new(position),
            seat: Seat::First,
            limits,
            manner: LevelSettings::of(&limits),
            slip: 0,
            rng: Rng::new(seed),
            tactics: Tactics::new(tactics_table(limits.memory)),
            finding: TacticalResult::default(),
            depth: 1,
            tactics_go_on: true,
            slices: 0,
            ladders: LadderScan::new(),
            urgent: Vec::with_capacity(64),
            mcts: Mcts::new(tree_size(limits.memory), weights),
            bonus: table(1.0),
            tactical_nodes: 0,
            dots_placed: 0,
            settled: false,
        };
        engine.begin(true);
        engine
    }

    /// Plies of the tactics at most, at this move.
    fn deepest(&self) -> u8 {
        self.manner.depth_by(self.slip)
    }

    fn nodes(&self) -> u64 {
        self.tactical_nodes + self.dots_placed / 16
    }

    fn is_done(&self) -> bool {
        let nodes = self.nodes();
        let is_over = nodes >= self.limits.nodes
            || nodes >= self.manner.nodes && !self.has_to_look_for_captures();
        self.field.dots.to_move().is_none() || is_over || self.settled || self.is_forced()
    }

    /// Returns whether there is one move to consider, nothing more to find out about that, and its value is known well enough.
    fn is_forced(&self) -> bool {
        let ladders_go_on = self.deepest() > LADDERS_AFTER && !self.ladders.is_done();
        self.urgent.len() == 1
            && !self.tactics_go_on
            && !ladders_go_on
            && self.mcts.tree.node(0).visits >= PLAYOUTS_OF_FORCED
    }

    /// Returns whether captures are still to be looked for: dots that are free to take, or would be taken next, come first,
    /// however few nodes a level has.
    fn has_to_look_for_captures(&self) -> bool {
        self.tactics_go_on && self.depth <= 2
    }

    /// Does the least work that is not interrupted.
    fn tick(&mut self) {
        let tactics_turn = self.has_to_look_for_captures()
            || self.tactical_nodes < TACTICS_FIRST.min(self.manner.nodes / 2)
            || self.tactical_nodes * TACTICS_SHARE < self.nodes();
        if tactics_turn
            && self.tactics_go_on
            && (self.depth <= LADDERS_AFTER || self.ladders.is_done())
        {
            self.search_tactics();
            return;
        }
        if tactics_turn && self.deepest() > LADDERS_AFTER && !self.ladders.is_done() {
            self.tactical_nodes += self.ladders.advance(&mut self.field) / 16 + 1;
            if self.ladders.is_done() {
                self.expand();
            }
            return;
        }
        let placed = self
            .mcts
            .run(&mut self.field, self.seat, &self.urgent, &mut self.rng);
        self.dots_placed += u64::from(placed);
    }

    fn search_tactics(&mut self) {
        let slice = if self.has_to_look_for_captures() {
            SLICE
        } else {
            SLICE.min(self.manner.nodes / 4).max(250)
        };
        let ended = self.tactics.search(
            &mut self.field,
            self.seat,
            self.depth,
            slice,
            &mut self.finding,
        );
        self.tactical_nodes += self.tactics.nodes() + 1;
        match ended {
            Ended::Complete => {
                self.depth += 1;
                self.slices = 0;
                self.tactics_go_on = self.depth <= self.deepest();
                self.expand();
            }
            Ended::Aborted => {
                self.slices += 1;
                self.tactics_go_on = self.slices < SLICES;
            }
            Ended::Exhausted => self.tactics_go_on = false,
        }
    }

    /// Gives the root its moves, with the results of the tactics.
    fn expand(&mut self) {
        self.find_urgent();
        self.bonus.fill(1.0);
        let bonus = &mut self.bonus;
        self.tactics.each_point(|place, len, won, _| {
            let step = match len {
                1 => 20.0,
                2 => 2.0,
                3 => 0.4,
                _ => 0.05,
            };
            let weight = &mut bonus[place.index()];
            *weight = (*weight + step * (1.0 + f32::from(won.min(8)) / 4.0)).min(30.0);
        });
        self.expand_root();
    }

    /// Lists the moves that gain most over passing, by the tactics, and by ladders where the tactics see nothing. A move that
    /// saves from a ladder has to save by the tactics, too: they look at all answers, but not as far.
    fn find_urgent(&mut self) {
        let (tactics, ladders) = (&self.finding.moves, self.ladders.moves());
        self.urgent.clear();
        if self.ladders.is_threatened() {
            let both = tactics.iter().filter(|place| ladders.contains(place));
            self.urgent.extend(both);
        }
        if self.urgent.is_empty() {
            let known = if tactics.is_empty() { ladders } else { tactics };
            self.urgent.extend_from_slice(known);
        }
    }

    fn expand_root(&mut self) {
        let bonus = &self.bonus;
        self.mcts.expand_root(
            &mut self.field,
            self.seat,
            |place| bonus[place.index()],
            &self.urgent,
        );
    }

    /// The moves of the root, the best first.
    fn ranked(&self) -> Vec<usize> {
        let tree = &self.mcts.tree;
        let mut children: Vec<usize> = tree.node(0).child_range().collect();
        let urgent = &self.urgent;
        let allowed = |index: usize| urgent.is_empty() || urgent.contains(&tree.node(index).place);
        children.sort_by(|&a, &b| {
            let (one, other) = (tree.node(a), tree.node(b));
            allowed(b)
                .cmp(&allowed(a))
                .then(other.visits.cmp(&one.visits))
                .then(other.prior.total_cmp(&one.prior))
                .then(one.place.cmp(&other.place))
        });
        children
    }

    /// The line that the tree expects after a node.
    fn line(&self, mut at: usize) -> Vec<Point> {
        let tree = &self.mcts.tree;
        let mut line = vec![tree.node(at).place.point()];
        while line.len() < 12 {
            let next = tree
                .node(at)
                .child_range()
                .max_by_key(|&index| (tree.node(index).visits, std::cmp::Reverse(index)));
            match next {
                Some(next) if tree.node(next).visits > 0 => {
                    line.push(tree.node(next).place.point());
                    at = next;
                }
                _ => break,
            }
        }
        line
    }

    /// Moves that lead from the position before to a new one, if they are few.
    fn moves_since(&self, position: &Dots) -> Option<Vec<Place>> {
        let mut before = position.clone();
        let mut moves = Vec::new();
        for _ in 0..=4 {
            if before == self.field.dots {
                moves.reverse();
                return Some(moves);
            }
            moves.push(Place::of(before.undo()?));
        }
        None
    }

    fn begin(&mut self, is_new: bool) {
        self.seat = self.field.dots.to_move().unwrap_or(Seat::First);
        self.finding = TacticalResult::default();
        self.depth = 1;
        self.slices = 0;
        // The draw depends on the position, too, so that a seed does not err at every move or at none.
        self.slip = Rng::new(self.rng.bits() ^ self.field.hash()).bits();
        self.tactics_go_on = self.field.dots.to_move().is_some() && self.deepest() > 0;
        self.tactics.reset();
        self.ladders.begin(self.seat);
        self.urgent.clear();
        self.tactical_nodes = 0;
        self.dots_placed = 0;
        self.settled = is_settled(&self.field.dots);
        let mut past = self.field.dots.clone();
        let last = [(); 2].map(|()| past.undo().map_or(Place::NONE, Place::of));
        self.mcts.begin(&self.field, last, is_new);
        if self.field.dots.to_move().is_some() {
            self.bonus.fill(1.0);
            self.expand_root();
        }
    }

    /// The first move, or for a weak level another one that loses little.
    fn choose(&self, moves: &[Candidate<Point>]) -> Option<Point> {
        let best = moves.first()?;
        if !self.errs() {
            return Some(best.mv);
        }
        let near: Vec<Point> = moves
            .iter()
            .take(self.manner.choices)
            .filter(|candidate| {
                // A move that was never tried is not known to lose little.
                let loses_little = self.manner.loss.is_none_or(|loss| {
                    candidate.visits > 0 && candidate.value > best.value - f32::from(loss)
                });
                loses_little && self.field.dots.house(candidate.mv).is_none()
            })
            .map(|candidate| candidate.mv)
            .collect();
        let index = ((self.slip >> 32) * near.len() as u64) >> 32;
        near.get(index as usize).copied().or(Some(best.mv))
    }

    /// Returns whether a weak level draws its move. Nothing is drawn where something is to be captured or saved, unless that is
    /// overlooked.
    fn errs(&self) -> bool {
        let slip = self.slip as u32;
        let overlooks = slip / 256 % 256 < self.manner.overlooks;
        slip % 256 < self.manner.slips && (self.urgent.is_empty() || overlooks)
    }

    /// A move to play before anything was searched, or if nothing matters any more.
    fn any_move(&self) -> Option<Point> {
        self.field.dots.to_move()?;
        let dots = &self.field.dots;
        let quiet = |point: &Point| dots.house(*point).is_none();
        dots.free_points()
            .find(quiet)
            .or_else(|| {
                dots.free_points()
                    .find(|&point| dots.house(point) == Some(self.seat))
            })
            .or_else(|| dots.free_points().next())
    }
}

/// Entries of the transposition table: 2¹⁸, or less if memory is scarce.
fn tactics_table(memory: usize) -> usize {
    let most = (memory / 64).clamp(1 << 10, 1 << 18);
    1 << most.ilog2()
}

/// Nodes of the tree that fit into the memory beside everything else.
fn tree_size(memory: usize) -> usize {
    memory.saturating_sub(Tactics::memory(tactics_table(memory)) + (1 << 20)) / Tree::BYTES_A_NODE
}

impl Engine for DotsEngine {
    type Game = Dots;

    fn new(position: &Dots, limits: Limits, seed: u64) -> Self {
        Self::with_weights(position, limits, seed, Weights::trained())
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, seed: u64) {
        if limits.memory != self.limits.memory {
            *self = Self::new(position, limits, seed);
            return;
        }
        let moves = self.moves_since(position);
        if let Some(moves) = &moves {
            for &place in moves {
                self.mcts.tree.descend(place);
            }
        }
        self.field = Field::new(position);
        self.limits = limits;
        self.manner = LevelSettings::of(&limits);
        self.rng = Rng::new(seed);
        self.begin(moves.is_none());
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = self.nodes().saturating_add(budget.max(1));
        while !self.is_done() {
            if self.nodes() >= end {
                return Progress::Running;
            }
            self.tick();
        }
        Progress::Done
    }

    fn best(&self) -> Report<Point> {
        let lead = self.field.lead(self.seat) as f32;
        let tree = &self.mcts.tree;
        let mut moves: Vec<Candidate<Point>> = self
            .ranked()
            .into_iter()
            .map(|index| {
                let node = tree.node(index);
                Candidate {
                    mv: node.place.point(),
                    value: if self.settled || node.visits == 0 {
                        lead
                    } else {
                        node.leads / node.visits as f32
                    },
                    exact: self.settled,
                    visits: u64::from(node.visits),
                    depth: u16::from(self.finding.depth),
                    pv: self.line(index),
                }
            })
            .collect();
        if moves.is_empty()
            && let Some(mv) = self.any_move()
        {
            moves.push(Candidate {
                mv,
                value: lead,
                exact: self.settled,
                visits: 0,
                depth: 0,
                pv: vec![mv],
            });
        }
        if self.field.dots.to_move().is_none() {
            moves.clear();
        }
        Report {
            choice: self.choose(&moves),
            moves,
            nodes: self.nodes(),
            settled: self.settled,
        }
    }
}
