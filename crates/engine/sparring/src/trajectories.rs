//! Trajectories: sets of free points on which a side completes a capture, if the other side does nothing about it.
//!
//! Written from the public description alone, so that the opponent shares nothing with the engine but the rules. A capture
//! closes a ring of dots. Two points are *linked* if they are neighbours or touch a common group of the side's dots; a ring is
//! a path of linked points that begins and ends at the same group, its home. Each path is tried on the board.

use std::collections::{HashMap, VecDeque};
use std::hash::{BuildHasherDefault, Hasher};
use tochki_rules::{
    Game, Seat,
    dots::{Dots, Point, Setup},
};

/// Dots of the longest trajectory.
pub(crate) const LONGEST: usize = 6;

/// Maximum number of trajectories of a side.
const MOST: usize = 6000;

/// Groups that can touch a point: every other one of its neighbours.
const TOUCHING: usize = 4;

const FAR: usize = usize::MAX;

/// Dots that complete a capture together, in any order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trajectory {
    points: [Point; LONGEST],
    len: usize,
    /// Number of dots captured.
    pub(crate) won: u32,
}

impl Trajectory {
    pub(crate) fn points(&self) -> &[Point] {
        &self.points[..self.len]
    }
}

/// The neighbours of a point that are on the board.
pub(crate) fn neighbours(setup: Setup, point: Point) -> impl Iterator<Item = Point> {
    let around = [-1, 0, 1]
        .into_iter()
        .flat_map(|dy| [-1, 0, 1].map(|dx| (dx, dy)));
    around
        .filter(|&step| step != (0, 0))
        .filter_map(move |(dx, dy)| {
            let (x, y) = (
                point.x.checked_add_signed(dx)?,
                point.y.checked_add_signed(dy)?,
            );
            let near = Point::new(x, y);
            setup.contains(near).then_some(near)
        })
}

pub(crate) fn place(point: Point) -> usize {
    usize::from(point.y) << 6 | usize::from(point.x)
}

/// A number that looks random for each point and purpose (`SplitMix64`).
pub(crate) fn key(point: Point, purpose: u64) -> u64 {
    let mut mixed = ((place(point) as u64) << 3 | purpose).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ mixed >> 31
}

/// The seat's trajectories of at most `longest` dots, the short ones first. Each dot that is placed for them is taken from
/// `work`; `None` if that is not enough.
pub(crate) fn trajectories(
    dots: &mut Dots,
    seat: Seat,
    longest: usize,
    work: &mut u32,
) -> Option<Vec<Trajectory>> {
    let mut search = Search::new(dots, seat, work);
    for limit in 1..=longest.min(LONGEST) {
        for home in 0..search.rims.len() {
            search.measure(home, limit);
            for start in search.rims[home].clone() {
                search.extend(&mut vec![start], home, limit);
            }
            if *search.work == 0 || search.found.len() >= MOST {
                return None;
            }
        }
    }
    Some(search.found)
}

/// Keys look random already.
#[derive(Default)]
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _: &[u8]) {
        unreachable!("keys are numbers");
    }

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

struct Search<'a> {
    dots: &'a mut Dots,
    seat: Seat,
    work: &'a mut u32,
    /// The free points that touch each group.
    rims: Vec<Vec<Point>>,
    /// The groups that touch each free point.
    touching: Vec<[Option<usize>; TOUCHING]>,
    /// The number of further dots from a point to a point that touches the home group.
    back: Vec<usize>,
    /// The captures of the sets of dots that are known to capture.
    won: HashMap<u64, u32, BuildHasherDefault<KeyHasher>>,
    found: Vec<Trajectory>,
}

impl<'a> Search<'a> {
    fn new(dots: &'a mut Dots, seat: Seat, work: &'a mut u32) -> Self {
        let mut search = Self {
            dots,
            seat,
            work,
            rims: Vec::new(),
            touching: vec![[None; TOUCHING]; 64 * 64],
            back: Vec::new(),
            won: HashMap::default(),
            found: Vec::new(),
        };
        search.find_groups();
        search
    }

    /// Returns whether a dot on the point may be part of a ring.
    fn is_open(&self, point: Point) -> bool {
        self.dots.is_free(point).is_ok()
    }

