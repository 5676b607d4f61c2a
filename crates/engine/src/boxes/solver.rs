//! The exact value of a position in capture normal form, by alpha-beta with a transposition table.
//!
//! The search is a machine with a stack of its own, so that it can stop after any node and go on later.

use super::{
    graph::Graph,
    loony,
    set::LineSet,
    strings::{Kind, Opening, openings},
    symmetry::Symmetries,
    table::{NO_LINE, Table, mix},
};

/// Lines that a position may have for the solver.
pub(super) const MOST_LINES: usize = u64::BITS as usize;

/// Moves on the stack at most: every node of a line of play has at most as many as there are lines.
const MOST_MOVES: usize = MOST_LINES * (MOST_LINES + 1) / 2;

/// Finds the value of one position: what the side to move gains by perfect play, no box being free to take.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    graph: Graph<u64>,
    symmetries: Symmetries,
    table: Table,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    scratch: Scratch,
    /// How often a line has caused a cutoff, for the order of moves.
    history: [u32; MOST_LINES],
    root: u64,
    /// The value is known to be between these.
    bounds: [i16; 2],
    /// The value that the next pass asks about.
    guess: i16,
    /// The line that is known to reach the lower bound.
    best: u8,
    /// What the node just left is worth.
    returned: Option<i16>,
    nodes: u64,
}

/// A string that may be opened.
#[derive(Clone, Copy, Debug)]
struct Move {
    lines: u64,
    line: u8,
    boxes: u8,
    left: u8,
    order: u32,
}

/// A position on the way to the one that is searched.
#[derive(Clone, Copy, Debug)]
struct Frame {
    key: u64,
    free: u64,
    alpha: i16,
    beta: i16,
    best: i16,
    line: u8,
    /// The moves of this position on the stack: those from `next` are still to be tried.
    start: u16,
    next: u16,
    end: u16,
    open: i16,
    /// The symmetry that leads to the position of the table.
    symmetry: u8,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    chains: Vec<u8>,
    loops: Vec<u8>,
    values: Vec<i16>,
}

impl Solver {
    /// A solver whose table and stacks have at most about `bytes`.
    pub(super) fn new(graph: Graph<u64>, root: u64, guess: f32, bytes: usize) -> Self {
        let mut solver = Self {
            graph,
            symmetries: Symmetries::default(),
            table: Table::new(bytes),
            frames: Vec::with_capacity(MOST_LINES + 1),
            moves: Vec::with_capacity(MOST_MOVES),
            scratch: Scratch {
                chains: Vec::with_capacity(MOST_LINES),
                loops: Vec::with_capacity(MOST_LINES),
                values: Vec::with_capacity(MOST_LINES * 16),
            },
            history: [0; MOST_LINES],
            root: 0,
            bounds: [0; 2],
            guess: 0,
            best: NO_LINE,
            returned: None,
            nodes: 0,
        };
        solver.set_root(root, guess);
        solver
    }

    /// Begins another position of the same graph. What is in the table stays.
    pub(super) fn set_root(&mut self, root: u64, guess: f32) {
        self.root = self.turned_corners(root);
        self.symmetries = Symmetries::of(&self.graph, root);
        let open = i16::from(self.graph.open_boxes(root));
        self.bounds = [-open, open];
        self.guess = self.of_parity(guess);
        self.frames.clear();
        self.moves.clear();
        self.history = [0; MOST_LINES];
        self.best = NO_LINE;
        self.returned = None;
        self.nodes = 0;
    }

    /// The graph it searches.
    pub(super) const fn graph(&self) -> &Graph<u64> {
        &self.graph
    }

    /// The value, once it is known.
    pub(super) const fn value(&self) -> Option<i16> {
        let [low, high] = self.bounds;
        if low == high { Some(low) } else { None }
    }

    /// The value is known to be between these.
    pub(super) const fn bounds(&self) -> [i16; 2] {
        self.bounds
    }

    /// A line of the string whose opening is known to reach the lower bound.
    pub(super) const fn best(&self) -> Option<u8> {
        if self.best == NO_LINE {
            None
        } else {
            Some(self.best)
        }
    }

    /// Nodes searched since the root was set.
    pub(super) const fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The best lines of the positions that follow the root, as far as the table has them: each with the line of its string.
    pub(super) fn line_of_play(&mut self) -> Vec<u8> {
        let (mut free, mut line, mut found) = (self.root, self.best, Vec::new());
        while line != NO_LINE && free.has(line) {
            found.push(line);
            let string = super::strings::opening(&self.graph, free, line);
            // After a string that may be controlled, who moves depends on the choice; the line ends there.
            if string.left > 0 {
                break;
            }
            free = self.turned_corners(free & !string.lines);
            let (key, _, symmetry) = self.look(free, false);
            line = self.table.get(key).map_or(NO_LINE, |entry| {
                self.symmetries.original(symmetry, entry.line)
            });
        }
        found
    }

