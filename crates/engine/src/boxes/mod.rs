//! The engine of Dots and Boxes.
//!
//! It searches in capture normal form ([`strings`]): free boxes are taken, and the only choice about them is whether the last two
//! boxes of a chain (four of a loop) are left, so that the other side has to move. Near the end an alpha-beta search finds the
//! exact value ([`solver`]); before that a Monte Carlo tree search plays safe moves at random and then counts ([`tree`],
//! [`playout`]).
//!
//! A node is a game of the tree search or a position of the solver.

mod captures;
mod graph;
mod levels;
mod loony;
mod playout;
mod set;
mod solver;
mod strings;
mod symmetry;
mod table;
mod tree;

#[cfg(test)]
mod tests;

use self::{
    captures::Captures,
    graph::{GROUND, Graph},
    levels::Strength,
    set::{LineSet, Wide},
    solver::Solver,
    tree::{Edge, Node, Tree},
};
use crate::{Candidate, Engine, Limits, Progress, Report, Rng};
use tochki_rules::{
    Game, Seat,
    boxes::{Boxes, Line, Setup},
};

/// Games of the tree search before the solver begins, so that it has a value to guess, and a move if it does not finish.
const GAMES_FIRST: u64 = 512;

/// Games of the tree search beside the solver.
const GAMES_BESIDE: u64 = 30_000;

/// Games of one tree search at most.
const MAX_GAMES: u64 = 20_000_000;

/// Games, and positions of the solver, that are searched at a stretch.
const STRETCH: (u64, u64) = (64, 1024);

/// Memory of the engine besides the tree and the table, in bytes: graphs, stacks, buffers.
const FIXED_MEMORY: usize = 384 << 10;

/// The search of a position of Dots and Boxes.
#[derive(Clone, Debug)]
pub struct BoxesEngine {
    setup: Setup,
    graph: Graph<Wide>,
    free: Wide,
    captures: Captures<Wide>,
    /// The lead of the side to move.
    margin: i16,
    over: bool,
    limits: Limits,
    strength: Strength,
    seed: u64,
    tree: Option<Tree>,
    solver: Option<Solver>,
    stage: Stage,
    nodes: u64,
    /// The line of play that the solver expects, once it is done: numbers of its graph.
    expected: Vec<u8>,
}

/// The state of the solver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    /// There are too many lines for the solver.
    Absent,
    /// The solver waits for a guess.
    Waiting,
    /// The solver works.
    Working,
    /// The value is known.
    Solved,
}

impl Engine for BoxesEngine {
    type Game = Boxes;

    fn new(position: &Boxes, limits: Limits, seed: u64) -> Self {
        let (graph, free) = wide(position);
        let mut engine = Self {
            setup: *position.setup(),
            captures: Captures::new(&graph, free),
            graph,
            free,
            margin: 0,
            over: true,
            limits,
            strength: Strength::of(limits.level),
            seed,
            tree: None,
            solver: None,
            stage: Stage::Absent,
            nodes: 0,
            expected: Vec::new(),
        };
        engine.set_position(position, limits, seed);
        engine
    }

    fn set_position(&mut self, position: &Boxes, limits: Limits, seed: u64) {
        // The table is of use as long as the lines keep their numbers.
        let keeps_table = self.setup == *position.setup()
            && usize::from(self.setup.line_count()) <= solver::MAX_LINES
            && self.limits.memory == limits.memory;
        self.setup = *position.setup();
        (self.graph, self.free) = wide(position);
        self.captures = Captures::new(&self.graph, self.free);
        self.limits = limits;
        self.strength = Strength::of(limits.level);
        self.seed = seed;
        self.nodes = 0;
        self.expected.clear();
        self.tree = None;
        if !keeps_table {
            self.solver = None;
        }
        let mover = position.to_move();
        self.over = mover.is_none();
        let seat = mover.unwrap_or(Seat::First);
        let score = position.score();
        self.margin = score[seat.index()] as i16 - score[seat.other().index()] as i16;
        self.stage = Stage::Absent;
        if self.over {
            return;
        }
        let memory = limits.memory.saturating_sub(FIXED_MEMORY);
        self.tree = Some(Tree::new(
            self.graph.clone(),
            &self.captures,
            (self.margin, seat == Seat::First),
            (limits.depth, memory / 4, seed),
        ));
        let lines = self.captures.rest.count();
        if lines <= self.strength.solved_lines.min(u32::from(limits.depth)) {
            self.stage = Stage::Waiting;
            if self.solver.is_none() {
                self.solver = Graph::new(position)
                    .map(|(graph, free)| Solver::new(graph, free, 0.0, memory / 2));
            }
        }
    }

