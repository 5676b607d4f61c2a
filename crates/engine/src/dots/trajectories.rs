//! Trajectories: sets of free points on which a side can complete a capture, if the other side does nothing about it.
//!
//! A capture closes a ring of live dots. The ring consists of groups of dots that stand already and of new dots that link
//! them, so it is found as a closed path: from a group over new dots, each next to the last one or next to a group that the
//! last one touches, back to the first group.

use super::{
    field::{Field, key},
    place::{GAPS, PLACES, Place, table},
};
use tochki_rules::{Game, Seat};

/// Dots of the longest trajectory.
pub(crate) const LONGEST: usize = 6;

/// Trajectories listed at most. Further ones are left out, the longer ones first because they are found last.
pub(crate) const MOST: usize = 6000;

/// Groups that a path goes over at most, its first group not counted.
const MAX_GROUPS: usize = LONGEST;

/// A distance that no point has.
const FAR: u8 = u8::MAX;

/// Dots that complete a capture together, in any order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Trajectory {
    places: [Place; LONGEST],
    len: u8,
    /// Number of dots captured.
    won: u8,
}

impl Trajectory {
    pub(crate) fn places(&self) -> &[Place] {
        &self.places[..usize::from(self.len) % (LONGEST + 1)]
    }

    pub(crate) fn won(&self) -> u8 {
        self.won
    }
}

/// The generator of trajectories, with its buffers.
#[derive(Clone, Debug)]
pub(crate) struct Generator {
    /// The group of each live dot of the seat, from 1.
    group: Box<[u16; PLACES]>,
    /// Number of new dots from a point to the home group, the point not counted.
    back: Box<[u8; PLACES]>,
    /// The free points next to each group, one group after the other.
    rims: Vec<Place>,
    /// The index in `rims` of each group's first point.
    rim_of: Vec<u32>,
    /// Points with a distance, in its order.
    queue: Vec<Place>,
    captures: CaptureTable,
    found: Vec<Trajectory>,
    /// Work that may still be done for one home group.
    budget: u32,
    /// Work done since [`Generator::begin`].
    spent: u32,
    /// The next home group, and the length of the paths from it.
    next: (u16, usize),
    /// Whether a home group took more work than it may, so that trajectories are missing.
    is_cut: bool,
}

/// Work for one home group at most. A unit is about the time to place a dot.
const HOME_BUDGET: u32 = 12_000;

/// The path so far.
#[derive(Clone, Copy)]
struct Path {
    places: [Place; LONGEST],
    len: usize,
    groups: [u16; MAX_GROUPS],
    group_count: usize,
    key: u64,
}

/// The state that does not change along a path.
#[derive(Clone, Copy)]
struct Search {
    seat: Seat,
    home: u16,
    limit: usize,
}

impl Generator {
    pub(crate) fn new() -> Self {
        Self {
            group: table(0),
            back: table(FAR),
            rims: Vec::with_capacity(2 * PLACES),
            rim_of: Vec::with_capacity(PLACES),
            queue: Vec::with_capacity(PLACES),
            captures: CaptureTable::new(),
            found: Vec::with_capacity(MOST),
            budget: 0,
            spent: 0,
            next: (1, 1),
            is_cut: false,
        }
    }

    /// Work done since [`Generator::begin`], in dots placed.
    pub(crate) fn spent(&self) -> u32 {
        self.spent
    }

    /// Appends the seat's trajectories of at most `longest` dots, short ones first. Returns whether the list is complete, which
    /// takes `budget` dots at most.
    pub(crate) fn find(
        &mut self,
        field: &mut Field,
        seat: Seat,
        longest: usize,
        budget: u32,
        into: &mut Vec<Trajectory>,
    ) -> bool {
        self.begin(field, seat);
        while !self.advance(field, seat, longest, budget) {
            if self.spent >= budget {
                break;
            }
        }
        into.extend_from_slice(&self.found);
        self.is_complete(budget)
    }

