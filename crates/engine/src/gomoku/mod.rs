//! The engine of Gomoku.
//!
//! A board of its own keeps for every free point the class of each of its four lines with a stone of either colour ([`board`],
//! [`classes`], [`weights`]). Victories by fours ([`fours`]) and by threes ([`threes`]) are looked for first, which are proofs;
//! the main search goes deeper and deeper ([`search`]). The weights of the evaluation and of the order of moves are trained on
//! own games ([`training`] is the interface for the trainer).
//!
//! A node is a position, of whichever search.

mod board;
mod classes;
mod fours;
mod levels;
mod mixing;
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
    fours::{Fours, Verdict},
    levels::Strength,
    search::{Search, WIN, WINNING},
    threes::Threes,
    weights::Threat,
};
use crate::{Candidate, Engine, Limits, Progress, Report, Rng};
use std::sync::Arc;
use tochki_rules::{Game, Point, gomoku::Gomoku};

/// Memory of the engine besides the transposition table, in bytes: boards, tables of classes, stacks.
const FIXED_MEMORY: usize = 1 << 20;

/// Nodes that are searched at a stretch.
const STRETCH: u64 = 512;

/// Nodes of the first search for a victory by fours, and by threes; each further one has four times as many.
const FIRST_FOURS: u64 = 2_000;

/// The evaluation that is half a win.
const HALF_WIN: f32 = 400.0;

/// A solver, which looks for proofs.
#[derive(Clone, Copy, Debug)]
enum Solver {
    Fours,
    Threes,
}

/// The search of a position of Gomoku.
#[derive(Clone, Debug)]
pub struct GomokuEngine {
    tables: Arc<Tables>,
    /// The position at the root; the search has a board of its own, which is on the way.
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
    /// Nodes of both solvers.
    solver_nodes: u64,
    /// The solver that is on its way, on a board of its own.
    solver: Option<Solver>,
    solver_board: Board,
    /// The line that wins for certain, or its first move, and the number of plies.
    proof: Option<(Vec<Cell>, i16)>,
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
        self.solver_board = self.root.clone();
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
            self.work(end - self.nodes());
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
    /// Begins a search as [`Engine::new`] does, with other weights than those of the engine.
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
            solver: None,
            solver_board: root.clone(),
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
        self.solver = None;
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

    /// Searches so many nodes further, or a few more: for a victory by fours or threes now and then, each time farther, and
    /// otherwise the main search. The choice between them depends on the nodes alone, not on the budget.
    fn work(&mut self, budget: u64) {
        let rest = self.limit() - self.nodes();
        let budget = budget.min(rest);
        if let Some(solver) = self.solver {
            self.solve(solver, budget);
            return;
        }
        let solvers_left = self.fours_limit > 0 || self.threes_limit > 0;
        // The solvers get a third of all nodes, as long as they have anything to look for.
        let turn = (self.solver_nodes * 2).saturating_sub(self.search.nodes());
        if solvers_left && turn == 0 {
            let most = rest / 3;
            self.solver = Some(if self.fours_limit > 0 {
                self.fours.begin(self.fours_limit.min(most));
                Solver::Fours
            } else {
                self.threes.begin(self.threes_limit.min(most));
                Solver::Threes
            });
            return;
        }
        let turn = if solvers_left { turn } else { u64::MAX };
        self.search.work(budget.min(turn).min(STRETCH));
    }

    fn solve(&mut self, solver: Solver, budget: u64) {
        let board = &mut self.solver_board;
        let (verdict, nodes) = match solver {
            Solver::Fours => {
                let before = self.fours.nodes();
                let verdict = self.fours.work(board, budget);
                (verdict, self.fours.nodes() - before)
            }
            Solver::Threes => {
                let before = self.threes.nodes();
                let verdict = self.threes.work(board, budget);
                (verdict, self.threes.nodes() - before)
            }
        };
        self.solver_nodes += nodes;
        let Some(verdict) = verdict else { return };
        self.solver = None;
        let (limit, most) = match solver {
            Solver::Fours => (&mut self.fours_limit, self.strength.fours),
            Solver::Threes => (&mut self.threes_limit, self.strength.threes),
        };
        // The next search looks at four times as many positions.
        *limit = if verdict == Verdict::Cut && *limit < most {
            (*limit * 4).min(most)
        } else {
            0
        };
        if let Verdict::Won(plies) = verdict {
            let line = match solver {
                Solver::Fours => self.fours.line().collect(),
                Solver::Threes => vec![self.threes.first()],
            };
            self.proof = Some((line, plies));
        }
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
            let line = &self.search.line[..];
            let first = line.first() == Some(&root.mv);
            let pv = if first { line } else { &[root.mv] };
            let known = self.static_value(root.mv);
            let searched = if root.depth == 0 {
                0.0
            } else {
                share(root.value)
            };
            Candidate {
                mv,
                value: known.unwrap_or(searched),
                exact: known.is_some(),
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

    /// The value of a move that is known without a search: five, an open four that nothing answers, or a move that leaves the
    /// other side a five.
    fn static_value(&self, mv: Cell) -> Option<f32> {
        let board = &self.root;
        let own = board.side();
        let fives = board.count(1 - own, Threat::Five);
        match board.threat(own, mv) {
            Threat::Five => Some(1.0),
            Threat::OpenFour if fives == 0 => Some(1.0),
            _ => (fives > 1).then_some(-1.0),
        }
    }

    /// The move to play: the best one, or by a draw another one.
    fn choice(&self, moves: &[Candidate<Point>]) -> Option<Point> {
        let best = moves.first()?;
        let board = &self.root;
        let urgent = (0..2).any(|colour| board.count(colour, Threat::Five) > 0);
        let threatened = (0..2).any(|colour| board.count(colour, Threat::OpenFour) > 0);
        if urgent && self.strength.awake
            || self.strength.careful && (threatened || best.value >= 1.0)
            || best.exact && best.value > 0.0
        {
            return Some(best.mv);
        }
        // The draw depends on the position, too, so that a seed does not err at every move or at none.
        let mut rng = Rng::new(self.seed ^ board.hash());
        if rng.below(256) >= self.strength.random {
            return Some(best.mv);
        }
        if urgent {
            // The level looks elsewhere.
            let near: Vec<Cell> = board
                .free_points()
                .filter(|&it| board.is_near(it))
                .collect();
            let nth = rng.below(near.len() as u32) as usize;
            return Some(near.get(nth).map_or(best.mv, |&cell| board::point(cell)));
        }
        let lost = |one: &&Candidate<Point>| self.strength.careful && one.value <= -1.0;
        let among = moves.iter().take(self.strength.among);
        let drawn: Vec<_> = among.filter(|one| !lost(one)).collect();
        let nth = rng.below(drawn.len() as u32) as usize;
        Some(drawn.get(nth).map_or(best.mv, |one| one.mv))
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
