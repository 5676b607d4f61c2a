//! The main search: `NegaScout` with iterative deepening, as a machine with a stack of its own, so that it can stop after any
//! node and go on later.

mod entry;
mod frame;
mod iteration;
mod move_order;
mod value;
mod visit;

pub(super) use value::{WIN, WINNING};

use self::{
    frame::{Frame, Ranked, Task},
    value::INFINITE,
};
use super::{
    board::{Board, CELLS, Cell, NOWHERE},
    fours::Fours,
    table::Table,
};
use crate::Rng;

/// Plies of the longest line.
const PLIES: usize = 128;

/// Nodes of a four-threat search at a leaf.
pub(super) const QUIET_FOURS: u64 = 64;

/// Moves that are looked at in a position, besides forced ones.
const WIDTH: usize = 60;

/// Moves of the reported line of play, at most.
const LINE: usize = 16;

/// The search of a position.
#[derive(Clone, Debug)]
pub(super) struct Search {
    board: Board,
    table: Table,
    fours: Fours,
    frames: Vec<Frame>,
    moves: Vec<Ranked>,
    killers: Vec<[Cell; 2]>,
    /// The last move that refuted a move of each colour.
    counters: Vec<[Cell; 2]>,
    task: Task,
    depth: i16,
    most_depth: i16,
    window: [i16; 2],
    /// The distance of the window's bounds from the last value.
    reach: i16,
    pub root: Vec<RootMove>,
    /// The line of play that was expected when the last iteration ended.
    pub line: Vec<Cell>,
    pub done: bool,
    nodes: u64,
    fours_nodes: u64,
    rng: Rng,
}

/// A move of the root and its results.
#[derive(Clone, Copy, Debug)]
pub(super) struct RootMove {
    pub mv: Cell,
    pub value: i16,
    pub depth: i16,
}

impl Search {
    /// The search of a position, with a table of about `bytes`.
    pub(super) fn new(board: Board, bytes: usize, depth: u16, seed: u64) -> Self {
        let mut search = Self {
            table: Table::new(bytes),
            fours: Fours::new(),
            frames: Vec::with_capacity(PLIES + 1),
            moves: Vec::with_capacity(PLIES * WIDTH + 512),
            killers: vec![[NOWHERE; 2]; PLIES + 1],
            counters: vec![[NOWHERE; 2]; CELLS],
            task: Task::Iterate,
            depth: 0,
            most_depth: 0,
            window: [-INFINITE, INFINITE],
            reach: 0,
            root: Vec::with_capacity(512),
            line: Vec::with_capacity(LINE),
            done: false,
            nodes: 0,
            fours_nodes: 0,
            rng: Rng::new(seed),
            board,
        };
        search.begin(depth);
        search
    }

    /// Begins the search of another position; the table stays, unless the rule or the size is another.
    pub(super) fn set_board(&mut self, board: Board, depth: u16, seed: u64) {
        if self.board.setup() != board.setup() {
            self.table.clear();
            self.fours = Fours::new();
        }
        self.board = board;
        self.rng = Rng::new(seed);
        self.begin(depth);
    }

    fn begin(&mut self, depth: u16) {
        self.frames.clear();
        self.moves.clear();
        self.killers.fill([NOWHERE; 2]);
        self.counters.fill([NOWHERE; 2]);
        self.task = Task::Iterate;
        self.depth = 0;
        self.most_depth = depth.min(60) as i16;
        self.window = [-INFINITE, INFINITE];
        self.line.clear();
        self.done = false;
        self.nodes = 0;
        self.fours_nodes = 0;
        self.root.clear();
        self.list_moves(NOWHERE);
        // Equal moves come in an order that the seed decides.
        for ranked in &mut self.moves {
            ranked.rank = ranked.rank * 8 + self.rng.below(8) as i32;
        }
        self.moves.sort_by_key(|ranked| -ranked.rank);
        let root = self.moves.drain(..).map(|ranked| RootMove {
            mv: ranked.mv,
            value: -INFINITE,
            depth: 0,
        });
        self.root.extend(root);
        self.done = self.root.is_empty();
    }

    /// Positions searched, those by the four-threat search included.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes + self.fours_nodes
    }

    /// Searches so many nodes further, or a few more, unless it is done before.
    pub(super) fn work(&mut self, budget: u64) {
        let end = self.nodes().saturating_add(budget);
        while !self.done && self.nodes() < end {
            self.task = match self.task {
                Task::Iterate => self.iterate(),
                Task::Enter(call) => self.enter(call),
                Task::Advance => self.advance(),
                Task::Return(value) if self.frames.is_empty() => self.finish_iteration(value),
                Task::Return(value) => self.receive(value),
            };
        }
    }
}