    fn step(&mut self, budget: u64) -> Progress {
        let end = self.nodes.saturating_add(budget);
        while !self.is_done() && self.nodes < end {
            self.work();
        }
        if self.is_done() {
            Progress::Done
        } else {
            Progress::Running
        }
    }

    fn best(&self) -> Report<Line> {
        let moves = if self.captures.boxes > 0 {
            self.capturing_moves()
        } else {
            self.opening_moves()
        };
        Report {
            choice: self.choice(&moves),
            moves,
            nodes: self.nodes,
            settled: self.over,
        }
    }
}

impl BoxesEngine {
    fn is_done(&self) -> bool {
        let Some(tree) = &self.tree else {
            return true;
        };
        self.stage == Stage::Solved
            || self.nodes >= self.limits.nodes.min(self.strength.nodes)
            || tree.iterations() >= MAX_GAMES
    }

    /// Searches for a stretch. The next stretch depends only on the work done, so steps of any size search the same.
    fn work(&mut self) {
        let Some(tree) = &mut self.tree else {
            return;
        };
        let rest = self.limits.nodes.min(self.strength.nodes) - self.nodes;
        let games = tree.iterations();
        let solver = self.solver.as_mut();
        if let (Stage::Waiting, Some(solver)) = (self.stage, solver)
            && games >= GAMES_FIRST
        {
            let guess = guess(tree, &self.captures, self.margin);
            let root = transferred(&self.graph, self.captures.rest, solver.graph());
            solver.set_root(root, guess);
            self.stage = Stage::Working;
        }
        let solver = self.solver.as_mut();
        if let (Stage::Working, Some(solver)) = (self.stage, solver) {
            // Turns: the solver is as far as the tree, in stretches, until the tree has enough.
            let due = (games - GAMES_FIRST) / STRETCH.0 >= solver.nodes() / STRETCH.1;
            if due || games >= GAMES_BESIDE {
                let before = solver.nodes();
                solver.work(rest.min(STRETCH.1));
                self.nodes += (solver.nodes() - before).max(1);
                if solver.value().is_some() {
                    self.stage = Stage::Solved;
                    self.expected = solver.line_of_play();
                }
                return;
            }
        }
        let games = rest.min(STRETCH.0);
        tree.work(games);
        self.nodes += games;
    }

    /// The value of the rest when all free boxes are taken, for the side that moves then.
    fn value_of_rest(&self) -> Option<i16> {
        (self.stage == Stage::Solved)
            .then(|| self.solver.as_ref()?.value())
            .flatten()
    }