    fn find_groups(&mut self) {
        let setup = *self.dots.setup();
        let mut is_seen = vec![false; 64 * 64];
        for start in setup.points() {
            if self.dots.live(start) != Some(self.seat) || is_seen[place(start)] {
                continue;
            }
            let (mut group, mut next, mut rim) = (vec![start], 0, Vec::new());
            is_seen[place(start)] = true;
            while next < group.len() {
                for near in neighbours(setup, group[next]) {
                    let is_own = self.dots.live(near) == Some(self.seat);
                    if is_own && !std::mem::replace(&mut is_seen[place(near)], true) {
                        group.push(near);
                    } else if self.is_open(near) && self.dots.house(near) != Some(self.seat) {
                        rim.push(near);
                    }
                }
                next += 1;
            }
            rim.sort_unstable();
            rim.dedup();
            let number = self.rims.len();
            for &point in &rim {
                let mut slots = self.touching[place(point)].iter_mut();
                if let Some(slot) = slots.find(|slot| slot.is_none()) {
                    *slot = Some(number);
                }
            }
            self.rims.push(rim);
        }
    }

    /// The groups after the home that touch a point. Rings over an earlier group are found from there.
    fn groups_after(&self, point: Point, home: usize) -> impl Iterator<Item = usize> + use<> {
        let touching = self.touching[place(point)].into_iter().flatten();
        touching.filter(move |&group| group > home)
    }

    /// The points that may follow a point on a path.
    fn linked(&self, point: Point, home: usize) -> Vec<Point> {
        let mut linked = Vec::with_capacity(32);
        let near = neighbours(*self.dots.setup(), point);
        linked.extend(near.filter(|&near| self.is_open(near)));
        for group in self.groups_after(point, home) {
            linked.extend(self.rims[group].iter().filter(|&&beyond| beyond != point));
        }
        linked
    }

    /// Sets the distances to the home group, as far as a path of `limit` dots goes.
    fn measure(&mut self, home: usize, limit: usize) {
        self.back.clear();
        self.back.resize(64 * 64, FAR);
        let mut queue: VecDeque<Point> = self.rims[home].iter().copied().collect();
        for &point in &queue {
            self.back[place(point)] = 0;
        }
        while let Some(point) = queue.pop_front() {
            let distance = self.back[place(point)] + 1;
            if distance >= limit {
                break;
            }
            for next in self.linked(point, home) {
                if self.back[place(next)] == FAR {
                    self.back[place(next)] = distance;
                    queue.push_back(next);
                }
            }
        }
    }

    /// Goes on with a path until it is home again with `limit` dots.
    fn extend(&mut self, path: &mut Vec<Point>, home: usize, limit: usize) {
        let last = path[path.len() - 1];
        let is_home = self.back[place(last)] == 0;
        if path.len() == limit {
            // A path and its reverse are the same set.
            if is_home && path[0] <= last {
                self.try_path(path);
            }
            return;
        }
        if is_home && path.len() > 1 || *self.work == 0 {
            return;
        }
        *self.work = self.work.saturating_sub(1);
        for next in self.linked(last, home) {
            let left = limit - path.len() - 1;
            if self.back[place(next)] <= left && self.is_apart(&path[..path.len() - 1], next, home)
            {
                path.push(next);
                self.extend(path, home, limit);
                path.pop();
            }
        }
    }

    /// Returns whether a point is linked to none of the others; otherwise a shorter path would do.
    fn is_apart(&self, path: &[Point], point: Point, home: usize) -> bool {
        path.iter().all(|&other| {
            let is_near = other.x.abs_diff(point.x) <= 1 && other.y.abs_diff(point.y) <= 1;
            let mut groups = self.groups_after(point, home);
            !is_near && !groups.any(|group| self.groups_after(other, home).any(|it| it == group))
        })
    }

