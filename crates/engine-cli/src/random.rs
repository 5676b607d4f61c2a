//! A player that draws its moves: for tests of sessions and of referees, and for games without an engine.

use crate::search::{NoEngineError, Searcher};
use tochki_engine::{Candidate, Limits, Progress, Report, Rng};
use tochki_rules::{Move, Position};

/// Draws a move from the seed and the position. A node costs nothing, the value is always 0.5, and 2¹⁷ nodes are all.
#[derive(Debug, Default)]
pub struct RandomMover {
    moves: Vec<Move>,
    chosen: usize,
    nodes: u64,
    most: u64,
}

impl Searcher for RandomMover {
    fn forget(&mut self) {
        *self = Self::default();
    }

    fn begin(
        &mut self,
        position: &Position,
        limits: Limits,
        seed: u64,
    ) -> Result<(), NoEngineError> {
        self.moves = position.legal_moves();
        self.chosen = Rng::new(seed).below(self.moves.len() as u32) as usize;
        (self.nodes, self.most) = (0, limits.nodes.min(1 << 17));
        Ok(())
    }

    fn step(&mut self, budget: u64) -> Progress {
        self.nodes = self.nodes.saturating_add(budget).min(self.most);
        if self.nodes == self.most {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    fn best(&self) -> Report<Move> {
        let candidate = |mv: &Move| Candidate {
            mv: *mv,
            value: 0.5,
            exact: false,
            visits: 1,
            depth: 1,
            pv: vec![*mv],
        };
        let mut listed: Vec<_> = self.moves.iter().map(candidate).collect();
        if !listed.is_empty() {
            listed.swap(0, self.chosen);
        }
        Report {
            choice: self.moves.get(self.chosen).copied(),
            moves: listed,
            nodes: self.nodes,
            settled: false,
        }
    }
}