    /// Begins to list the seat's trajectories.
    pub(crate) fn begin(&mut self, field: &Field, seat: Seat) {
        self.label(field, seat);
        self.captures.clear();
        self.found.clear();
        self.spent = 0;
        self.next = (1, 1);
        self.is_cut = false;
    }

    /// Goes on with the list, until it is done or that much more work. Returns whether it is done.
    ///
    /// The position has to be that of [`Generator::begin`]. The work may exceed the limit by [`HOME_BUDGET`].
    pub(crate) fn advance(
        &mut self,
        field: &mut Field,
        seat: Seat,
        longest: usize,
        work: u32,
    ) -> bool {
        let end = self.spent.saturating_add(work);
        loop {
            let (home, limit) = self.next;
            if limit > longest.min(LONGEST) || self.is_cut || self.found.len() >= MOST {
                return true;
            }
            if self.spent >= end {
                return false;
            }
            if usize::from(home) < self.rim_of.len() {
                self.budget = HOME_BUDGET;
                self.search_home(field, Search { seat, home, limit });
                self.spent += HOME_BUDGET - self.budget;
                self.is_cut |= self.budget == 0;
                self.next = (home + 1, limit);
            } else {
                self.next = (1, limit + 1);
            }
        }
    }

    /// The trajectories found so far, short ones first.
    pub(crate) fn found(&self) -> &[Trajectory] {
        &self.found
    }

    /// Returns whether all were found, with so much work at most.
    pub(crate) fn is_complete(&self, budget: u32) -> bool {
        !self.is_cut && self.spent < budget && self.found.len() < MOST
    }

    /// Numbers the groups and lists their rims.
    fn label(&mut self, field: &Field, seat: Seat) {
        self.group.fill(0);
        self.rims.clear();
        self.rim_of.clear();
        self.rim_of.push(0);
        for point in field.dots.setup().points() {
            let start = Place::of(point);
            if field.dots.live(point) != Some(seat) || self.group[start.index()] != 0 {
                continue;
            }
            let number = self.rim_of.len() as u16;
            let first = self.rims.len();
            self.rim_of.push(first as u32);
            self.queue.clear();
            self.queue.push(start);
            self.group[start.index()] = number;
            let mut next = 0;
            while next < self.queue.len() {
                let at = self.queue[next];
                next += 1;
                let ring = field.ring(at, seat);
                for (direction, near) in at.neighbours().into_iter().enumerate() {
                    if ring >> direction & 1 == 1 {
                        if self.group[near.index()] == 0 {
                            self.group[near.index()] = number;
                            self.queue.push(near);
                        }
                    } else if self.back[near.index()] == FAR
                        && field.is_free(near)
                        && field.dots.house(near.point()) != Some(seat)
                    {
                        self.back[near.index()] = 0;
                        self.rims.push(near);
                    }
                }
            }
            for place in &self.rims[first..] {
                self.back[place.index()] = FAR;
            }
        }
    }

    fn rim(&self, group: u16) -> std::ops::Range<usize> {
        let first = self.rim_of[usize::from(group)] as usize;
        let end = self
            .rim_of
            .get(usize::from(group) + 1)
            .map_or(self.rims.len(), |&end| end as usize);
        first..end
    }

    /// Finds the paths that lead from the home group back to it, over groups with higher numbers.
    fn search_home(&mut self, field: &mut Field, search: Search) {
        self.measure(field, search);
        for index in self.rim(search.home) {
            let path = Path {
                places: [Place::NONE; LONGEST],
                len: 0,
                groups: [0; MAX_GROUPS],
                group_count: 0,
                key: 0,
            };
            self.visit(field, search, path, self.rims[index]);
        }
        for index in 0..self.queue.len() {
            self.back[self.queue[index].index()] = FAR;
        }
        self.work(self.queue.len() as u32 / 8 + 1);
        self.queue.clear();
    }

    fn work(&mut self, units: u32) {
        self.budget = self.budget.saturating_sub(units);
    }

