//! Alpha-beta search that can be interrupted anywhere: principal variation search on a stack of its own.
//!
//! In the *middle* of the game it searches to a depth and takes the evaluation for the value, in eighths of a disc; below
//! [`LEAF`] plies `shallow` goes on. At the *end* it searches to the end of the game, in discs, and from
//! [`endgame::MAX_EMPTIES`] empty squares on `endgame` does. Both recurse, and never for long.

use super::{
    board::{Board, squares},
    endgame::{self, Endgame, bound, stability_pays},
    evaluation::{LIMIT, UNIT, Weights},
    last::quarter,
    probcut,
    shallow::Shallow,
    table::{NOWHERE, Table},
};

/// The depth up to which the middle game is searched by recursion.
const LEAF: u32 = 3;

/// A value beyond every other.
pub(super) const INFINITE: i32 = 10_000;

/// The goal of a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Goal {
    /// The value after so many plies, in eighths of a disc.
    Middle,
    /// The value at the end of the game, in discs.
    End,
}

/// The state of a frame, for when the value of the frame above has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum State {
    /// The frame is new.
    Enter,
    /// A shallower search of the same position (Multi-ProbCut) has to tell whether the value is at least the bound.
    ProbeHigh(i32),
    /// Such a search has to tell whether the value is at most the bound.
    ProbeLow(i32),
    /// A move is being searched, with a null window or the whole one.
    Child { null: bool },
}

#[derive(Clone, Copy, Debug, Default)]
struct Move {
    after: Board,
    hash: u64,
    score: i32,
    square: u8,
}

/// The most moves of any position.
const MAX_MOVES: usize = 34;

#[derive(Clone, Debug)]
struct Frame {
    board: Board,
    hash: u64,
    goal: Goal,
    depth: u32,
    alpha: i32,
    beta: i32,
    /// The bound that the next move has to beat.
    low: i32,
    best: i32,
    best_move: u8,
    state: State,
    next: usize,
    count: usize,
    moves: [Move; MAX_MOVES],
}

/// A search on a stack.
#[derive(Debug)]
pub(super) struct Search {
    pub(super) table: Table,
    weights: &'static Weights,
    frames: Vec<Frame>,
    /// The number of frames in use.
    used: usize,
    /// The value of the frame that was left last.
    value: i32,
    /// Positions seen so far.
    pub(super) nodes: u64,
}

/// The request of a position: the value of another one, or nothing more, as its own is known.
enum Turn {
    Call {
        board: Board,
        hash: u64,
        depth: u32,
        alpha: i32,
        beta: i32,
    },
    Return(i32),
}

impl Search {
    /// Frames that are allocated beforehand: more than any line of play needs.
    const FRAMES: usize = 128;

    /// Bytes that a search takes besides its table.
    pub(super) const BYTES: usize = Self::FRAMES * size_of::<Frame>();

    pub(super) fn new(table_bytes: usize) -> Self {
        let frame = Frame {
            board: Board::default(),
            hash: 0,
            goal: Goal::Middle,
            depth: 0,
            alpha: 0,
            beta: 0,
            low: 0,
            best: 0,
            best_move: NOWHERE,
            state: State::Enter,
            next: 0,
            count: 0,
            moves: [Move::default(); MAX_MOVES],
        };
        Self {
            table: Table::new(table_bytes),
            weights: Weights::trained(),
            frames: vec![frame; Self::FRAMES],
            used: 0,
            value: 0,
            nodes: 0,
        }
    }

    /// The evaluation of a position, in eighths of a disc.
    pub(super) fn value_of(&mut self, board: Board) -> i32 {
        let mut shallow = Shallow {
            weights: self.weights,
            nodes: 0,
        };
        let value = shallow.search(board, 0, -INFINITE, INFINITE);
        self.nodes += shallow.nodes;
        value
    }

    /// Begins the search of a position. For the end, the depth is that of all empty squares.
    pub(super) fn start(&mut self, board: Board, goal: Goal, depth: u32, alpha: i32, beta: i32) {
        self.used = 0;
        self.push(board, hash(board, goal), goal, depth, alpha, beta);
    }

