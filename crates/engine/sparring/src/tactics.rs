//! The search of trajectory minimax: `NegaScout` over the points of trajectories, with a transposition table, and captures by
//! one dot at its leaves. It knows nothing of the engine.

use crate::trajectories::{LONGEST, Trajectory, key, place, trajectories};
use std::ops::Range;
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point},
};

/// More than any lead.
const INFINITE: i32 = 10_000;

/// Entries of the transposition table.
const ENTRIES: usize = 1 << 20;

/// Maximum number of dots placed to list the trajectories of a side: first the trajectories of one and two dots, then the longer
/// ones.
const LISTING: [u32; 2] = [1_000_000, 100_000];

/// Dots placed to list trajectories that count as a node.
const DOTS_A_NODE: u32 = 16;

/// Trajectories looked at that count as a node.
const ITEMS_A_NODE: usize = 64;

/// The rest of a trajectory at a node: its number, and a bit for each dot that is still to be placed.
#[derive(Clone, Copy, Debug)]
struct Item {
    trajectory: u16,
    missing: u8,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
    Exact,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u64,
    value: i16,
    depth: u8,
    bound: Bound,
    point: Point,
}

/// The result of a search of one depth.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Finding {
    pub(crate) depth: u8,
    /// The lead of the side to move after the best of its moves.
    pub(crate) best: i32,
    /// The moves that reach this lead, if passing does not.
    pub(crate) moves: Vec<Point>,
}

/// The end of a search of one depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Ended {
    Complete,
    /// The nodes were not enough. Another search comes further, by the entries of the table.
    Aborted,
    /// There are more trajectories than can be listed, or none that is long enough.
    Exhausted,
}

/// The position with all data of the search.
#[derive(Clone, Debug)]
pub(crate) struct Tactics {
    dots: Dots,
    hash: u64,
    hashes: Vec<u64>,
    trajectories: Vec<Trajectory>,
    /// The stretches of `items` that belong to the seats at the root.
    root: [Range<usize>; 2],
    items: Vec<Item>,
    /// The length up to which trajectories are listed.
    listed: usize,
    /// The weight of each point, while moves are collected.
    weights: Vec<u32>,
    table: Vec<Option<Entry>>,
    nodes: u64,
    last_node: u64,
    looked_at: usize,
    is_aborted: bool,
}

impl Tactics {
    pub(crate) fn new(dots: &Dots) -> Self {
        let mut tactics = Self {
            dots: dots.clone(),
            hash: 0,
            hashes: Vec::new(),
            trajectories: Vec::new(),
            root: [0..0, 0..0],
            items: Vec::new(),
            listed: 0,
            weights: vec![0; 64 * 64],
            table: vec![None; ENTRIES],
            nodes: 0,
            last_node: 0,
            looked_at: 0,
            is_aborted: false,
        };
        tactics.set_position(dots);
        tactics
    }

    /// Begins another position. The entries of the table are kept: they come from other lists of trajectories, but to forget them
    /// costs more depth than it gains.
    pub(crate) fn set_position(&mut self, dots: &Dots) {
        self.dots = dots.clone();
        self.listed = 0;
        self.hash = 0;
        for point in dots.setup().points() {
            let state = dots.at(point);
            if let Some(dot) = state.dot {
                self.hash ^= key(point, dot.seat.index() as u64);
            }
            if let Some(seat) = state.area {
                self.hash ^= key(point, 2 + seat.index() as u64);
            }
        }
    }

    pub(crate) fn dots(&self) -> &Dots {
        &self.dots
    }

    /// Nodes searched by the last call. Each is a position, 64 trajectories that were looked at, or 16 dots placed to list
    /// them.
    pub(crate) fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Searches to a depth with at most `nodes` nodes.
    pub(crate) fn search(
        &mut self,
        seat: Seat,
        depth: u8,
        nodes: u64,
        finding: &mut Finding,
    ) -> Ended {
        (self.nodes, self.last_node, self.looked_at) = (0, nodes, 0);
        self.is_aborted = false;
        let longest = usize::from(depth.div_ceil(2));
        if longest > LONGEST || longest > self.listed && !self.list(longest) {
            return Ended::Exhausted;
        }
        let root = self.root.clone();
        let (low, high) = (-INFINITE, INFINITE);
        let pass = -self.negascout(seat.other(), depth - 1, (low, high), &root);
        let best = self.negascout(seat, depth, (low, high), &root).max(pass);
        let mut moves = Vec::new();
        if best > pass {
            for point in self.moves(seat, depth, &root, None) {
                let value = self.value(seat, point, depth, (best - 1, best), &root);
                if value >= best {
                    moves.push(point);
                }
            }
        }
        if self.is_aborted {
            return Ended::Aborted;
        }
        *finding = Finding { depth, best, moves };
        Ended::Complete
    }

