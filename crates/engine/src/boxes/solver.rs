//! The exact value of a position in capture normal form, by alpha-beta with a transposition table.
//!
//! The search is a machine with a stack of its own, so that it can stop after any node and go on later.

use super::{
    graph::{GROUND, Graph},
    loony,
    set::LineSet,
    strings::{Kind, Opening, course, opening, openings},
    structure::Structure,
    symmetry::Symmetries,
    table::{Entry, NO_LINE, Table},
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
    structure: Structure,
    table: Table,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    scratch: Scratch,
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
    /// Where it lies in the structure; 0 if no other string can lie there.
    between: u32,
}

/// What is found out about a position at first sight.
#[derive(Clone, Copy, Debug)]
struct Position {
    key: u64,
    /// The symmetry that leads to the position of the table.
    symmetry: u8,
    /// The value, if all strings are alone.
    value: Option<i16>,
}

/// Openings that give boxes come after the safe ones.
const GIVES: u32 = 100;

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
            structure: Structure::new(),
            table: Table::new(bytes),
            frames: Vec::with_capacity(MOST_LINES + 1),
            moves: Vec::with_capacity(MOST_MOVES),
            scratch: Scratch {
                chains: Vec::with_capacity(MOST_LINES),
                loops: Vec::with_capacity(MOST_LINES),
                values: Vec::with_capacity(MOST_LINES * 16),
            },
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

    /// The lines of perfect play from the root, each with the line of its string, as far as the table proves them.
    pub(super) fn line_of_play(&mut self) -> Vec<u8> {
        let Some(mut value) = self.value() else {
            return Vec::new();
        };
        let (mut free, mut line, mut found) = (self.root, self.best, Vec::new());
        while line != NO_LINE {
            found.push(line);
            let string = opening(&self.graph, free, line);
            // After a string that may be controlled, who moves depends on the choice; the line ends there.
            if string.left > 0 {
                break;
            }
            free = self.turned_corners(free & !string.lines);
            value = -i16::from(string.boxes) - value;
            line = self.proved(free, value).unwrap_or(NO_LINE);
        }
        found
    }

    /// A line that reaches this value, if the table knows one whose boxes cannot be left.
    fn proved(&mut self, free: u64, value: i16) -> Option<u8> {
        let mut strings = Vec::new();
        openings(&self.graph, free, |string| strings.push(string));
        let proves = |string: &Opening<u64>| {
            let rest = self.turned_corners(free & !string.lines);
            let open = i16::from(self.graph.open_boxes(rest));
            let after = self.look(rest);
            let known = || self.table.get(after.key, open).map(|entry| entry.high);
            let high = after.value.or_else(known).unwrap_or(open);
            string.left == 0 && -i16::from(string.boxes) - high >= value
        };
        strings.into_iter().find(proves).map(|string| string.line)
    }

    /// Searches until the value is known, or so many nodes further.
    pub(super) fn work(&mut self, budget: u64) {
        let end = self.nodes.saturating_add(budget);
        while self.value().is_none() && self.nodes < end {
            if self.frames.is_empty() {
                match self.returned.take() {
                    Some(value) => self.finish_pass(value),
                    None => self.enter_root(),
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

    /// The position at the root: its value at once, or a new frame.
    fn enter_root(&mut self) {
        let (free, alpha, beta) = (self.root, self.guess - 1, self.guess);
        let position = self.look(free);
        if let Some(value) = position.value {
            self.best = self.best_alone();
            self.returned = Some(value);
            return;
        }
        let open = i16::from(self.graph.open_boxes(free));
        self.expand(free, position, open, alpha, beta);
    }

    /// A position: its value at once, or a new frame.
    fn enter(&mut self, free: u64, open: i16, alpha: i16, beta: i16) {
        let position = self.look(free);
        self.returned = position.value;
        if let Some(Entry { low, high, .. }) = self.known(position, open) {
            if low >= beta || low == high {
                self.returned = Some(low);
            } else if high <= alpha {
                self.returned = Some(high);
            }
        }
        if self.returned.is_none() {
            self.expand(free, position, open, alpha, beta);
        }
    }

    fn known(&self, position: Position, open: i16) -> Option<Entry> {
        if position.value.is_some() {
            return None;
        }
        self.table.get(position.key, open)
    }

    /// A new frame with the moves of the position.
    fn expand(&mut self, free: u64, position: Position, open: i16, alpha: i16, beta: i16) {
        let start = self.moves.len();
        self.push_moves(free);
        if let Some(entry) = self.known(position, open) {
            let first = self.symmetries.original(position.symmetry, entry.line);
            let first = self.moves[start..].iter_mut().find(|mv| mv.line == first);
            if let Some(first) = first {
                first.order = 0;
            }
        }
        self.frames.push(Frame {
            key: position.key,
            symmetry: position.symmetry,
            free,
            alpha,
            beta,
            best: i16::MIN,
            line: NO_LINE,
            start: start as u16,
            next: start as u16,
            end: self.moves.len() as u16,
            open,
        });
    }

    /// The key of a position, or its value if no string is joined to another.
    fn look(&mut self, free: u64) -> Position {
        self.nodes += 1;
        let Self {
            graph,
            scratch,
            structure,
            symmetries,
            ..
        } = self;
        structure.clear();
        let Scratch {
            chains,
            loops,
            values,
        } = scratch;
        chains.clear();
        loops.clear();
        let joined = graph.joined_lines(free);
        let mut alone = true;
        for line in (free & !joined).numbers() {
            alone = false;
            structure.add(Kind::Joined, graph.ends[usize::from(line)], 0);
        }
        let mut rest = joined;
        while let Some(line) = rest.first() {
            let course = course(graph, free, line);
            rest &= !course.lines;
            let kind = course.kind();
            match kind {
                Kind::Joined => alone = false,
                Kind::Chain => chains.push(course.length),
                Kind::Loop => loops.push(course.length),
            }
            structure.add(kind, course.tips, course.length);
        }
        if alone {
            chains.sort_unstable();
            loops.sort_unstable();
            return Position {
                key: 0,
                symmetry: 0,
                value: Some(loony::value(chains, loops, values)),
            };
        }
        let (key, symmetry) = structure.key(symmetries);
        Position {
            key,
            symmetry,
            value: None,
        }
    }

    /// Pushes the openings of a position to the stack: of chains and loops only the shortest.
    ///
    /// Safe lines come first, those before that leave the fewest safe lines: that way fewer positions are seen. Which of two
    /// is better can hardly be told beforehand, but the same order everywhere leads to the same positions.
    fn push_moves(&mut self, free: u64) {
        let Self { graph, moves, .. } = self;
        let start = moves.len();
        let safe = free & !graph.joined_lines(free);
        // The shortest of the short chains, the long chains and the loops.
        let mut shortest: [Option<Opening<u64>>; 3] = [None; 3];
        openings(graph, free, |string| {
            let class = match string.kind {
                Kind::Joined => {
                    if !is_second_of_corner(graph, free, &string) {
                        push_joined(graph, moves, start, [free, safe], &string);
                    }
                    return;
                }
                Kind::Chain => usize::from(string.boxes > 2),
                Kind::Loop => 2,
            };
            let old = &mut shortest[class];
            if old.is_none_or(|old| old.boxes > string.boxes) {
                *old = Some(string);
            }
        });
        let alone = shortest.into_iter().flatten();
        moves.extend(alone.map(|string| Move::new(&string, GIVES + u32::from(string.boxes), 0)));
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
            let rest = frame.free & !mv.lines;
            self.enter(self.turned_corners(rest), open - boxes, low, high);
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
        let value = mv.value(value);
        if value > frame.best {
            frame.best = value;
            frame.line = mv.line;
        }
    }

    /// The position on top of the stack is finished.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.moves.truncate(usize::from(frame.start));
        let (mut low, mut high) = (-frame.open, frame.open);
        if let Some(entry) = self.table.get(frame.key, frame.open) {
            (low, high) = (entry.low, entry.high);
        }
        if frame.best > frame.alpha {
            low = low.max(frame.best);
        }
        if frame.best < frame.beta {
            high = high.min(frame.best);
        }
        let lines = frame.free.count_ones() as u8;
        let line = self.symmetries.image(frame.symmetry, frame.line);
        let entry = Entry { low, high, line };
        self.table.put(frame.key, frame.open, lines, entry);
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
            let after = self.look(self.root & !string.lines);
            let value = Move::new(&string, 0, 0).value(after.value.unwrap_or(0));
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

impl Move {
    fn new(string: &Opening<u64>, order: u32, between: u32) -> Self {
        Self {
            lines: string.lines,
            line: string.line,
            boxes: string.boxes,
            left: string.left,
            order,
            between,
        }
    }

    /// What it brings if the position after it has this value for the other side, which moves unless it leaves boxes.
    fn value(&self, value: i16) -> i16 {
        let (boxes, left) = (i16::from(self.boxes), i16::from(self.left));
        if left > 0 {
            left - boxes - (value + left).abs()
        } else {
            -boxes - value
        }
    }
}

/// Pushes the opening of a string, unless there is one between the same places that is as good.
fn push_joined(
    graph: &Graph<u64>,
    moves: &mut Vec<Move>,
    start: usize,
    [free, safe]: [u64; 2],
    string: &Opening<u64>,
) {
    if string.boxes == 0 {
        let left = safe_after(graph, free, safe, string.line);
        moves.push(Move::new(string, 1 + left, 0));
        return;
    }
    let [one, other] = string.tips.map(u32::from);
    let between = one.min(other) << 16 | one.max(other) << 8 | u32::from(string.length);
    if moves[start..].iter().all(|mv| mv.between != between) {
        let order = GIVES + u32::from(string.boxes);
        moves.push(Move::new(string, order, between));
    }
}

/// How many of these safe lines are left when one of them is drawn.
fn safe_after(graph: &Graph<u64>, free: u64, safe: u64, line: u8) -> u32 {
    let free = free.without(line);
    let mut left = safe.without(line);
    for &end in graph.ends[usize::from(line)]
        .iter()
        .filter(|&&end| end != GROUND)
    {
        let side = graph.sides[usize::from(end)] & free;
        if side.count_ones() == 2 {
            left &= !side;
        }
    }
    left.count_ones()
}

/// Whether this is the second of two lines to the ground that are as good as each other.
fn is_second_of_corner(graph: &Graph<u64>, free: u64, string: &Opening<u64>) -> bool {
    string.boxes == 0
        && graph
            .corners
            .iter()
            .any(|&[first, second]| string.line == second && free.has(first))
}