    fn push(&mut self, board: Board, hash: u64, goal: Goal, depth: u32, alpha: i32, beta: i32) {
        if self.used == self.frames.len() {
            let last = self.frames[self.used - 1].clone();
            self.frames.push(last);
        }
        let frame = &mut self.frames[self.used];
        frame.board = board;
        frame.hash = hash;
        frame.goal = goal;
        frame.depth = depth;
        frame.alpha = alpha;
        frame.beta = beta;
        frame.state = State::Enter;
        self.used += 1;
    }

    /// Searches until the value is known, or so many nodes have been seen in all.
    pub(super) fn run(&mut self, until: u64) -> Option<i32> {
        while self.used > 0 {
            if self.nodes >= until {
                return None;
            }
            let goal = self.frames[self.used - 1].goal;
            match self.turn() {
                Turn::Call {
                    board,
                    hash,
                    depth,
                    alpha,
                    beta,
                } => {
                    self.push(board, hash, goal, depth, alpha, beta);
                }
                Turn::Return(value) => {
                    self.used -= 1;
                    self.value = value;
                }
            }
        }
        Some(self.value)
    }

    fn turn(&mut self) -> Turn {
        let value = self.value;
        let frame = &mut self.frames[self.used - 1];
        match frame.state {
            State::Enter => self.enter(),
            State::ProbeHigh(bound) => {
                if value >= bound {
                    Turn::Return(frame.beta)
                } else {
                    self.sort()
                }
            }
            State::ProbeLow(bound) => {
                if value <= bound {
                    Turn::Return(frame.alpha)
                } else {
                    self.sort()
                }
            }
            State::Child { null } => {
                let value = -value;
                let Move {
                    after,
                    hash,
                    square,
                    ..
                } = frame.moves[frame.next - 1];
                if null && frame.low < value && value < frame.beta {
                    frame.state = State::Child { null: false };
                    return Turn::Call {
                        board: after,
                        hash,
                        depth: below(frame, square),
                        alpha: -frame.beta,
                        beta: -frame.low,
                    };
                }
                if value > frame.best {
                    (frame.best, frame.best_move) = (value, square);
                    frame.low = frame.low.max(value);
                }
                self.next()
            }
        }
    }

    /// Looks whether the value is known without trying moves.
    fn enter(&mut self) -> Turn {
        let Self {
            table,
            weights,
            nodes,
            ..
        } = self;
        let frame = &mut self.frames[self.used - 1];
        let Frame {
            board,
            goal,
            depth,
            alpha,
            beta,
            ..
        } = *frame;
        let empties = board.empties();
        match goal {
            Goal::Middle if depth <= LEAF => {
                let mut shallow = Shallow { weights, nodes: 0 };
                let value = shallow.search(board, depth, alpha, beta);
                *nodes += shallow.nodes;
                return Turn::Return(value);
            }
            Goal::End if empties <= endgame::MAX_EMPTIES => {
                return Turn::Return(Endgame { table, nodes }.solve(board, alpha, beta));
            }
            _ => *nodes += 1,
        }
        let legal = board.legal();
        if legal == 0 {
            let after = board.passed();
            if after.legal() == 0 {
                let unit = if goal == Goal::End { 1 } else { UNIT };
                return Turn::Return(board.difference() * unit);
            }
            frame.moves[0] = Move {
                after,
                hash: hash(after, goal),
                score: 0,
                square: NOWHERE,
            };
            frame.count = 1;
            return self.first();
        }
        if goal == Goal::End && stability_pays(empties, alpha) {
            let bound = bound(board);
            if bound <= alpha {
                return Turn::Return(bound);
            }
        }
        if let Some(entry) = table.get(frame.hash)
            && u32::from(entry.depth) >= depth
        {
            let (lower, upper) = (i32::from(entry.lower), i32::from(entry.upper));
            if lower >= beta || lower == upper {
                return Turn::Return(lower);
            }
            if upper <= alpha {
                return Turn::Return(upper);
            }
        }
        if goal == Goal::Middle
            && beta - alpha == 1
            && let Some(cut) = probcut::cut(depth, empties)
        {
            let value = weights.value(board, legal);
            let (bound, alpha, beta) = if value >= beta {
                let bound = beta + cut.margin;
                frame.state = State::ProbeHigh(bound);
                (bound, bound - 1, bound)
            } else {
                let bound = alpha - cut.margin;
                frame.state = State::ProbeLow(bound);
                (bound, bound, bound + 1)
            };
            if bound.abs() < LIMIT {
                return Turn::Call {
                    board,
                    hash: frame.hash,
                    depth: cut.depth,
                    alpha,
                    beta,
                };
            }
        }
        self.sort()
    }

