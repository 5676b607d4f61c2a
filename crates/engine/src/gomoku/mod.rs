//! The engine of Gomoku.
//!
//! A board of its own keeps for every free point what a stone of either colour would make of the four lines through it
//! ([`board`], [`classes`], [`weights`]). Victories by fours ([`fours`]) and by threes ([`threes`]) are looked for first, which are proofs; the main
//! search goes deeper and deeper ([`search`]).
//!
//! A node is a position, of whichever search.

mod board;
mod classes;
mod fours;
mod levels;
mod search;
mod table;
mod threes;
pub mod training;
mod weights;

#[cfg(test)]
mod tests;

pub use weights::{CODES, RANK_UNIT, THREATS, Weights};

use self::{
    board::{Board, Cell, Tables},
    fours::Fours,
    levels::Strength,
    search::{Search, WIN, WINNING},
    threes::Threes,
    weights::Threat,
};
use crate::{Candidate, Engine, Limits, Progress, Report, Rng};
use std::sync::Arc;
use tochki_rules::{Game, Point, gomoku::Gomoku};

/// What the engine keeps besides the transposition table: boards, tables of classes, stacks.
const FIXED_MEMORY: usize = 1 << 20;

/// Nodes that are searched at a stretch.
const STRETCH: u64 = 512;

/// Nodes of the first search for a victory by fours, and by threes; each further one has four times as many.
const FIRST_FOURS: u64 = 2_000;

/// The evaluation that is half a win.
const HALF_WIN: f32 = 400.0;

/// The search of a position of Gomoku.
#[derive(Clone, Debug)]
pub struct GomokuEngine {
    tables: Arc<Tables>,
    /// The position at the root; the search has one of its own, which is on the way.
    root: Board,
    search: Search,
    fours: Fours,
    threes: Threes,
    over: bool,
    limits: Limits,
    strength: Strength,
    seed: u64,
    /// Nodes of the next search for a victory by fours, then of that by threes; 0 when it is over.
    fours_limit: u64,
    threes_limit: u64,
    /// Nodes of both.
    solver_nodes: u64,
    /// The line that wins for certain, or its first move, and in how many plies.
    proof: Option<(Vec<Cell>, i16)>,
    /// The line that is expected after the best move, and the depth it was found at.
    line: Vec<Cell>,
    line_depth: i16,
}

impl Engine for GomokuEngine {
    type Game = Gomoku;

    fn new(position: &Gomoku, limits: Limits, seed: u64) -> Self {
        Self::with_weights(position, limits, seed, &Weights::trained())
    }

