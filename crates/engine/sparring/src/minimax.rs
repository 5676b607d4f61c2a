//! Trajectory minimax: the tactical search alone, deeper and deeper, and a heuristic for one ply.

use crate::heuristic;
use tochki_engine::{
    Candidate, Engine, Limits, Progress, Report,
    dots::tactics::{Ended, Field, TacticalResult, Tactics},
};
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
    field: Field,
    seat: Seat,
    limits: Limits,
    tactics: Tactics,
    finding: TacticalResult,
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

    fn new(position: &Dots, limits: Limits, _: u64) -> Self {
        Self {
            field: Field::new(position),
            seat: position.to_move().unwrap_or(Seat::First),
            limits,
            tactics: Tactics::new(1 << 20),
            finding: TacticalResult::default(),
            depth: 1,
            nodes: 0,
            is_done: position.to_move().is_none(),
        }
    }

    fn set_position(&mut self, position: &Dots, limits: Limits, _: u64) {
        self.field = Field::new(position);
        self.seat = position.to_move().unwrap_or(Seat::First);
        self.limits = limits;
        self.tactics.reset();
        self.finding = TacticalResult::default();
        self.depth = 1;
        self.nodes = 0;
        self.is_done = position.to_move().is_none();
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = self.nodes.saturating_add(budget);
        while !self.is_done {
            if self.nodes >= end {
                return Progress::Running;
            }
            let ended = self.tactics.search(
                &mut self.field,
                self.seat,
                self.depth,
                SLICE.min(self.limits.nodes - self.nodes),
                &mut self.finding,
            );
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
        let ranked = heuristic::ranked(self.field.dots(), self.seat);
        let good: Vec<Point> = self.finding.moves().collect();
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
