//! The tactical search: `NegaScout` over the dots of trajectories, to find dots that can be captured and dots that must be saved.

pub use super::field::Field;
use super::{
    place::{PLACES, Place, table},
    trajectories::{Generator, LONGEST, MOST, Trajectory},
};
use tochki_rules::{Seat, dots::Point};

/// Items of the lists of all plies together. A search that needs more is cut there, as at its last ply.
const ITEMS: usize = 1 << 16;

/// Trajectories that take as long as a position.
const ITEMS_A_NODE: u32 = 64;

/// Dots of trajectories that take as long as a position.
const DOTS_A_NODE: u32 = 16;

/// More than any lead.
const INFINITE: i32 = 10_000;

/// The result of a search of one depth, for the side to move.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TacticalResult {
    /// The depth in plies.
    pub depth: u8,
    /// The lead after the best of the tactical moves.
    pub best: i32,
    /// The lead if the side passes.
    pub pass: i32,
    /// The moves that reach `best`, if that is more than `pass`; otherwise empty.
    pub(super) moves: Vec<Place>,
}

impl TacticalResult {
    /// The moves that gain most over passing; none if there is nothing to gain.
    pub fn moves(&self) -> impl Iterator<Item = Point> {
        self.moves.iter().map(|place| place.point())
    }
}

/// The end of a search with a limit of nodes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// The depth is searched.
    Complete,
    /// The nodes were not enough. Another search comes further, because trajectories are listed in parts and the transposition
    /// table remembers.
    Aborted,
    /// There is nothing left to search: no trajectory, or not all of the next length can be listed.
    Exhausted,
}

/// The rest of a trajectory at a node.
#[derive(Clone, Copy, Debug)]
struct Item {
    trajectory: u16,
    /// A bit for each dot that is still to be placed.
    missing: u8,
}

/// A stretch of the items.
#[derive(Clone, Copy, Debug, Default)]
struct List {
    first: u32,
    end: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bound {
    Lower,
    Upper,
    Exact,
}

#[derive(Clone, Copy, Debug)]
struct Entry {
    key: u32,
    value: i16,
    depth: u8,
    bound: Bound,
    mv: Place,
}

/// The search with its buffers.
#[derive(Clone, Debug)]
pub struct Tactics {
    generator: Generator,
    trajectories: Vec<Trajectory>,
    /// The items of the root, of each seat.
    root: [List; 2],
    /// The length up to which the trajectories of the root are listed.
    listed: usize,
    /// The length up to which they are being listed, and the seat; nothing if they are not.
    listing: Option<(usize, Seat)>,
    items: Vec<Item>,
    moves: Vec<(u32, Place)>,
    weights: Box<[u32; PLACES]>,
    table: Vec<Entry>,
    nodes: u64,
    /// Trajectories looked at that are not counted as a node yet.
    looked_at: u32,
    last_node: u64,
    aborted: bool,
}

impl Tactics {
    /// Bytes that a search with a table of so many entries has allocated at most.
    pub(crate) const fn memory(table: usize) -> usize {
        table * size_of::<Entry>()
            + ITEMS * size_of::<Item>()
            + 4 * MOST * size_of::<Trajectory>()
            + PLACES * 64
            + (1 << 19)
    }

    /// A search with its buffers: a transposition table of so many entries, and about 1.5 MiB for the rest.
    pub fn new(entries: usize) -> Self {
        let empty = Entry {
            key: 0,
            value: 0,
            depth: 0,
            bound: Bound::Upper,
            mv: Place::NONE,
        };
        Self {
            generator: Generator::new(),
            trajectories: Vec::with_capacity(2 * MOST),
            root: [List::default(); 2],
            listed: 0,
            listing: None,
            items: Vec::with_capacity(ITEMS),
            moves: Vec::with_capacity(PLACES),
            weights: table(0),
            table: vec![empty; entries.max(1)],
            nodes: 0,
            looked_at: 0,
            last_node: 0,
            aborted: false,
        }
    }

    /// Forgets the trajectories, because the position has changed. The entries of the transposition table are kept: they come
    /// from the trajectories of an earlier root, but to forget them costs more depth than it gains.
    pub fn reset(&mut self) {
        self.listed = 0;
        self.listing = None;
    }