    /// Keeps the dots of a path if the last one captures, and no part of them captures as much.
    fn try_path(&mut self, path: &[Point]) {
        let (mut placed, mut won) = (0, 0);
        for &point in path {
            let Ok(change) = self.dots.play_as(self.seat, point) else {
                break;
            };
            placed += 1;
            if let Some(captor) = change.captor {
                won = if captor == self.seat { change.won } else { 0 };
                break;
            }
        }
        for _ in 0..placed {
            self.dots.undo();
        }
        *self.work = self.work.saturating_sub(placed as u32);
        if won == 0 || placed < path.len() {
            return;
        }
        let part = |bits: usize| {
            let chosen = (0..path.len()).filter(|bit| bits >> bit & 1 == 1);
            chosen.fold(0, |sum, bit| sum ^ key(path[bit], 7))
        };
        let whole = (1 << path.len()) - 1;
        let is_known = |bits| self.won.get(&part(bits)).is_some_and(|&known| known >= won);
        if !(1..=whole).any(is_known) {
            self.won.insert(part(whole), won);
            let mut points = [path[0]; LONGEST];
            points[..path.len()].copy_from_slice(path);
            let len = path.len();
            self.found.push(Trajectory { points, len, won });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tochki_engine::Rng;
    use tochki_rules::dots::Opening;

    /// All sets of at most so many free points on which the seat's dots, placed in some order, capture with the last one, and
    /// no part of which captures: by trying everything.
    fn all_sets(dots: &mut Dots, seat: Seat, longest: usize) -> BTreeSet<Vec<Point>> {
        let free: Vec<Point> = dots.free_points().collect();
        let mut found: BTreeSet<Vec<Point>> = BTreeSet::new();
        let mut open: BTreeSet<Vec<Point>> = BTreeSet::from([Vec::new()]);
        for _ in 0..longest {
            let mut longer = BTreeSet::new();
            for set in open {
                for &point in free.iter().filter(|point| !set.contains(point)) {
                    let mut longer_set: Vec<Point> = set.clone();
                    longer_set.push(point);
                    let changes: Vec<_> = (longer_set.iter())
                        .map_while(|&point| dots.play_as(seat, point).ok())
                        .collect();
                    let captor = changes.iter().find_map(|change| change.captor);
                    for _ in &changes {
                        dots.undo();
                    }
                    longer_set.sort_unstable();
                    match captor {
                        Some(captor) if captor == seat => {
                            found.insert(longer_set);
                        }
                        Some(_) => {}
                        None => {
                            longer.insert(longer_set);
                        }
                    }
                }
            }
            open = longer;
        }
        let has_part = |set: &Vec<Point>| {
            let is_part = |part: &Vec<Point>| {
                part.len() < set.len() && part.iter().all(|point| set.contains(point))
            };
            found.iter().any(is_part)
        };
        found.iter().filter(|set| !has_part(set)).cloned().collect()
    }

    #[test]
    fn all_that_trying_everything_finds_are_listed() {
        let mut counts = [0; 4];
        for seed in 0..24 {
            let mut rng = Rng::new(seed);
            let mut dots = Dots::new(&Setup::new(6, 6, Opening::Cross).expect("a board"));
            for _ in 0..14 {
                let free: Vec<Point> = dots.free_points().collect();
                let point = free[rng.below(free.len() as u32) as usize];
                dots.play(point).expect("a free point");
            }
            for seat in Seat::BOTH {
                let before = dots.clone();
                let listed = trajectories(&mut dots, seat, 3, &mut 1_000_000);
                assert_eq!(dots, before, "what was placed is taken back");
                let listed = listed.expect("there is work enough");
                let lengths = listed.iter().map(|trajectory| trajectory.points().len());
                assert!(lengths.is_sorted(), "short ones come first");
                let listed: BTreeSet<Vec<Point>> = (listed.iter())
                    .map(|trajectory| {
                        let mut points = trajectory.points().to_vec();
                        points.sort_unstable();
                        points
                    })
                    .collect();
                for set in all_sets(&mut dots, seat, 3) {
                    assert!(listed.contains(&set), "seed {seed}, {seat:?}: {set:?}");
                    counts[set.len()] += 1;
                }
            }
        }
        assert!(counts[1..].iter().all(|&count| count > 10), "{counts:?}");
    }

    #[test]
    fn too_little_work_lists_nothing() {
        let mut dots = Dots::new(&Setup::new(12, 12, Opening::FourCrosses).expect("a board"));
        assert!(trajectories(&mut dots, Seat::First, 4, &mut 50).is_none());
    }
}
