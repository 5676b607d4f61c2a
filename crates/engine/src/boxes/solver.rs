//! The exact value of a position in capture normal form, by alpha-beta with a transposition table.
//!
//! The search is a machine with a stack of its own, so that it can stop after any node and go on later.

use super::{
    graph::{GROUND, Graph},
    loony,
    set::LineSet,
    strings::{Opening, StringKind, opening, openings},
    symmetry::Symmetries,
    table::{Bucket, NO_LINE, Table, mix},
};
use tochki_rules::boxes::Orientation;

/// Lines that a position may have for the solver.
pub(super) const MAX_LINES: usize = u64::BITS as usize;

/// Moves on the stack at most: every node of a line of play has at most as many as there are lines.
const MAX_MOVES: usize = MAX_LINES * (MAX_LINES + 1) / 2;

/// Finds the value of a position: the gain of the side to move by perfect play, no box being free to take.
#[derive(Clone, Debug)]
pub(super) struct Solver {
    graph: Graph<u64>,
    symmetries: Symmetries,
    table: Table,
    frames: Vec<Frame>,
    moves: Vec<Move>,
    scratch: Scratch,
    /// See [`distances`].
    distances: [u16; MAX_LINES],
    root: u64,
    /// The lower and the upper bound of the value.
    bounds: [i16; 2],
    /// The value that the next pass asks about.
    guess: i16,
    /// The line that is known to reach the lower bound.
    best: u8,
    /// The value of the node just left.
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
    /// The code of the string if it is alone, else 0.
    code: u64,
    /// The next position.
    after: Node,
}

impl Move {
    /// The largest value of the move when so many boxes are open: the other side's choice is worth `boxes − left + |v + left|` to
    /// that side.
    /// it.
    const fn most(&self, open: i16) -> i16 {
        let (boxes, left) = (self.boxes as i16, self.left as i16);
        if left > 0 {
            // Every box goes to one side, so the value has the parity of their number.
            left - boxes - (open - boxes).rem_euclid(2)
        } else {
            open - 2 * boxes
        }
    }

    /// The least and the largest value of the move when the next position is worth `low` to `high` to the other side.
    fn values(&self, low: i16, high: i16) -> (i16, i16) {
        let (boxes, left) = (i16::from(self.boxes), i16::from(self.left));
        if left == 0 {
            return (-boxes - high, -boxes - low);
        }
        let (low, high) = (low + left, high + left);
        let near = if low > 0 { low } else { (-high).max(0) };
        (
            left - boxes - low.abs().max(high.abs()),
            left - boxes - near,
        )
    }
}

/// A position with its strings: joined or alone.
#[derive(Clone, Copy, Debug, Default)]
struct Strings {
    /// The free lines.
    free: u64,
    /// The free lines whose strings are joined to others.
    joined: u64,
    /// The sum of the codes of the strings that are alone, see [`code`].
    alone: u64,
}

/// A position and its place in the table.
#[derive(Clone, Copy, Debug, Default)]
struct Node {
    strings: Strings,
    key: u64,
    /// The symmetry that leads to the position of the table.
    symmetry: u8,
}

/// A position on the way to the one that is searched.
#[derive(Clone, Copy, Debug)]
struct Frame {
    node: Node,
    alpha: i16,
    beta: i16,
    best: i16,
    line: u8,
    /// The moves of this position on the stack: those from `next` are still to be tried.
    start: u16,
    next: u16,
    end: u16,
    open: i16,
}

#[derive(Clone, Debug, Default)]
struct Scratch {
    chains: Vec<u8>,
    loops: Vec<u8>,
    values: Vec<i16>,
    buckets: Vec<Bucket>,
}