    /// Nodes searched by the last call. Each is a position, 64 trajectories that were looked at, or 16 dots placed to list them.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Visits the points of short trajectories of either side, as last listed: `visit` gets the point, the number of dots of the
    /// trajectory, the number of dots that it wins, and its seat.
    pub(crate) fn each_point(&self, mut visit: impl FnMut(Place, usize, u8, Seat)) {
        for seat in Seat::BOTH {
            let List { first, end } = self.root[seat.index()];
            for item in &self.items[first as usize..end as usize] {
                let trajectory = &self.trajectories[usize::from(item.trajectory)];
                let places = trajectory.places();
                for &place in places {
                    visit(place, places.len(), trajectory.won(), seat);
                }
            }
        }
    }

    /// Searches a position to a depth with at most `nodes` nodes.
    pub fn search(
        &mut self,
        field: &mut Field,
        seat: Seat,
        depth: u8,
        nodes: u64,
        finding: &mut TacticalResult,
    ) -> Ended {
        self.nodes = 0;
        let longest = usize::from(depth.div_ceil(2));
        if longest > LONGEST {
            return Ended::Exhausted;
        }
        if longest > self.listed {
            return self.list(field, longest, nodes);
        }
        if self.root.iter().all(|list| list.first == list.end) {
            *finding = TacticalResult {
                depth,
                best: field.lead(seat),
                pass: field.lead(seat),
                moves: Vec::new(),
            };
            return Ended::Complete;
        }
        self.aborted = false;
        self.looked_at = 0;
        self.last_node = nodes;
        let root = self.root;
        let pass = -self.negascout(field, seat.other(), depth - 1, -INFINITE, INFINITE, root);
        let best = self
            .negascout(field, seat, depth, -INFINITE, INFINITE, root)
            .max(pass);
        if self.aborted {
            return Ended::Aborted;
        }
        let mut good = Vec::new();
        if best > pass {
            let first = self.moves.len();
            self.collect(field, seat, depth, root, Place::NONE);
            for index in first..self.moves.len() {
                let at = self.moves[index].1;
                let value = self.value_of(field, seat, at, depth, (best - 1, best), root);
                if value >= best && !self.aborted {
                    good.push(at);
                }
            }
            self.moves.truncate(first);
        }
        if self.aborted {
            return Ended::Aborted;
        }
        *finding = TacticalResult {
            depth,
            best,
            pass,
            moves: good,
        };
        Ended::Complete
    }

    /// Goes on listing the trajectories of the root, which is done in parts so that none takes long.
    fn list(&mut self, field: &mut Field, longest: usize, nodes: u64) -> Ended {
        let budget = if longest < 3 { 1_000_000 } else { 60_000 };
        let (_, seat) = match self.listing {
            Some(listing) if listing.0 == longest => listing,
            _ => {
                self.trajectories.clear();
                self.items.clear();
                self.root = [List::default(); 2];
                self.generator.begin(field, Seat::First);
                (longest, Seat::First)
            }
        };
        let before = self.generator.spent();
        let work = (nodes as u32).saturating_mul(DOTS_A_NODE);
        let is_done = self.generator.advance(field, seat, longest, work);
        let after = self.generator.spent();
        self.nodes += u64::from((after - before) / DOTS_A_NODE);
        self.listing = Some((longest, seat));
        if !is_done && after < budget {
            return Ended::Aborted;
        }
        let complete = self.generator.is_complete(budget);
        let first = self.items.len();
        for trajectory in self.generator.found() {
            self.items.push(Item {
                trajectory: self.trajectories.len() as u16,
                missing: (1 << trajectory.places().len()) - 1,
            });
            self.trajectories.push(*trajectory);
        }
        self.root[seat.index()] = List {
            first: first as u32,
            end: self.items.len() as u32,
        };
        if !complete {
            return Ended::Exhausted;
        }
        if seat == Seat::First {
            self.listing = Some((longest, Seat::Second));
            self.generator.begin(field, Seat::Second);
        } else {
            self.listing = None;
            self.listed = longest;
        }
        Ended::Aborted
    }