    fn set_position(&mut self, position: &Gomoku, limits: Limits, seed: u64) {
        self.strength = Strength::of(limits.level);
        self.seed = seed;
        let depth = self.strength.depth.min(limits.depth);
        self.tables = self.tables.of_rule(position.setup().rule());
        let root = Board::new(position, &self.tables);
        if self.root.setup() != root.setup() {
            self.fours = Fours::new();
            self.threes = Threes::new();
        }
        self.root = root;
        if limits.memory < self.limits.memory {
            // The old table goes first, so that there are never two.
            self.search = Search::new(self.root.clone(), 0, depth, seed);
            self.search = Search::new(self.root.clone(), table_bytes(limits), depth, seed);
        } else {
            self.search.set_board(self.root.clone(), depth, seed);
        }
        self.limits = limits;
        self.begin(position);
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = self.nodes().saturating_add(budget);
        while !self.is_done() && self.nodes() < end {
            self.work();
        }
        if self.is_done() {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    fn best(&self) -> Report<Point> {
        let moves = self.candidates();
        Report {
            choice: self.choice(&moves),
            moves,
            nodes: self.nodes(),
            settled: self.over,
        }
    }
}

impl GomokuEngine {
    /// As [`Engine::new`], with other weights than those it usually plays with.
    #[must_use]
    pub fn with_weights(position: &Gomoku, limits: Limits, seed: u64, weights: &Weights) -> Self {
        let strength = Strength::of(limits.level);
        let bytes = table_bytes(limits);
        let depth = strength.depth.min(limits.depth);
        let tables = Arc::new(Tables::new(position.setup().rule(), weights));
        let root = Board::new(position, &tables);
        let mut engine = Self {
            tables,
            search: Search::new(root.clone(), bytes, depth, seed),
            root,
            fours: Fours::new(),
            threes: Threes::new(),
            over: true,
            limits,
            strength,
            seed,
            fours_limit: 0,
            threes_limit: 0,
            solver_nodes: 0,
            proof: None,
            line: Vec::new(),
            line_depth: -1,
        };
        engine.begin(position);
        engine
    }

    fn begin(&mut self, position: &Gomoku) {
        self.over = position.to_move().is_none();
        self.fours_limit = if self.over || self.strength.fours == 0 {
            0
        } else {
            FIRST_FOURS.min(self.strength.fours)
        };
        self.threes_limit = FIRST_FOURS.min(self.strength.threes);
        self.solver_nodes = 0;
        self.line.clear();
        self.line_depth = -1;
        // Five is not a matter of search, nor of level.
        let five = self.root.five(self.root.side()).filter(|_| !self.over);
        self.proof = five.map(|five| (vec![five], 1));
    }

    const fn nodes(&self) -> u64 {
        self.search.nodes() + self.solver_nodes
    }

    fn limit(&self) -> u64 {
        // The last look for a victory by fours may take a few nodes more.
        let nodes = self.limits.nodes.min(self.strength.nodes);
        nodes.saturating_sub(search::QUIET_FOURS)
    }

    fn is_done(&self) -> bool {
        self.over || self.proof.is_some() || self.search.done || self.nodes() >= self.limit()
    }

    /// Searches for a stretch: for a victory by fours now and then, each time farther, and otherwise the main search.
    fn work(&mut self) {
        let rest = self.limit() - self.nodes();
        // The solvers get a third of all nodes, as long as they have anything to look for.
        if self.search.nodes() >= self.solver_nodes * 2 {
            if self.fours_limit > 0 {
                self.look_for_fours(rest);
                return;
            }
            if self.threes_limit > 0 {
                self.look_for_threes(rest);
                return;
            }
        }
        self.search.work(rest.min(STRETCH));
        if self.search.finished_depth > self.line_depth && !self.search.root.is_empty() {
            self.line_depth = self.search.finished_depth;
            self.line = self.search.line(&mut self.root, self.search.root[0].mv);
        }
    }

    fn look_for_fours(&mut self, rest: u64) {
        let limit = self.fours_limit.min(rest);
        let found = self.fours.search(&mut self.root, limit);
        self.solver_nodes += self.fours.nodes().max(1);
        if let Some(plies) = found {
            self.proof = Some((self.fours.line().collect(), plies));
        }
        let complete = found.is_some() || self.fours.nodes() < limit;
        self.fours_limit = if complete || limit >= self.strength.fours {
            0
        } else {
            (limit * 4).min(self.strength.fours)
        };
    }

    fn look_for_threes(&mut self, rest: u64) {
        let limit = self.threes_limit.min(rest);
        let found = self.threes.search(&mut self.root, limit);
        self.solver_nodes += self.threes.nodes().max(1);
        if let Some((first, plies)) = found {
            self.proof = Some((vec![first], plies));
        }
        let complete = found.is_some() || self.threes.nodes() < limit;
        self.threes_limit = if complete || limit >= self.strength.threes {
            0
        } else {
            (limit * 4).min(self.strength.threes)
        };
    }

    /// The moves of the root, the best first.
    fn candidates(&self) -> Vec<Candidate<Point>> {
        if self.over {
            return Vec::new();
        }
        if let Some((line, plies)) = &self.proof
            && let Some(&first) = line.first()
        {
            return vec![Candidate {
                mv: board::point(first),
                value: 1.0,
                exact: true,
                visits: 0,
                depth: *plies as u16,
                pv: line.iter().map(|&cell| board::point(cell)).collect(),
            }];
        }
        let candidate = |root: &search::RootMove| {
            let mv = board::point(root.mv);
            let first = self.line.first() == Some(&root.mv);
            let pv = if first { &self.line[..] } else { &[root.mv] };
            Candidate {
                mv,
                value: if root.depth == 0 {
                    0.0
                } else {
                    share(root.value)
                },
                exact: self.is_exact(*root),
                visits: 0,
                depth: root.depth.max(0) as u16,
                pv: pv.iter().map(|&cell| board::point(cell)).collect(),
            }
        };
        let mut moves: Vec<_> = self.search.root.iter().map(candidate).collect();
        if let Some((_, rest)) = moves.split_first_mut() {
            rest.sort_by(|one, other| other.value.total_cmp(&one.value));
        }
        moves
    }

    /// What can be seen at once is certain: five, or an open four that nothing answers.
    fn is_exact(&self, root: search::RootMove) -> bool {
        let board = &self.root;
        let own = board.side();
        match board.threat(own, root.mv) {
            Threat::Five => true,
            Threat::OpenFour => board.count(1 - own, Threat::Five) == 0,
            _ => board.count(own, Threat::Five) == 0 && board.count(1 - own, Threat::Five) > 1,
        }
    }

    /// The move to play: the best one, or by a draw another one.
    fn choice(&self, moves: &[Candidate<Point>]) -> Option<Point> {
        let best = moves.first()?;
        let board = &self.root;
        let urgent = (0..2).any(|colour| board.count(colour, Threat::Five) > 0);
        if urgent && self.strength.awake || best.exact && best.value > 0.0 {
            return Some(best.mv);
        }
        // The draw depends on the position, too, so that a seed does not err at every move or at none.
        let mut rng = Rng::new(self.seed ^ board.hash());
        if rng.below(256) >= self.strength.random {
            return Some(best.mv);
        }
        if urgent {
            // It looks elsewhere.
            let near: Vec<Cell> = board
                .free_points()
                .filter(|&it| board.is_near(it))
                .collect();
            let nth = rng.below(near.len() as u32) as usize;
            return Some(near.get(nth).map_or(best.mv, |&cell| board::point(cell)));
        }
        let nth = rng.below(moves.len().min(self.strength.among) as u32) as usize;
        Some(moves[nth].mv)
    }
}

fn table_bytes(limits: Limits) -> usize {
    limits.memory.saturating_sub(FIXED_MEMORY) / 2
}

/// A value of the search as a share of a win.
fn share(value: i16) -> f32 {
    if value.abs() > WINNING {
        return f32::from(value.signum());
    }
    // A value below a win, and never quite one.
    debug_assert!(value.abs() < WIN);
    let value = f32::from(value);
    value / (value.abs() + HALF_WIN)
}