impl Solver {
    /// A solver whose table and stacks have at most about `bytes`.
    pub(super) fn new(graph: Graph<u64>, root: u64, guess: f32, bytes: usize) -> Self {
        let distances = distances(&graph);
        let mut solver = Self {
            graph,
            symmetries: Symmetries::default(),
            table: Table::new(bytes),
            frames: Vec::with_capacity(MAX_LINES + 1),
            moves: Vec::with_capacity(MAX_MOVES),
            scratch: Scratch {
                chains: Vec::with_capacity(MAX_LINES),
                loops: Vec::with_capacity(MAX_LINES),
                values: Vec::with_capacity(MAX_LINES * 16),
                buckets: Vec::with_capacity(MAX_LINES),
            },
            distances,
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

    /// Begins another position of the same graph. The entries of the table stay.
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

    /// The graph that is searched.
    pub(super) const fn graph(&self) -> &Graph<u64> {
        &self.graph
    }

    /// The value, once it is known.
    pub(super) const fn value(&self) -> Option<i16> {
        let [low, high] = self.bounds;
        if low == high { Some(low) } else { None }
    }

    /// The lower and the upper bound of the value.
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
            let string = opening(&self.graph, free, line);
            // After a string that may be controlled, the side to move depends on the choice; the line ends there.
            if string.left > 0 {
                break;
            }
            free = self.turned_corners(free & !string.lines);
            let strings = self.look(free, false);
            let node = self.node(strings);
            line = self.table.get(node.key).map_or(NO_LINE, |entry| {
                self.symmetries.original(node.symmetry, entry.line)
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
                        let strings = self.look(self.root, false);
                        let root = self.node(strings);
                        self.enter(root, open, [self.guess - 1, self.guess]);
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

    /// A value near the guess that the position may have: its boxes all go to one of two sides, so its parity is known.
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

    /// Enters a position: its value at once, or a new frame.
    fn enter(&mut self, node: Node, open: i16, [alpha, beta]: [i16; 2]) {
        let strings = node.strings;
        self.nodes += 1;
        if strings.free == 0 {
            self.returned = Some(0);
            return;
        }
        if strings.joined == 0 {
            self.look(strings.free, false);
            let Scratch {
                chains,
                loops,
                values,
                ..
            } = &mut self.scratch;
            self.returned = Some(loony::value(chains, loops, values));
            if self.frames.is_empty() {
                self.best = self.best_alone();
            }
            return;
        }
        let mut first = NO_LINE;
        if let Some(entry) = self.table.get(node.key) {
            let (low, high) = (i16::from(entry.low), i16::from(entry.high));
            first = self.symmetries.original(node.symmetry, entry.line);
            // At the root the line is wanted, too.
            if !self.frames.is_empty() {
                if low >= beta || low == high {
                    self.returned = Some(low);
                } else if high <= alpha {
                    self.returned = Some(high);
                }
                if self.returned.is_some() {
                    return;
                }
            }
        }
        let start = self.moves.len();
        let found = self.look(strings.free, true);
        debug_assert_eq!((found.joined, found.alone), (strings.joined, strings.alone));
        for mv in &mut self.moves[start..] {
            if mv.line == first {
                mv.order = 0;
            }
        }
        let (best, line) = self.look_ahead(start, &strings, open, [alpha, beta]);
        self.frames.push(Frame {
            node,
            alpha,
            beta,
            best,
            line,
            start: start as u16,
            next: start as u16,
            end: self.moves.len() as u16,
            open,
        });
    }

    /// Looks the moves from `start` on the stack up in the table: the best value so far and its line, if it is known to reach
    /// `beta`. Moves that cannot exceed `alpha` are dropped.
    fn look_ahead(
        &mut self,
        start: usize,
        strings: &Strings,
        open: i16,
        [alpha, beta]: [i16; 2],
    ) -> (i16, u8) {
        let mut best = i16::MIN;
        let mut end = start;
        for place in start..self.moves.len() {
            let mut mv = self.moves[place];
            let most = mv.most(open);
            if most <= alpha {
                best = best.max(most);
                continue;
            }
            mv.after = self.node(self.after(strings, &mv));
            self.moves[end] = mv;
            end += 1;
        }
        self.moves.truncate(end);
        if self.frames.is_empty() {
            return (best, NO_LINE);
        }
        // The buckets are read before any is looked at, so that the processor waits for all of them at once.
        let buckets = &mut self.scratch.buckets;
        buckets.clear();
        let keys = self.moves[start..].iter().map(|mv| mv.after.key);
        buckets.extend(keys.map(|key| self.table.bucket(key)));
        let mut end = start;
        for place in start..self.moves.len() {
            let mv = self.moves[place];
            let Some(entry) = self.scratch.buckets[place - start].get(mv.after.key) else {
                self.moves[end] = mv;
                end += 1;
                continue;
            };
            let (least, most) = mv.values(i16::from(entry.low), i16::from(entry.high));
            if least >= beta {
                self.moves.truncate(start);
                return (least, mv.line);
            }
            if most <= alpha {
                best = best.max(most);
                continue;
            }
            self.moves[end] = mv;
            end += 1;
        }
        self.moves.truncate(end);
        (best, NO_LINE)
    }

    /// The position after drawing these lines, which are all of a string. Only strings that end where one of these lines did may
    /// be alone now.
    fn after(&self, before: &Strings, mv: &Move) -> Strings {
        if mv.code != 0 {
            return Strings {
                free: before.free & !mv.lines,
                joined: before.joined,
                alone: before.alone.wrapping_sub(mv.code),
            };
        }
        let graph = &self.graph;
        let free = self.turned_corners(before.free & !mv.lines);
        let mut joined = self.turned_corners(before.joined & !mv.lines);
        let mut alone = before.alone;
        for line in mv.lines.numbers() {
            for end in graph.ends[usize::from(line)] {
                if end == GROUND {
                    continue;
                }
                let rest = graph.sides[usize::from(end)] & joined;
                if has_exactly(rest, 2)
                    && let Some((own, code)) = string_alone(graph, free, end)
                {
                    joined &= !own;
                    alone = alone.wrapping_add(code);
                }
            }
        }
        Strings {
            free,
            joined,
            alone,
        }
    }

    fn node(&self, strings: Strings) -> Node {
        let (image, symmetry) = self.symmetries.smallest(strings.joined);
        Node {
            strings,
            key: mix(image ^ 0x5851_f42d_4c95_7f2d) ^ strings.alone,
            symmetry,
        }
    }

    /// Looks at the strings, and notes the lengths of strings that are alone. Moves are pushed to the stack if `moves` are
    /// wanted.
    fn look(&mut self, free: u64, moves: bool) -> Strings {
        let Self {
            graph,
            moves: stack,
            scratch,
            distances,
            ..
        } = self;
        let Scratch { chains, loops, .. } = scratch;
        chains.clear();
        loops.clear();
        let mut joined = free;
        let mut alone = 0u64;
        // The shortest of the short chains, the long chains and the loops.
        let mut shortest: [Option<Opening<u64>>; 3] = [None; 3];
        // The lines of boxes with two free lines; those of one, and of two boxes with three.
        let (mut strings, mut threes, mut both_threes) = (0, 0, 0);
        for &side in &graph.sides {
            let rest = side & free;
            let (two, three) = (has_exactly(rest, 2), has_exactly(rest, 3));
            strings |= if two { rest } else { 0 };
            let rest = if three { rest } else { 0 };
            both_threes |= threes & rest;
            threes |= rest;
        }
        if moves {
            let safe = free & !strings & !second_of_corners(graph, free);
            for line in safe.numbers() {
                let fours = 2 - u32::from(threes.has(line)) - u32::from(both_threes.has(line));
                stack.push(Move {
                    lines: 1 << line,
                    line,
                    boxes: 0,
                    left: 0,
                    order: 1 + 0x1000 * fours + u32::from(distances[usize::from(line)]),
                    code: 0,
                    after: Node::default(),
                });
            }
        }
        while let Some(line) = strings.first() {
            let string = opening(graph, free, line);
            strings &= !string.own;
            let class = match string.kind {
                StringKind::Joined => {
                    if moves {
                        stack.push(string_move(&string, 0));
                    }
                    continue;
                }
                StringKind::Chain => {
                    chains.push(string.boxes);
                    usize::from(string.boxes > 2)
                }
                StringKind::Loop => {
                    loops.push(string.boxes);
                    2
                }
            };
            joined &= !string.own;
            alone = alone.wrapping_add(code(string.kind, string.boxes));
            let old = &mut shortest[class];
            if old.is_none_or(|old| old.boxes > string.boxes) {
                *old = Some(string);
            }
        }
        if moves {
            for string in shortest.into_iter().flatten() {
                stack.push(string_move(&string, code(string.kind, string.boxes)));
            }
        }
        chains.sort_unstable();
        loops.sort_unstable();
        Strings {
            free,
            joined,
            alone,
        }
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
            let most = mv.most(open);
            if most <= alpha {
                frame.best = frame.best.max(most);
                continue;
            }
            let window = if left > 0 {
                let wide = left - boxes - alpha;
                [-left - wide, -left + wide]
            } else {
                [-boxes - frame.beta, -boxes - alpha]
            };
            self.enter(mv.after, open - boxes, window);
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
        let (value, _) = mv.values(value, value);
        if value > frame.best {
            frame.best = value;
            frame.line = mv.line;
        }
    }

    /// Finishes the position on top of the stack.
    fn leave(&mut self) {
        let Some(frame) = self.frames.pop() else {
            return;
        };
        self.moves.truncate(usize::from(frame.start));
        let (mut low, mut high) = (-frame.open, frame.open);
        if let Some(entry) = self.table.get(frame.node.key) {
            (low, high) = (i16::from(entry.low), i16::from(entry.high));
        }
        if frame.best > frame.alpha {
            low = low.max(frame.best);
        }
        if frame.best < frame.beta {
            high = high.min(frame.best);
        }
        let lines = frame.node.strings.free.count_ones() as u8;
        let line = self.symmetries.image(frame.node.symmetry, frame.line);
        self.table
            .put(frame.node.key, lines, low as i8, high as i8, line);
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
                ..
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

    /// The position with the first of the two outer lines of a corner free, if one of them is.
    fn turned_corners(&self, mut free: u64) -> u64 {
        for &[first, second] in &self.graph.corners {
            if free.has(second) && !free.has(first) {
                free = free.without(second).with(first);
            }
        }
        free
    }
}

/// Returns whether a set has so many lines: one lowest bit after the other is cleared, which is faster than counting where the
/// compiler may not use the processor's instruction for it.
#[inline]
fn has_exactly(mut set: u64, count: u32) -> bool {
    for _ in 1..count {
        set &= set.wrapping_sub(1);
    }
    set.is_power_of_two()
}

/// The code of a string that is alone in a key: its length, and whether it is a loop. It is not 0.
fn code(kind: StringKind, boxes: u8) -> u64 {
    let is_loop = u64::from(kind == StringKind::Loop);
    mix(0x1234_5678_9abc + 256 * is_loop + u64::from(boxes))
}

/// The opening of a string with boxes, which comes after all safe lines. A string that is alone has its `code`.
fn string_move(string: &Opening<u64>, code: u64) -> Move {
    Move {
        lines: string.lines,
        line: string.line,
        boxes: string.boxes,
        left: string.left,
        order: 0x1_0000 + u32::from(string.boxes),
        code,
        after: Node::default(),
    }
}

/// The string through a box of two free lines if it is alone: its lines, and its code.
fn string_alone(graph: &Graph<u64>, free: u64, start: u8) -> Option<(u64, u64)> {
    let both = graph.sides[usize::from(start)] & free;
    let (mut own, mut boxes) = (both, 1);
    for line in both.numbers() {
        let (mut place, mut last) = (graph.across(line, start), line);
        while place != GROUND {
            if place == start {
                return Some((own, code(StringKind::Loop, boxes)));
            }
            let next = (graph.sides[usize::from(place)] & free).without(last);
            if !has_exactly(next, 1) {
                return None;
            }
            own |= next;
            boxes += 1;
            last = next.first()?;
            place = graph.across(last, place);
        }
    }
    Some((own, code(StringKind::Chain, boxes)))
}

/// The distance of each line from the middle of the board, the rows before the columns. An order that is the same everywhere lets
/// lines of play come together in the table; an order by earlier cut-offs searches a third more positions.
fn distances(graph: &Graph<u64>) -> [u16; MAX_LINES] {
    let (cols, rows) = graph.lines.iter().fold((0, 0), |(cols, rows), line| {
        (line.x.max(cols), line.y.max(rows))
    });
    let mut distances = [0; MAX_LINES];
    for (distance, line) in distances.iter_mut().zip(&graph.lines) {
        // In halves of a box.
        let (x, y) = match line.orientation {
            Orientation::Horizontal => (2 * line.x + 1, 2 * line.y),
            Orientation::Vertical => (2 * line.x, 2 * line.y + 1),
        };
        let (x, y) = (u16::from(x.abs_diff(cols)), u16::from(y.abs_diff(rows)));
        *distance = 64 * y + x;
    }
    distances
}

/// The second lines of corners of which both lines lead to the ground: they are equivalent to the first ones.
fn second_of_corners(graph: &Graph<u64>, free: u64) -> u64 {
    let both = graph.corners.iter().filter(|[first, _]| free.has(*first));
    both.fold(0, |set: u64, &[_, second]| set.with(second))
}