    /// Lists the trajectories of both sides at the root. Returns whether the list is complete.
    fn list(&mut self, longest: usize) -> bool {
        self.trajectories.clear();
        self.items.clear();
        for seat in Seat::BOTH {
            let most = u32::try_from(self.last_node - self.nodes).unwrap_or(u32::MAX);
            let listing = LISTING[usize::from(longest > 2)];
            let given = most.saturating_mul(DOTS_A_NODE).min(listing);
            let mut work = given;
            let found = trajectories(&mut self.dots, seat, longest, &mut work);
            self.nodes += u64::from((given - work) / DOTS_A_NODE);
            let Some(found) = found else {
                return false;
            };
            let first = self.items.len();
            for trajectory in found {
                self.items.push(Item {
                    trajectory: self.trajectories.len() as u16,
                    missing: (1 << trajectory.points().len()) - 1,
                });
                self.trajectories.push(trajectory);
            }
            self.root[seat.index()] = first..self.items.len();
        }
        self.listed = longest;
        true
    }

    /// Points of the seat minus points of the other side.
    pub(crate) fn lead(&self, seat: Seat) -> i32 {
        let score = self.dots.score();
        score[seat.index()] as i32 - score[seat.other().index()] as i32
    }

    /// Counts a node. Returns whether there was one left.
    fn count(&mut self) -> bool {
        let nodes = self.nodes + 1 + (self.looked_at / ITEMS_A_NODE) as u64;
        self.looked_at %= ITEMS_A_NODE;
        self.is_aborted |= nodes >= self.last_node;
        self.nodes = nodes.min(self.last_node);
        !self.is_aborted
    }