    /// Counts trajectories that are looked at.
    #[inline]
    fn look_at(&mut self, count: u32) {
        self.looked_at += count;
        self.nodes += u64::from(self.looked_at / ITEMS_A_NODE);
        self.looked_at %= ITEMS_A_NODE;
    }

    /// The lead of the seat after its best move, at least `alpha` or at most `beta` if it is outside of these.
    fn negascout(
        &mut self,
        field: &mut Field,
        seat: Seat,
        depth: u8,
        mut alpha: i32,
        beta: i32,
        lists: [List; 2],
    ) -> i32 {
        if depth == 0 {
            return self.quiescence(field, seat, alpha, beta, lists);
        }
        self.nodes += 1;
        if self.nodes >= self.last_node {
            self.aborted = true;
            return alpha;
        }
        let key = field.hash() ^ (0x5555_5555_5555_5555 * seat.index() as u64);
        let slot = (key % self.table.len() as u64) as usize;
        let known = self.table[slot];
        let mut first_move = Place::NONE;
        if known.key == (key >> 32) as u32 {
            let value = i32::from(known.value);
            if known.depth == depth {
                match known.bound {
                    Bound::Exact => return value,
                    Bound::Lower if value >= beta => return value,
                    Bound::Upper if value <= alpha => return value,
                    _ => {}
                }
            }
            first_move = known.mv;
        }
        let start = self.moves.len();
        self.collect(field, seat, depth, lists, first_move);
        let floor = alpha;
        // A side may also play elsewhere, where it changes nothing here.
        let mut best = -INFINITE;
        let mut best_move = Place::NONE;
        if start == self.moves.len() {
            return field.lead(seat);
        }
        for index in start..self.moves.len() {
            let at = self.moves[index].1;
            let value = if index == start {
                self.value_of(field, seat, at, depth, (alpha, beta), lists)
            } else {
                let value = self.value_of(field, seat, at, depth, (alpha, alpha + 1), lists);
                if value > alpha && value < beta && !self.aborted {
                    self.value_of(field, seat, at, depth, (value, beta), lists)
                } else {
                    value
                }
            };
            if self.aborted {
                self.moves.truncate(start);
                return alpha;
            }
            if value > best {
                best = value;
                best_move = at;
            }
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        self.moves.truncate(start);
        self.table[slot] = Entry {
            key: (key >> 32) as u32,
            value: best as i16,
            depth,
            bound: if best >= beta {
                Bound::Lower
            } else if best <= floor {
                Bound::Upper
            } else {
                Bound::Exact
            },
            mv: best_move,
        };
        best
    }

    /// The value of a move, in a window from the mover's view.
    fn value_of(
        &mut self,
        field: &mut Field,
        seat: Seat,
        at: Place,
        depth: u8,
        (alpha, beta): (i32, i32),
        lists: [List; 2],
    ) -> i32 {
        let captured = field.play(seat, at).is_some();
        let first = self.items.len();
        let lists = self.filter(field, seat, at, depth - 1, lists, captured);
        let value = -self.negascout(field, seat.other(), depth - 1, -beta, -alpha, lists);
        self.items.truncate(first);
        field.undo();
        value
    }

    /// Captures by one dot only, as long as there are any.
    fn quiescence(
        &mut self,
        field: &mut Field,
        seat: Seat,
        mut alpha: i32,
        beta: i32,
        lists: [List; 2],
    ) -> i32 {
        self.nodes += 1;
        if self.nodes >= self.last_node {
            self.aborted = true;
            return alpha;
        }
        let mut best = field.lead(seat);
        alpha = alpha.max(best);
        if alpha >= beta {
            return best;
        }
        let List { first, end } = lists[seat.index()];
        let mut tried = [Place::NONE; 8];
        let mut count = 0;
        for index in first..end {
            let item = self.items[index as usize];
            if item.missing.count_ones() != 1 {
                continue;
            }
            let places = self.trajectories[usize::from(item.trajectory)].places();
            let at = places[item.missing.trailing_zeros() as usize % places.len()];
            if tried[..count].contains(&at) || count == tried.len() || !field.is_free(at) {
                continue;
            }
            tried[count] = at;
            count += 1;
            let captured = field.play(seat, at);
            if captured != Some(seat) {
                field.undo();
                continue;
            }
            let start = self.items.len();
            let after = self.filter(field, seat, at, 0, lists, true);
            let value = -self.quiescence(field, seat.other(), -beta, -alpha, after);
            self.items.truncate(start);
            field.undo();
            if self.aborted {
                return alpha;
            }
            best = best.max(value);
            alpha = alpha.max(value);
            if alpha >= beta {
                break;
            }
        }
        best
    }

    /// The lists after a move, with `depth` plies left: the mover's trajectories have a dot less to place, the other's are
    /// blocked, and those that are too long now are left out.
    fn filter(
        &mut self,
        field: &Field,
        mover: Seat,
        at: Place,
        depth: u8,
        lists: [List; 2],
        captured: bool,
    ) -> [List; 2] {
        let mut after = [List::default(); 2];
        for seat in Seat::BOTH {
            let most = u32::from(dots_left(depth, seat != mover)).max(1);
            let List { first, end } = lists[seat.index()];
            self.look_at(end - first);
            let start = self.items.len();
            for index in first..end {
                let mut item = self.items[index as usize];
                let places = self.trajectories[usize::from(item.trajectory)].places();
                if let Some(hit) = places.iter().position(|&place| place == at) {
                    if seat != mover {
                        continue;
                    }
                    item.missing &= !(1 << hit);
                }
                let missing = item.missing.count_ones();
                if missing == 0 || missing > most {
                    continue;
                }
                if captured
                    && !places.iter().enumerate().all(|(index, &place)| {
                        item.missing >> index & 1 == 0 || field.is_free(place)
                    })
                {
                    continue;
                }
                if self.items.len() < ITEMS {
                    self.items.push(item);
                }
            }
            after[seat.index()] = List {
                first: start as u32,
                end: self.items.len() as u32,
            };
        }
        after
    }

    /// Appends the moves of a node, the most promising first.
    fn collect(
        &mut self,
        field: &Field,
        seat: Seat,
        depth: u8,
        lists: [List; 2],
        first_move: Place,
    ) {
        /// For each number of missing dots.
        const WEIGHT: [u32; 8] = [0, 65_536, 4096, 256, 32, 4, 1, 1];
        let start = self.moves.len();
        for side in Seat::BOTH {
            let most = u32::from(dots_left(depth, side == seat));
            let List { first, end } = lists[side.index()];
            self.look_at(end - first);
            for index in first as usize..end as usize {
                let item = self.items[index];
                let missing = item.missing.count_ones();
                if missing > most {
                    continue;
                }
                let trajectory = &self.trajectories[usize::from(item.trajectory)];
                let weight =
                    WEIGHT[missing as usize % 8] * (1 + u32::from(trajectory.won().min(15)));
                for (bit, &place) in trajectory.places().iter().enumerate() {
                    if item.missing >> bit & 1 == 1 {
                        if self.weights[place.index()] == 0 {
                            self.moves.push((0, place));
                        }
                        self.weights[place.index()] =
                            self.weights[place.index()].saturating_add(weight);
                    }
                }
            }
        }
        let weights = &mut self.weights;
        for (weight, place) in &mut self.moves[start..] {
            *weight = std::mem::take(&mut weights[place.index()]);
            if *place == first_move {
                *weight = u32::MAX;
            }
        }
        // Points that are taken, and the enemy's houses unless they are entered to capture.
        let mut kept = start;
        for index in start..self.moves.len() {
            if field.is_free(self.moves[index].1) {
                self.moves.swap(kept, index);
                kept += 1;
            }
        }
        self.moves.truncate(kept);
        self.moves[start..].sort_unstable_by(|a, b| b.cmp(a));
    }
}

/// Dots that a side still places when `depth` plies are left.
const fn dots_left(depth: u8, is_to_move: bool) -> u8 {
    if is_to_move {
        depth.div_ceil(2)
    } else {
        depth / 2
    }
}
