//! Trajectory minimax: a search for captures, deeper and deeper, and a heuristic for one ply.

use crate::heuristic;
use crate::tactics::{Ended, Finding, Tactics};
use tochki_engine::{Candidate, Engine, Limits, Progress, Report};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// Plies searched at most.
const DEEPEST: u8 = 12;

/// Nodes of a search that is not interrupted.
const SLICE: u64 = 5000;

/// `NegaScout` over the dots of trajectories with iterative deepening; where that sees nothing to gain, the best point of a
/// heuristic.
#[derive(Clone, Debug)]
pub struct Minimax {
    seat: Seat,
    limits: Limits,
    tactics: Tactics,
    finding: Finding,
    depth: u8,
    nodes: u64,
    is_done: bool,
}

impl Minimax {
    /// Plies that were searched completely.
    pub fn depth(&self) -> u8 {
        self.depth - 1
    }
}

impl Engine for Minimax {
    type Game = Dots;

    fn new(position: &Dots, limits: Limits, seed: u64) -> Self {
        let mut engine = Self {
            seat: Seat::First,
            limits,
            tactics: Tactics::new(position),
            finding: Finding::default(),
            depth: 1,
            nodes: 0,
            is_done: false,
        };
        engine.set_position(position, limits, seed);
        engine
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, _: u64) {
        self.tactics.set_position(position);
        self.seat = position.to_move().unwrap_or(Seat::First);
        self.limits = limits;
        self.finding = Finding {
            best: self.tactics.lead(self.seat),
            ..Finding::default()
        };
        self.depth = 1;
        self.nodes = 0;
        self.is_done = position.to_move().is_none() || limits.nodes == 0 || limits.depth == 0;
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = self.nodes.saturating_add(budget);
        while !self.is_done {
            if self.nodes >= end {
                return Progress::Running;
            }
            let slice = SLICE.min(self.limits.nodes - self.nodes);
            let ended = (self.tactics).search(self.seat, self.depth, slice, &mut self.finding);
            self.nodes += self.tactics.nodes();
            match ended {
                Ended::Complete => self.depth += 1,
                Ended::Aborted => {}
                Ended::Exhausted => self.is_done = true,
            }
            self.is_done |= self.depth > DEEPEST.min(self.limits.depth.min(99) as u8)
                || self.nodes >= self.limits.nodes;
        }
        Progress::Done
    }

    fn best(&self) -> Report<Point> {
        let ranked = heuristic::ranked(self.tactics.dots(), self.seat);
        let good = &self.finding.moves;
        let moves: Vec<_> = ranked
            .into_iter()
            .filter(|(_, point)| good.is_empty() || good.contains(point))
            .map(|(_, mv)| Candidate {
                mv,
                value: self.finding.best as f32,
                exact: false,
                visits: 0,
                depth: u16::from(self.finding.depth),
                pv: vec![mv],
            })
            .collect();
        Report {
            choice: moves.first().map(|candidate| candidate.mv),
            moves,
            nodes: self.nodes,
            settled: false,
        }
    }
}
