//! The engine: iterative deepening over the moves of a position, and then its end.

use super::{
    board::{Board, squares},
    evaluation::{UNIT, Weights},
    levels::{Strength, strength},
    search::{Goal, INFINITE, Search, hash},
    table::NOWHERE,
};
use crate::{Candidate, Engine, Limits, Progress, Report, Rng};
use tochki_rules::{Point, reversi::Reversi};

/// The engine of Reversi. A node is a position that was looked at.
///
/// Values are differences of discs. The table takes what `limits.memory` leaves, but the engine needs
/// [`ReversiEngine::MIN_MEMORY`]. The trained weights are shared by all engines of the process.
#[derive(Debug)]
pub struct ReversiEngine {
    board: Board,
    limits: Limits,
    strength: Strength,
    seed: u64,
    search: Search,
    /// The moves, the best so far first.
    moves: Vec<Root>,
    stage: Stage,
    done: bool,
}

/// A move and its results.
#[derive(Clone, Copy, Debug)]
struct Root {
    square: u8,
    after: Board,
    /// The value in eighths of a disc.
    value: i32,
    exact: bool,
    depth: u32,
}

/// The state of the iterative deepening.
#[derive(Clone, Copy, Debug)]
struct Stage {
    goal: Goal,
    depth: u32,
    /// The number of moves that are done.
    at: usize,
    /// The move that is being searched, if its search has begun.
    now: Option<usize>,
    /// The window of the search, in its units.
    alpha: i32,
    beta: i32,
    /// The amount by which the window widens.
    step: i32,
    /// The best value of this iteration, in its units.
    best: i32,
}

/// Memory of the lists of moves and of the reports, in bytes: neither weights nor table nor stack.
const OTHER_BYTES: usize = 128 << 10;

const _: () = assert!(Weights::BYTES + Search::BYTES + OTHER_BYTES <= ReversiEngine::MIN_MEMORY);

/// The number of plies that the search of the end has more than the last search of the middle before it.
const LEAD: u32 = 10;

/// The longest line that is reported.
const LONGEST_LINE: usize = 20;

impl ReversiEngine {
    /// Bytes that the engine takes at least, with the trained weights. The number is the same on all platforms, as the size of
    /// the table changes the result.
    pub const MIN_MEMORY: usize = 2 << 20;

    /// The search of a position given by its discs; see [`Engine::new`].
    #[must_use]
    pub fn with_board(board: Board, limits: Limits, seed: u64) -> Self {
        let bytes = limits.memory.saturating_sub(Self::MIN_MEMORY);
        let mut engine = Self {
            board,
            limits,
            strength: strength(limits.level),
            seed,
            search: Search::new(bytes),
            moves: Vec::with_capacity(64),
            stage: Stage::of(Goal::Middle, 0),
            done: false,
        };
        engine.set_board(board, limits, seed);
        engine
    }

    /// Begins the search of any two sets of discs that have no square in common.
    pub fn set_board(&mut self, board: Board, limits: Limits, seed: u64) {
        self.board = board;
        self.limits = limits;
        self.strength = strength(limits.level);
        self.seed = seed;
        self.search.nodes = 0;
        self.search.table.next_generation();
        self.moves.clear();
        for square in squares(board.legal()) {
            let after = board.after(square, board.flips(square));
            let value = -self.search.value_of(after);
            self.moves.push(Root {
                square,
                after,
                value,
                exact: false,
                depth: 0,
            });
        }
        self.moves.sort_by_key(|root| (-root.value, root.square));
        self.done = self.moves.is_empty();
        self.begin(Goal::Middle, 1);
    }

    /// Begins an iteration, or goes to the end where the depth reaches it.
    fn begin(&mut self, goal: Goal, depth: u32) {
        let empties = self.board.empties();
        let goal = if depth >= empties { Goal::End } else { goal };
        let depth = if goal == Goal::End { empties } else { depth };
        self.stage = Stage::of(goal, depth);
    }

    /// Begins the next iteration: the next depth, or the end of the game if it is near enough for the depth that was reached; so
    /// that a long search of the end begins with a good order of moves, and only when a deeper search of the middle would take
    /// long, too.
    fn after_iteration(&mut self) {
        let Stage { goal, depth, .. } = self.stage;
        let empties = self.board.empties();
        if goal == Goal::End {
            self.done = true;
            return;
        }
        let deepest = self.strength.depth.min(u32::from(self.limits.depth));
        let to_the_end = empties <= self.strength.exact
            && empties <= u32::from(self.limits.depth)
            && (depth + LEAD >= empties || depth >= deepest);
        if to_the_end {
            self.begin(Goal::End, empties);
        } else if depth < deepest {
            self.begin(Goal::Middle, depth + 1);
        } else {
            self.done = true;
        }
    }

    /// The unit of the values of this iteration, in eighths of a disc.
    const fn unit(&self) -> i32 {
        match self.stage.goal {
            Goal::Middle => 1,
            Goal::End => UNIT,
        }
    }