    /// Searches until the value is known, or so many nodes further.
    pub(super) fn work(&mut self, budget: u64) {
        let end = self.nodes.saturating_add(budget);
        while self.value().is_none() && self.nodes < end {
            if self.frames.is_empty() {
                match self.returned.take() {
                    Some(value) => self.finish_pass(value),
                    None => {
                        let open = i16::from(self.graph.open_boxes(self.root));
                        self.enter(self.root, open, self.guess - 1, self.guess);
                    }
                }
                continue;
            }
            if let Some(value) = self.returned.take() {
                self.account(value);
            }
            self.advance();
        }
    }

    /// A value near the guess that the position may have: its boxes all go to one of two, so its parity is known.
    fn of_parity(&self, guess: f32) -> i16 {
        let [low, high] = self.bounds;
        // A number of boxes, which every float type holds.
        let near = guess as i16;
        let even = near - (near - low).rem_euclid(2);
        even.clamp((low + 2).min(high), high)
    }

    fn finish_pass(&mut self, value: i16) {
        let [low, high] = &mut self.bounds;
        if value >= self.guess {
            *low = value.max(*low);
            self.guess = (value + 2).min(*high);
        } else {
            *high = value.min(*high);
            self.guess = value.max(*low + 2).min(*high);
        }
    }

    /// A position: its value at once, or a new frame.
    fn enter(&mut self, free: u64, open: i16, alpha: i16, beta: i16) {
        self.nodes += 1;
        let free = self.turned_corners(free);
        if free == 0 {
            self.returned = Some(0);
            return;
        }
        let start = self.moves.len();
        let (key, alone, symmetry) = self.look(free, true);
        if alone {
            self.moves.truncate(start);
            let Scratch {
                chains,
                loops,
                values,
            } = &mut self.scratch;
            self.returned = Some(loony::value(chains, loops, values));
            if self.frames.is_empty() {
                self.best = self.best_alone();
            }
            return;
        }
        let mut first = NO_LINE;
        if let Some(entry) = self.table.get(key) {
            let (low, high) = (i16::from(entry.low), i16::from(entry.high));
            first = self.symmetries.original(symmetry, entry.line);
            // At the root the line is wanted, too.
            if !self.frames.is_empty() {
                if low >= beta || low == high {
                    self.returned = Some(low);
                } else if high <= alpha {
                    self.returned = Some(high);
                }
                if self.returned.is_some() {
                    self.moves.truncate(start);
                    return;
                }
            }
        }
        for mv in &mut self.moves[start..] {
            if mv.line == first {
                mv.order = 0;
            }
        }
        self.frames.push(Frame {
            key,
            free,
            alpha,
            beta,
            best: i16::MIN,
            line: NO_LINE,
            start: start as u16,
            next: start as u16,
            end: self.moves.len() as u16,
            open,
            symmetry,
        });
    }

    /// Looks at the strings: gives the key of the position, whether all of them are alone, and the symmetry of the key. Moves are pushed to the stack
    /// if `moves` are wanted.
    fn look(&mut self, free: u64, moves: bool) -> (u64, bool, u8) {
        let Self {
            graph,
            moves: stack,
            scratch,
            history,
            ..
        } = self;
        let Scratch { chains, loops, .. } = scratch;
        chains.clear();
        loops.clear();
        let mut joined = free;
        let mut alone = 0u64;
        // The shortest of the short chains, the long chains and the loops.
        let mut shortest: [Option<Opening<u64>>; 3] = [None; 3];
        openings(graph, free, |string| {
            let class = match string.kind {
                Kind::Joined => {
                    if moves && !is_second_of_corner(graph, free, &string) {
                        let order = match string.boxes {
                            0 => {
                                0x3fff_ffff - history[usize::from(string.line)].min(0x3fff_ffff) + 1
                            }
                            boxes => 0x4000_0000 + u32::from(boxes),
                        };
                        stack.push(Move {
                            lines: string.lines,
                            line: string.line,
                            boxes: string.boxes,
                            left: string.left,
                            order,
                        });
                    }
                    return;
                }
                Kind::Chain => {
                    chains.push(string.boxes);
                    usize::from(string.boxes > 2)
                }
                Kind::Loop => {
                    loops.push(string.boxes);
                    2
                }
            };
            joined &= !string.own;
            alone = alone.wrapping_add(mix(0x1234_5678_9abc
                + 256 * class.min(2) as u64 / 2
                + u64::from(string.boxes)));
            let old = &mut shortest[class];
            if old.is_none_or(|old| old.boxes > string.boxes) {
                *old = Some(string);
            }
        });
        if moves {
            for string in shortest.into_iter().flatten() {
                stack.push(Move {
                    lines: string.lines,
                    line: string.line,
                    boxes: string.boxes,
                    left: string.left,
                    order: 0x4000_0000 + u32::from(string.boxes),
                });
            }
        }
        chains.sort_unstable();
        loops.sort_unstable();
        let (image, symmetry) = self.symmetries.smallest(joined);
        let key = mix(image ^ 0x5851_f42d_4c95_7f2d) ^ alone;
        (key, joined == 0, symmetry)
    }

