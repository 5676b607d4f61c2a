//! Victories by fours in Gomoku: one move begins one, and no other move wins.

use super::game_finder::{GameFinder, OnlyMove, SearchBudget};
use crate::Theme;
use tochki_engine::gomoku::GomokuEngine;
use tochki_engine::{Engine, Limits, Progress, Report};
use tochki_rules::{Game, Move, Point, Position, gomoku::Gomoku};

/// The least plies of a victory that is worth finding. A side with an open four needs no puzzle.
const MIN_WIN_PLIES: u16 = 5;

/// Steps from a stone within which another move may win.
const SEARCH_RADIUS: u8 = 2;

/// The other side's value after a move that is clearly worse, at least; −1 is lost.
const HOLDING_VALUE: f32 = -0.7;

/// Nodes of the search for the victory.
const PROOF_NODES: u64 = 8_000;

/// Memory of the engine: a small table is cleared sooner.
const MEMORY_BYTES: usize = 4 << 20;

/// The search of the engine, set to one position after another.
#[derive(Debug)]
pub(super) struct FoursFinder {
    budget: SearchBudget,
    engine: Option<GomokuEngine>,
}

impl FoursFinder {
    pub(super) const fn new(budget: SearchBudget) -> Self {
        Self {
            budget,
            engine: None,
        }
    }

    fn search(&mut self, position: &Gomoku, nodes: u64) -> Report<Point> {
        let limits = Limits {
            memory: MEMORY_BYTES,
            ..Limits::nodes(nodes)
        };
        if let Some(engine) = &mut self.engine {
            engine.set_position(position, limits, 1);
        }
        let engine = (self.engine).get_or_insert_with(|| GomokuEngine::new(position, limits, 1));
        while engine.step(1_000) == Progress::Running {}
        engine.best()
    }

    /// Returns whether every other move near the stones leaves the other side in the game.
    fn others_fail(&mut self, position: &Gomoku, only: Point, nodes: u64) -> bool {
        let stones: Vec<Point> = (position.setup().points())
            .filter(|&point| position.stone(point).is_some())
            .collect();
        let near = |point: Point| {
            let close = |a: u8, b: u8| a.abs_diff(b) <= SEARCH_RADIUS;
            stones
                .iter()
                .any(|stone| close(stone.x, point.x) && close(stone.y, point.y))
        };
        let others: Vec<Point> = (position.free_points())
            .filter(|&point| point != only && near(point))
            .collect();
        others.into_iter().all(|point| {
            let mut after = position.clone();
            if after.play(point).is_err() || after.to_move().is_none() {
                return false;
            }
            let best = self.search(&after, nodes).moves.into_iter().next();
            best.is_some_and(|best| best.value > HOLDING_VALUE)
        })
    }
}

impl GameFinder for FoursFinder {
    fn only_move(&mut self, position: &Position, first: bool) -> Option<OnlyMove> {
        let Position::Gomoku(gomoku) = position else {
            return None;
        };
        let report = self.search(gomoku, PROOF_NODES);
        let best = report.moves.first()?;
        let plies = best.depth;
        // Only a proof by fours has its whole line.
        let proof = best.exact && best.value >= 1.0 && best.pv.len() == usize::from(plies);
        if !proof || first && plies < MIN_WIN_PLIES || plies < 3 {
            return None;
        }
        // A short look at all first, since most positions have several ways to win.
        if !self.others_fail(gomoku, best.mv, self.budget.nodes.min(300))
            || !self.others_fail(gomoku, best.mv, self.budget.nodes)
        {
            return None;
        }
        Some(OnlyMove {
            mv: Move::Gomoku(best.mv),
            theme: Theme::Fours,
            difficulty: (700 + 90 * plies).min(2500),
            expected: best.pv.iter().map(|&point| Move::Gomoku(point)).collect(),
            last: plies <= 3,
        })
    }

    fn answer(&mut self, position: &Position) -> Option<Move> {
        let Position::Gomoku(gomoku) = position else {
            return None;
        };
        // After a four there is one answer.
        let report = self.search(gomoku, 300);
        report.moves.first().map(|best| Move::Gomoku(best.mv))
    }

    fn rest(&mut self, _: &Position, _: &Position, last: &OnlyMove) -> Option<Vec<Move>> {
        Some(last.expected.iter().skip(1).copied().collect())
    }
}