    /// Begins the search of the next move with a window that is as small as may be.
    fn begin_move(&mut self) {
        let Stage {
            goal,
            depth,
            at,
            best,
            ..
        } = self.stage;
        let value = self.moves[at].value;
        let margin = self.strength.margin;
        let (alpha, beta) = if margin > 0 {
            (best - margin / self.unit() - 1, INFINITE)
        } else if at > 0 {
            (best, best + 1)
        } else if goal == Goal::End {
            // If the board becomes full the difference is even.
            let guess = (value + UNIT).div_euclid(2 * UNIT) * 2;
            (guess - 1, guess + 1)
        } else if depth > 4 {
            (value - 2 * UNIT, value + 2 * UNIT)
        } else {
            (-INFINITE, INFINITE)
        };
        self.stage.step = 4 * UNIT / self.unit();
        self.search_move(at, alpha, beta);
    }

    fn search_move(&mut self, number: usize, alpha: i32, beta: i32) {
        let (alpha, beta) = (alpha.max(-INFINITE), beta.min(INFINITE));
        let Stage { goal, depth, .. } = self.stage;
        self.stage.now = Some(number);
        (self.stage.alpha, self.stage.beta) = (alpha, beta);
        let after = self.moves[number].after;
        self.search.start(after, goal, depth - 1, -beta, -alpha);
    }

    /// Takes the value of the move that was searched: a bound if it is not within the window, which is then widened where that
    /// matters. The other side of the window stays, so that the search comes to an end even if its cuts contradict each other.
    fn take(&mut self, number: usize, value: i32) {
        let unit = self.unit();
        let Stage {
            goal,
            depth,
            at,
            alpha,
            beta,
            step,
            best,
            ..
        } = self.stage;
        let root = &mut self.moves[number];
        (root.value, root.depth) = (value * unit, depth);
        root.exact = goal == Goal::End && alpha < value && value < beta;
        let number = if value > best {
            // The move is the best one, which is worth knowing even if the time ends before its value is known.
            self.moves[..=number].rotate_right(1);
            0
        } else {
            number
        };
        if value >= beta && beta < INFINITE {
            self.stage.step = 2 * step;
            self.search_move(number, alpha, value + step);
        } else if value <= alpha && at == 0 && alpha > -INFINITE && beta - alpha > 1 {
            self.stage.step = 2 * step;
            self.search_move(number, value - step, beta);
        } else {
            self.stage.best = best.max(value);
            self.stage.now = None;
            self.stage.at = at + 1;
        }
    }

    /// The moves that the level may choose from: a part of the list from its beginning.
    fn choices(&self) -> &[Root] {
        let Some(best) = self.moves.first() else {
            return &[];
        };
        let few = |root: &Root| root.value >= best.value - self.strength.margin;
        let count = if self.strength.margin > 0 {
            self.moves.iter().take_while(|root| few(root)).count()
        } else {
            1
        };
        &self.moves[..count]
    }

    /// The line that is expected after a move, as far as the table knows it.
    fn line(&self, root: &Root, goal: Goal) -> Vec<Point> {
        let mut line = vec![point(root.square)];
        let mut board = root.after;
        while line.len() < LONGEST_LINE {
            if board.legal() == 0 {
                board = board.passed();
            }
            let known = self.search.table.get(hash(board, goal));
            let Some(square) = known.map(|entry| entry.moves[0]) else {
                break;
            };
            if square == NOWHERE || board.legal() >> square & 1 == 0 {
                break;
            }
            line.push(point(square));
            board = board.after(square, board.flips(square));
        }
        line
    }
}

impl Stage {
    const fn of(goal: Goal, depth: u32) -> Self {
        Self {
            goal,
            depth,
            at: 0,
            now: None,
            alpha: 0,
            beta: 0,
            step: 0,
            best: -INFINITE,
        }
    }
}

const fn point(square: u8) -> Point {
    Point::new(square % 8, square / 8)
}

impl Engine for ReversiEngine {
    type Game = Reversi;

    fn new(position: &Reversi, limits: Limits, seed: u64) -> Self {
        Self::with_board(Board::of(position), limits, seed)
    }

    fn set_position(&mut self, position: &Reversi, limits: Limits, seed: u64) {
        self.set_board(Board::of(position), limits, seed);
    }

    fn step(&mut self, budget: u64) -> Progress {
        let until = self.search.nodes.saturating_add(budget);
        while !self.done {
            let Some(number) = self.stage.now else {
                if self.stage.at == self.moves.len() {
                    if self.strength.margin > 0 {
                        self.moves.sort_by_key(|root| -root.value);
                    }
                    self.after_iteration();
                } else {
                    self.begin_move();
                }
                continue;
            };
            let most = self.limits.nodes;
            match self.search.run(until.min(most)) {
                Some(value) => self.take(number, -value),
                None if self.search.nodes >= most => self.done = true,
                None => return Progress::Running,
            }
        }
        Progress::Done
    }

    fn best(&self) -> Report<Point> {
        let choices = self.choices();
        // The draw depends on the position, too, so that a seed does not err at every move or at none.
        let drawn = Rng::new(self.seed ^ self.board.hash()).below(choices.len() as u32);
        let candidate = |root: &Root| Candidate {
            mv: point(root.square),
            value: root.value as f32 / UNIT as f32,
            exact: root.exact,
            visits: 0,
            depth: root.depth as u16,
            pv: self.line(root, self.stage.goal),
        };
        Report {
            choice: choices.get(drawn as usize).map(|root| point(root.square)),
            moves: self.moves.iter().map(candidate).collect(),
            nodes: self.search.nodes,
            settled: self.moves.is_empty(),
        }
    }
}