    /// The two capturing moves: taking all, and leaving the last boxes.
    fn capturing_moves(&self) -> Vec<Candidate<Line>> {
        let Some(tree) = &self.tree else {
            return Vec::new();
        };
        let Captures { take, leave, .. } = self.captures;
        let known = self.value_of_rest();
        let children = tree.children(tree.root());
        let candidate = |line: u8, edge: Edge| {
            let node = children.iter().find(|node| node.edge == edge);
            let mean = node.map_or(f32::from(self.margin), |node| tree.mean(node));
            let value = known.map(|rest| self.margin + self.value_of_capture(line, rest));
            let mv = self.graph.lines[usize::from(line)];
            Candidate {
                mv,
                value: value.map_or(mean, f32::from),
                exact: value.is_some(),
                visits: node.map_or(0, |node| u64::from(node.visits)),
                depth: self.depth(value.is_some()),
                pv: vec![mv],
            }
        };
        let all = take.map(|line| candidate(line, Edge::TakeAll));
        let some = leave.map(|leave| candidate(leave.line, Edge::Leave));
        let mut moves: Vec<_> = all.into_iter().chain(some).collect();
        // Until the value is known, all is taken.
        match (known, leave) {
            (Some(rest), Some(leave)) if rest + i16::from(leave.boxes) < 0 => moves.reverse(),
            (Some(_), _) => {}
            (None, _) => moves.sort_by_key(|one| std::cmp::Reverse(one.visits)),
        }
        if !self.strength.leaves {
            moves
                .retain(|one| Some(one.mv) == take.map(|line| self.graph.lines[usize::from(line)]));
        }
        moves.dedup_by_key(|one| one.mv);
        moves
    }

    /// The gain of the side to move by a line that captures or leaves boxes, if the rest after all captures is worth `rest` to
    /// the side that moves then. After a capture it can often still choose between taking all and leaving some.
    fn value_of_capture(&self, line: u8, rest: i16) -> i16 {
        let after = self.free.without(line);
        let ends = self.graph.ends[usize::from(line)].iter();
        let taken = ends.filter(|&&end| end != GROUND && self.graph.degree(after, end) == 0);
        let value = Captures::new(&self.graph, after).value(rest);
        match taken.count() as i16 {
            0 => -value,
            taken => taken + value,
        }
    }

    /// Strings that may be opened, the best first.
    fn opening_moves(&self) -> Vec<Candidate<Line>> {
        let Some(tree) = &self.tree else {
            return Vec::new();
        };
        let mut nodes: Vec<&Node> = tree.children(tree.root()).iter().collect();
        nodes.sort_by_key(|node| std::cmp::Reverse(node.visits));
        let mut moves: Vec<_> = nodes
            .into_iter()
            .filter_map(|node| self.tree_candidate(tree, node))
            .collect();
        if moves.is_empty() {
            let first = self
                .free
                .first()
                .map(|line| self.graph.lines[usize::from(line)]);
            moves.extend(first.map(|mv| Candidate {
                mv,
                value: f32::from(self.margin),
                exact: false,
                visits: 0,
                depth: 0,
                pv: vec![mv],
            }));
        }
        self.put_solved_first(&mut moves);
        moves
    }

    /// Puts the solver's best move before the moves of the tree.
    fn put_solved_first(&self, moves: &mut Vec<Candidate<Line>>) {
        let Some(solver) = self.solver.as_ref() else {
            return;
        };
        let [low, high] = solver.bounds();
        let proved = match self.stage {
            Stage::Solved => true,
            // A proved bound is worth more than the mean of games, unless it is lower.
            Stage::Working => {
                let expected = moves.first().map_or(f32::MIN, |first| first.value);
                f32::from(self.margin + low) + 0.5 >= expected
            }
            Stage::Absent | Stage::Waiting => false,
        };
        if !proved {
            return;
        }
        let exact = low == high;
        let line_of = |line: u8| self.free_twin(solver.graph().lines[usize::from(line)]);
        let best = solver.best().and_then(line_of);
        let Some(mv) = best.or_else(|| moves.first().map(|first| first.mv)) else {
            return;
        };
        let visits = moves.iter().find(|one| one.mv == mv);
        let visits = visits.map_or(0, |one| one.visits);
        moves.retain(|one| one.mv != mv);
        let mut pv: Vec<_> = self
            .expected
            .iter()
            .map_while(|&line| line_of(line))
            .collect();
        if pv.first() != Some(&mv) {
            pv = vec![mv];
        }
        // The values of the other moves by games cannot exceed this value.
        let value = f32::from(self.margin + low);
        for other in moves.iter_mut().filter(|_| exact) {
            other.value = other.value.min(value);
        }
        let depth = self.depth(exact);
        moves.insert(
            0,
            Candidate {
                mv,
                value,
                exact,
                visits,
                depth,
                pv,
            },
        );
    }