    /// Finds the moves, looks whether one of them leads to a position that is known to be good enough (enhanced transposition
    /// cut-off), and scores them.
    fn sort(&mut self) -> Turn {
        let Self {
            table,
            weights,
            nodes,
            ..
        } = self;
        let frame = &mut self.frames[self.used - 1];
        let Frame {
            board,
            goal,
            depth,
            beta,
            ..
        } = *frame;
        let known = table
            .get(frame.hash)
            .map_or([NOWHERE; 2], |entry| entry.moves);
        frame.count = 0;
        for (place, square) in frame.moves.iter_mut().zip(squares(board.legal())) {
            let after = board.after(square, board.flips(square));
            let hash = hash(after, goal);
            if let Some(entry) = table.get(hash)
                && u32::from(entry.depth) + 1 >= depth
                && -i32::from(entry.upper) >= beta
            {
                return Turn::Return(-i32::from(entry.upper));
            }
            *place = Move {
                after,
                hash,
                score: 0,
                square,
            };
            frame.count += 1;
        }
        let mut shallow = Shallow { weights, nodes: 0 };
        let odd = endgame::odd_quarters(board.empty());
        for mv in &mut frame.moves[..frame.count] {
            mv.score = if mv.square == known[0] {
                -2 * INFINITE
            } else if mv.square == known[1] {
                -INFINITE
            } else {
                let plies = order_depth(goal, depth);
                let value = shallow.search(mv.after, plies, -INFINITE, INFINITE);
                match goal {
                    Goal::Middle => value,
                    Goal::End => {
                        let replies = mv.after.legal();
                        let corners = replies & endgame::CORNERS;
                        let mobility = (replies.count_ones() + corners.count_ones()) as i32;
                        let parity = i32::from(odd & quarter(mv.square) == 0);
                        value + 12 * mobility + 4 * parity
                    }
                }
            };
        }
        *nodes += shallow.nodes;
        self.first()
    }

    /// Begins with the moves.
    fn first(&mut self) -> Turn {
        let frame = &mut self.frames[self.used - 1];
        frame.low = frame.alpha;
        frame.best = -INFINITE;
        frame.best_move = NOWHERE;
        frame.next = 0;
        self.next()
    }

    /// Calls for the value of the next move, or returns the best one.
    fn next(&mut self) -> Turn {
        let frame = &mut self.frames[self.used - 1];
        if frame.best >= frame.beta || frame.next == frame.count {
            if frame.best_move != NOWHERE {
                let bounds = (frame.alpha, frame.beta);
                self.table.put(
                    frame.hash,
                    frame.depth as u8,
                    bounds,
                    frame.best,
                    frame.best_move,
                );
            }
            return Turn::Return(frame.best);
        }
        let at = frame.next;
        for other in at + 1..frame.count {
            if frame.moves[other].score < frame.moves[at].score {
                frame.moves.swap(other, at);
            }
        }
        frame.next += 1;
        let null = at > 0 && frame.beta - frame.low > 1;
        frame.state = State::Child { null };
        let Move {
            after,
            hash,
            square,
            ..
        } = frame.moves[at];
        Turn::Call {
            board: after,
            hash,
            depth: below(frame, square),
            alpha: if null { -frame.low - 1 } else { -frame.beta },
            beta: -frame.low,
        }
    }
}

/// The depth of the position after a move. A passed turn is no ply.
fn below(frame: &Frame, square: u8) -> u32 {
    if square == NOWHERE {
        frame.depth
    } else {
        frame.depth - 1
    }
}

/// The depth of the searches that order the moves.
const fn order_depth(goal: Goal, depth: u32) -> u32 {
    match (goal, depth) {
        (Goal::Middle, ..=6) | (Goal::End, ..=13) => 0,
        (Goal::Middle, 7..=10) | (Goal::End, 14..=17) => 1,
        _ => 2,
    }
}

pub(super) fn hash(board: Board, goal: Goal) -> u64 {
    match goal {
        Goal::Middle => board.hash(),
        Goal::End => board.hash() ^ endgame::KEY,
    }
}