    /// Sets the distances to the home group, as far as paths go.
    fn measure(&mut self, field: &Field, Search { seat, home, limit }: Search) {
        self.queue.clear();
        for index in self.rim(home) {
            self.back[self.rims[index].index()] = 0;
            self.queue.push(self.rims[index]);
        }
        let mut next = 0;
        while next < self.queue.len() {
            let at = self.queue[next];
            next += 1;
            let distance = self.back[at.index()] + 1;
            if usize::from(distance) >= limit {
                break;
            }
            let ring = field.ring(at, seat);
            for (direction, near) in at.neighbours().into_iter().enumerate() {
                if ring >> direction & 1 == 0 {
                    if self.back[near.index()] == FAR && field.is_free(near) {
                        self.back[near.index()] = distance;
                        self.queue.push(near);
                    }
                } else if self.group[near.index()] > home {
                    for index in self.rim(self.group[near.index()]) {
                        let beyond = self.rims[index];
                        if self.back[beyond.index()] == FAR {
                            self.back[beyond.index()] = distance;
                            self.queue.push(beyond);
                        }
                    }
                }
            }
        }
    }

    /// Puts a dot on a point and goes on from there, unless the path ends.
    fn visit(&mut self, field: &mut Field, search: Search, mut path: Path, at: Place) {
        let Search { seat, limit, .. } = search;
        let is_home = self.back[at.index()] == 0;
        let ends = path.len + 1 == limit || is_home && path.len > 0;
        if ends && GAPS[usize::from(field.ring(at, seat))] < 2 {
            return;
        }
        if self.budget == 0 || self.found.len() >= MOST {
            return;
        }
        self.work(1);
        path.places[path.len] = at;
        path.len += 1;
        path.key ^= key(at, 7);
        let before = field.dots.score()[seat.index()];
        match field.play(seat, at) {
            Some(captor) if captor == seat => {
                let won = (field.dots.score()[seat.index()] - before).min(255) as u8;
                if path.len == limit {
                    self.work(1 << path.len >> 2);
                }
                if path.len == limit && !self.is_redundant(&path, won) {
                    self.captures.insert(path.key, won);
                    self.found.push(Trajectory {
                        places: path.places,
                        len: path.len as u8,
                        won,
                    });
                }
            }
            None if !ends => self.go_on(field, search, path, at),
            _ => {}
        }
        field.undo();
    }

    /// Visits the points that may follow the last dot of the path.
    fn go_on(&mut self, field: &mut Field, search: Search, path: Path, last: Place) {
        let left = search.limit - path.len;
        let ring = field.ring(last, search.seat);
        let near = last.neighbours();
        for (direction, &at) in near.iter().enumerate() {
            if ring >> direction & 1 == 0
                && usize::from(self.back[at.index()]) < left
                && field.is_free(at)
                && is_apart(&path.places[..path.len - 1], at)
            {
                self.visit(field, search, path, at);
            }
        }
        for (direction, &dot) in near.iter().enumerate() {
            let group = self.group[dot.index()];
            if ring >> direction & 1 == 0
                || group <= search.home
                || path.group_count == MAX_GROUPS
                || path.groups[..path.group_count].contains(&group)
            {
                continue;
            }
            let mut path = path;
            path.groups[path.group_count] = group;
            path.group_count += 1;
            for index in self.rim(group) {
                let at = self.rims[index];
                if usize::from(self.back[at.index()]) < left
                    && is_apart(&path.places[..path.len], at)
                    && field.is_free(at)
                {
                    self.visit(field, search, path, at);
                }
            }
        }
    }

    /// Returns whether the same dots, or some of them, are known to capture as much.
    fn is_redundant(&self, path: &Path, won: u8) -> bool {
        (1_u32..1 << path.len).any(|subset| {
            let key = (0..path.len)
                .filter(|index| subset >> index & 1 == 1)
                .fold(0, |sum, index| sum ^ key(path.places[index], 7));
            self.captures.get(key).is_some_and(|known| known >= won)
        })
    }
}