    /// The next move of the position on top of the stack, or its value.
    fn advance(&mut self) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        while frame.next < frame.end && frame.best < frame.beta {
            let (next, end) = (usize::from(frame.next), usize::from(frame.end));
            let rest = &mut self.moves[next..end];
            let least = (0..rest.len()).min_by_key(|&place| rest[place].order);
            rest.swap(0, least.unwrap_or(0));
            let mv = rest[0];
            frame.next += 1;
            let (boxes, left) = (i16::from(mv.boxes), i16::from(mv.left));
            let (alpha, open) = (frame.alpha.max(frame.best), frame.open);
            // What the move can bring at most: the other side's choice is worth `boxes − left + |v + left|` to it.
            let most = if left > 0 {
                // Every box goes to one side, so the value has the parity of their number.
                left - boxes - (frame.open - boxes).rem_euclid(2)
            } else {
                frame.open - 2 * boxes
            };
            if most <= alpha {
                frame.best = frame.best.max(most);
                continue;
            }
            let (low, high) = if left > 0 {
                let wide = left - boxes - alpha;
                (-left - wide, -left + wide)
            } else {
                (-boxes - frame.beta, -boxes - alpha)
            };
            let free = frame.free & !mv.lines;
            self.enter(free, open - boxes, low, high);
            return;
        }
        self.leave();
    }

    /// Takes the value of the position after the move that was tried last.
    fn account(&mut self, value: i16) {
        let Some(frame) = self.frames.last_mut() else {
            return;
        };
        let mv = self.moves[usize::from(frame.next) - 1];
        let (boxes, left) = (i16::from(mv.boxes), i16::from(mv.left));
        let value = if left > 0 {
            left - boxes - (value + left).abs()
        } else {
            -boxes - value
        };
        if value > frame.best {
            frame.best = value;
            frame.line = mv.line;
        }
        if value >= frame.beta && mv.boxes == 0 {
            let count = &mut self.history[usize::from(mv.line)];
            *count = *count - *count / 64 + 64;
        }
    }

    /// The position on top of the stack is finished.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.moves.truncate(usize::from(frame.start));
        let (mut low, mut high) = (-frame.open, frame.open);
        if let Some(entry) = self.table.get(frame.key) {
            (low, high) = (i16::from(entry.low), i16::from(entry.high));
        }
        if frame.best > frame.alpha {
            low = low.max(frame.best);
        }
        if frame.best < frame.beta {
            high = high.min(frame.best);
        }
        let lines = frame.free.count_ones() as u8;
        let line = self.symmetries.image(frame.symmetry, frame.line);
        self.table
            .put(frame.key, lines, low as i8, high as i8, line);
        if self.frames.is_empty() && (frame.best >= frame.beta || self.best == NO_LINE) {
            self.best = frame.line;
        }
        self.returned = Some(frame.best);
    }

    /// The best opening when all strings are alone.
    fn best_alone(&mut self) -> u8 {
        let mut strings = Vec::new();
        openings(&self.graph, self.root, |string| strings.push(string));
        let mut best = (i16::MIN, NO_LINE);
        for string in strings {
            let free = self.root & !string.lines;
            self.look(free, false);
            let Scratch {
                chains,
                loops,
                values,
            } = &mut self.scratch;
            let (boxes, left) = (i16::from(string.boxes), i16::from(string.left));
            let value = match (loony::value(chains, loops, values), left) {
                (value, 0) => -boxes - value,
                (value, left) => left - boxes - (value + left).abs(),
            };
            if value > best.0 {
                best = (value, string.line);
            }
        }
        best.1
    }

    /// The same position with the first of the two outer lines of a corner free, if one of them is.
    fn turned_corners(&self, mut free: u64) -> u64 {
        for &[first, second] in &self.graph.corners {
            if free.has(second) && !free.has(first) {
                free = free.without(second).with(first);
            }
        }
        free
    }
}

/// Whether this is the second of two lines to the ground that are as good as each other.
fn is_second_of_corner(graph: &Graph<u64>, free: u64, string: &Opening<u64>) -> bool {
    string.boxes == 0
        && graph
            .corners
            .iter()
            .any(|&[first, second]| string.line == second && free.has(first))
}