    fn depth(&self, exact: bool) -> u16 {
        if exact { self.free.count() as u16 } else { 0 }
    }

    fn tree_candidate(&self, tree: &Tree, node: &Node) -> Option<Candidate<Line>> {
        let Edge::Open(line) = node.edge else {
            return None;
        };
        let mut pv = Vec::new();
        let mut next = Some(node);
        while let Some(node) = next.filter(|node| node.visits > 0 || pv.is_empty()) {
            let Edge::Open(line) = node.edge else { break };
            pv.push(self.graph.lines[usize::from(line)]);
            next = tree.favourite(node);
        }
        Some(Candidate {
            mv: self.graph.lines[usize::from(line)],
            value: tree.mean(node),
            exact: false,
            visits: u64::from(node.visits),
            depth: 0,
            pv,
        })
    }

    /// The line itself if it is free, or else its equivalent that leads to the ground from the same corner.
    fn free_twin(&self, line: Line) -> Option<Line> {
        let number = self.graph.number(line)?;
        if self.free.has(number) {
            return Some(line);
        }
        let corner = self
            .graph
            .corners
            .iter()
            .find(|pair| pair.contains(&number))?;
        let twin = corner.iter().copied().find(|&it| self.free.has(it))?;
        Some(self.graph.lines[usize::from(twin)])
    }

    /// The move to play: the best one, or by a draw another one.
    fn choice(&self, moves: &[Candidate<Line>]) -> Option<Line> {
        let best = moves.first()?;
        // From the third level on there is no random move while boxes can be taken.
        if self.captures.boxes > 0 && self.strength.loss.is_some() {
            return Some(best.mv);
        }
        // The draw depends on the position, too, so that a seed does not err at every move or at none.
        let drawn = self.free.iter().fold(0, |sum, word| table::mix(sum ^ word));
        let mut rng = Rng::new(self.seed ^ drawn);
        if rng.below(256) >= self.strength.random {
            return Some(best.mv);
        }
        match self.strength.loss {
            None => {
                let nth = rng.below(self.free.count()) as usize;
                let line = self.free.numbers().nth(nth)?;
                Some(self.graph.lines[usize::from(line)])
            }
            Some(loss) => {
                let near: Vec<_> = moves
                    .iter()
                    .filter(|one| one.visits > 0 && one.value >= best.value - loss)
                    .collect();
                let nth = rng.below(near.len() as u32) as usize;
                Some(near.get(nth).map_or(best.mv, |one| one.mv))
            }
        }
    }
}

/// The graph that has room for all lines of any board.
fn wide(position: &Boxes) -> (Graph<Wide>, Wide) {
    let graph = Graph::new(position);
    graph.expect("a board has at most 220 lines")
}

/// These lines by their numbers in another graph of the board.
fn transferred(from: &Graph<Wide>, lines: Wide, to: &Graph<u64>) -> u64 {
    lines
        .numbers()
        .filter_map(|line| to.number(from.lines[usize::from(line)]))
        .fold(0, LineSet::with)
}

/// The tree's expectation of the rest, for the side that moves when all free boxes are taken.
fn guess(tree: &Tree, captures: &Captures<Wide>, margin: i16) -> f32 {
    let root = tree.root();
    let taken = f32::from(margin) + f32::from(captures.boxes);
    let all = tree
        .children(root)
        .iter()
        .find(|node| node.edge == Edge::TakeAll)
        .unwrap_or(root);
    tree.mean(all) - taken
}