/// Returns whether a place is next to none of the others.
fn is_apart(places: &[Place], at: Place) -> bool {
    places.iter().all(|place| place.distance(at) > 1)
}

/// The captures of each known set of dots: a hash table with open addressing.
#[derive(Clone, Debug)]
struct CaptureTable(Vec<(u64, u8)>);

impl CaptureTable {
    /// Capacity: twice the largest number of trajectories, so that the table is never full.
    const LEN: usize = 16_384;

    fn new() -> Self {
        Self(vec![(0, 0); Self::LEN])
    }

    fn clear(&mut self) {
        self.0.fill((0, 0));
    }

    fn slot(&self, key: u64) -> usize {
        let mut slot = (key % Self::LEN as u64) as usize;
        while self.0[slot].0 != 0 && self.0[slot].0 != key {
            slot = (slot + 1) % Self::LEN;
        }
        slot
    }

    fn get(&self, key: u64) -> Option<u8> {
        let (known, won) = self.0[self.slot(key)];
        (known != 0).then_some(won)
    }

    fn insert(&mut self, key: u64, won: u8) {
        let slot = self.slot(key);
        self.0[slot] = (key, won);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;
    use tochki_rules::dots::{Dots, Opening, Point, Setup};

    /// All sets of so many free points on which the seat's dots, placed in some order, capture with the last one, and no
    /// part of which captures.
    fn all_sets(dots: &Dots, seat: Seat, longest: usize) -> BTreeSet<Vec<Point>> {
        let free: Vec<Point> = dots.free_points().collect();
        let mut found: BTreeSet<Vec<Point>> = BTreeSet::new();
        let mut open = vec![Vec::new()];
        for _ in 0..longest {
            let mut longer = BTreeSet::new();
            for path in open {
                let mut after = dots.clone();
                let captured = path
                    .iter()
                    .any(|&point| after.play_as(seat, point).unwrap().captor.is_some());
                assert!(!captured);
                for &point in free.iter().filter(|point| !path.contains(point)) {
                    let change = after.play_as(seat, point).unwrap();
                    let mut next: Vec<Point> = path.clone();
                    next.push(point);
                    match change.captor {
                        Some(captor) if captor == seat => {
                            next.sort();
                            found.insert(next);
                        }
                        None => {
                            longer.insert(next);
                        }
                        Some(_) => {}
                    }
                    after.undo();
                }
            }
            open = longer.into_iter().collect();
        }
        let is_minimal = |set: &&Vec<Point>| {
            found.iter().all(|other| {
                other.len() >= set.len() || !other.iter().all(|point| set.contains(point))
            })
        };
        found.iter().filter(is_minimal).cloned().collect()
    }

    #[test]
    fn they_are_those_that_are_found_by_trying_everything() {
        let mut counts = [0; LONGEST + 1];
        for seed in 0..40 {
            let mut rng = crate::Rng::new(seed);
            let setup = Setup::new(6, 6, Opening::Cross).unwrap();
            let mut dots = Dots::new(&setup);
            for _ in 0..12 {
                let free: Vec<Point> = dots.free_points().collect();
                dots.play(free[rng.below(free.len() as u32) as usize])
                    .unwrap();
            }
            let mut field = Field::new(&dots);
            let mut generator = Generator::new();
            for seat in Seat::BOTH {
                let mut listed = Vec::new();
                let complete = generator.find(&mut field, seat, 3, 1_000_000, &mut listed);
                assert!(complete);
                let listed: BTreeSet<Vec<Point>> = listed
                    .iter()
                    .map(|trajectory| {
                        let mut points: Vec<Point> = trajectory
                            .places()
                            .iter()
                            .map(|place| place.point())
                            .collect();
                        points.sort();
                        points
                    })
                    .collect();
                for set in all_sets(&dots, seat, 3) {
                    assert!(listed.contains(&set), "seed {seed}, {seat:?}: {set:?}");
                    counts[set.len()] += 1;
                }
            }
        }
        assert!(counts[1..=3].iter().all(|&count| count > 20), "{counts:?}");
    }
}