    /// The lead of the seat after its best move, at least `alpha` or at most `beta` if it is outside of these.
    fn negascout(
        &mut self,
        seat: Seat,
        depth: u8,
        (mut alpha, beta): (i32, i32),
        lists: &[Range<usize>; 2],
    ) -> i32 {
        if depth == 0 {
            return self.captures(seat, (alpha, beta), lists);
        }
        if !self.count() {
            return alpha;
        }
        let key = self.hash ^ (0x5555_5555_5555_5555 * seat.index() as u64);
        let slot = (key % ENTRIES as u64) as usize;
        let known = self.table[slot].filter(|entry| entry.key == key);
        if let Some(entry) = known.filter(|entry| entry.depth >= depth) {
            let value = i32::from(entry.value);
            match entry.bound {
                Bound::Exact => return value,
                Bound::Lower if value >= beta => return value,
                Bound::Upper if value <= alpha => return value,
                _ => {}
            }
        }
        let moves = self.moves(seat, depth, lists, known.map(|entry| entry.point));
        let Some(&first) = moves.first() else {
            return self.lead(seat);
        };
        let floor = alpha;
        let mut best = (-INFINITE, first);
        for (number, point) in moves.into_iter().enumerate() {
            let mut value = 0;
            if number > 0 {
                value = self.value(seat, point, depth, (alpha, alpha + 1), lists);
            }
            if number == 0 || value > alpha && value < beta {
                value = self.value(seat, point, depth, (alpha, beta), lists);
            }
            if self.is_aborted {
                return alpha;
            }
            if value > best.0 {
                best = (value, point);
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        let bound = match best.0 {
            value if value >= beta => Bound::Lower,
            value if value <= floor => Bound::Upper,
            _ => Bound::Exact,
        };
        self.table[slot] = Some(Entry {
            key,
            value: best.0 as i16,
            depth,
            bound,
            point: best.1,
        });
        best.0
    }

    /// The value of a move for the mover.
    fn value(
        &mut self,
        seat: Seat,
        point: Point,
        depth: u8,
        (alpha, beta): (i32, i32),
        lists: &[Range<usize>; 2],
    ) -> i32 {
        let captor = self.play(seat, point);
        let kept = self.items.len();
        let lists = self.after(seat, point, depth - 1, lists, captor.is_some());
        let value = -self.negascout(seat.other(), depth - 1, (-beta, -alpha), &lists);
        self.items.truncate(kept);
        self.undo();
        value
    }

    /// The lead when both sides only capture by one dot.
    fn captures(
        &mut self,
        seat: Seat,
        (mut alpha, beta): (i32, i32),
        lists: &[Range<usize>; 2],
    ) -> i32 {
        if !self.count() {
            return alpha;
        }
        let mut best = self.lead(seat);
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let mut tried = Vec::new();
        for index in lists[seat.index()].clone() {
            let item = self.items[index];
            if item.missing.count_ones() != 1 {
                continue;
            }
            let points = self.trajectories[usize::from(item.trajectory)].points();
            let point = points[item.missing.trailing_zeros() as usize];
            if tried.contains(&point) || self.dots.is_free(point).is_err() {
                continue;
            }
            tried.push(point);
            if self.play(seat, point) == Some(seat) {
                let kept = self.items.len();
                let after = self.after(seat, point, 0, lists, true);
                let value = -self.captures(seat.other(), (-beta, -alpha), &after);
                self.items.truncate(kept);
                best = best.max(value);
                alpha = alpha.max(value);
            }
            self.undo();
            if alpha >= beta || self.is_aborted {
                break;
            }
        }
        best
    }

    /// The trajectories after a move, with `depth` plies left: the mover's with this point have a dot less to place, the other's
    /// with it are blocked, and those that are too long now are left out.
    fn after(
        &mut self,
        mover: Seat,
        point: Point,
        depth: u8,
        lists: &[Range<usize>; 2],
        captured: bool,
    ) -> [Range<usize>; 2] {
        let mut after = [0..0, 0..0];
        for seat in Seat::BOTH {
            let most = dots_left(depth, seat != mover).max(1);
            let first = self.items.len();
            self.looked_at += lists[seat.index()].len();
            for index in lists[seat.index()].clone() {
                let mut item = self.items[index];
                if item.missing.count_ones() > most + 1 {
                    continue;
                }
                let points = self.trajectories[usize::from(item.trajectory)].points();
                if let Some(hit) = points.iter().position(|&it| it == point) {
                    if seat != mover {
                        continue;
                    }
                    item.missing &= !(1 << hit);
                }
                let is_open = |bit: usize| {
                    item.missing >> bit & 1 == 0 || self.dots.is_free(points[bit]).is_ok()
                };
                let missing = item.missing.count_ones();
                if missing > 0 && missing <= most && (!captured || (0..points.len()).all(is_open)) {
                    self.items.push(item);
                }
            }
            after[seat.index()] = first..self.items.len();
        }
        after
    }

    /// The moves of a node, ordered by the trajectories through them: short ones, many of them, and ones that win much come
    /// first.
    fn moves(
        &mut self,
        seat: Seat,
        depth: u8,
        lists: &[Range<usize>; 2],
        first: Option<Point>,
    ) -> Vec<Point> {
        let mut moves: Vec<(u32, Point)> = Vec::with_capacity(64);
        for side in Seat::BOTH {
            let most = dots_left(depth, side == seat);
            self.looked_at += lists[side.index()].len();
            for item in &self.items[lists[side.index()].clone()] {
                let missing = item.missing.count_ones();
                if missing > most {
                    continue;
                }
                let trajectory = &self.trajectories[usize::from(item.trajectory)];
                let weight = (1 << 16 >> (4 * (missing - 1))).max(1) * (1 + trajectory.won.min(15));
                for (bit, &point) in trajectory.points().iter().enumerate() {
                    if item.missing >> bit & 1 == 1 {
                        let sum = &mut self.weights[place(point)];
                        if *sum == 0 {
                            moves.push((0, point));
                        }
                        *sum = sum.saturating_add(weight);
                    }
                }
            }
        }
        for (weight, point) in &mut moves {
            *weight = std::mem::take(&mut self.weights[place(*point)]);
            if Some(*point) == first {
                *weight = u32::MAX;
            }
        }
        moves.retain(|&(_, point)| self.dots.is_free(point).is_ok());
        moves.sort_unstable_by(|one, other| other.cmp(one));
        moves.into_iter().map(|(_, point)| point).collect()
    }

    /// Places a dot on a free point. Returns the seat that captured something.
    fn play(&mut self, seat: Seat, point: Point) -> Option<Seat> {
        self.hashes.push(self.hash);
        let change = self.dots.play_as(seat, point).expect("the point is free");
        self.hash ^= key(point, seat.index() as u64);
        let captor = change.captor?;
        for capture in self.dots.captures_of(&change) {
            for inside in capture.area() {
                self.hash ^= key(inside, 2 + captor.index() as u64);
            }
        }
        Some(captor)
    }

    fn undo(&mut self) {
        if let Some(hash) = self.hashes.pop() {
            self.hash = hash;
            self.dots.undo();
        }
    }
}

/// Dots that a side still places when `depth` plies are left.
const fn dots_left(depth: u8, is_to_move: bool) -> u32 {
    (if is_to_move {
        depth.div_ceil(2)
    } else {
        depth / 2
    }) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_engine::Rng;
    use tochki_rules::dots::{Opening, Setup};

    /// The lead by these moves without a window and without a table.
    fn plain(tactics: &mut Tactics, seat: Seat, depth: u8, lists: &[Range<usize>; 2]) -> i32 {
        if depth == 0 {
            return tactics.captures(seat, (-INFINITE, INFINITE), lists);
        }
        let moves = tactics.moves(seat, depth, lists, None);
        let values = moves.into_iter().map(|point| {
            let captor = tactics.play(seat, point);
            let kept = tactics.items.len();
            let after = tactics.after(seat, point, depth - 1, lists, captor.is_some());
            let value = -plain(tactics, seat.other(), depth - 1, &after);
            tactics.items.truncate(kept);
            tactics.undo();
            value
        });
        let best = values.max();
        best.unwrap_or_else(|| tactics.lead(seat))
    }

    /// Red can capture one dot, which has captured nothing so far.
    #[test]
    fn captures_by_one_dot_are_added_to_the_lead() {
        let setup = Setup::new(6, 6, Opening::Empty).expect("a board");
        let mut dots = Dots::new(&setup);
        let red = [(2, 1), (1, 2), (2, 3)].map(|place| (Seat::First, place));
        for (seat, (x, y)) in red.into_iter().chain([(Seat::Second, (2, 2))]) {
            dots.play_as(seat, Point::new(x, y)).expect("a free point");
        }
        let [first, second] = Seat::BOTH;
        let captures = |dots: &Dots| {
            let mut tactics = Tactics::new(dots);
            tactics.search(first, 2, 1_000, &mut Finding::default());
            let root = tactics.root.clone();
            let window = (-INFINITE, INFINITE);
            [first, second].map(|seat| tactics.captures(seat, window, &root))
        };
        assert_eq!(captures(&dots), [1, 0]);
        dots.play_as(first, Point::new(3, 2)).expect("a free point");
        assert_eq!(captures(&dots), [1, -1]);
    }

    /// With four plies the same dots can be placed in another order, after which other trajectories may be left for the
    /// captures at the leaves.
    #[test]
    fn windows_and_the_table_change_no_value() {
        let mut captures = 0;
        for seed in 0..40 {
            let mut rng = Rng::new(seed);
            let mut dots = Dots::new(&Setup::new(8, 8, Opening::Cross).expect("a board"));
            for _ in 0..26 {
                let free: Vec<Point> = dots.free_points().collect();
                let point = free[rng.below(free.len() as u32) as usize];
                dots.play(point).expect("a free point");
            }
            let seat = dots.to_move().expect("the game goes on");
            for depth in 1..=3 {
                let mut tactics = Tactics::new(&dots);
                let mut finding = Finding::default();
                let ended = tactics.search(seat, depth, u64::MAX, &mut finding);
                assert_eq!(ended, Ended::Complete);
                let root = tactics.root.clone();
                let best = plain(&mut tactics, seat, depth, &root);
                let pass = -plain(&mut tactics, seat.other(), depth - 1, &root);
                assert_eq!(finding.best, best.max(pass), "seed {seed}, depth {depth}");
                // With one ply there is no move that only blocks.
                let has_moves = !tactics.moves(seat, depth, &root, None).is_empty();
                assert_eq!(!finding.moves.is_empty(), best > pass && has_moves);
                captures += i32::from(best > pass);
                assert_eq!(tactics.dots, dots, "what was played is taken back");
                assert_eq!(tactics.hash, Tactics::new(&dots).hash);
            }
        }
        assert!(captures > 10, "{captures}");
    }
}
