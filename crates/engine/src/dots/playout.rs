//! Playouts: games played to the end by a cheap policy, and the first side to place a dot on each point (for RAVE).

use super::{
    field::lead,
    place::{PLACES, Place, table},
};
use crate::Rng;
use tochki_rules::{Game, Seat, dots::Dots};

/// Buffers of the playouts, and the results of the last playout.
#[derive(Clone, Debug)]
pub(crate) struct Playout {
    /// The free points of the position that the tree begins from.
    free: Vec<Place>,
    bag: Vec<Place>,
    /// Free points of houses, which are played when nothing else is left.
    houses: Vec<Place>,
    /// The first side to place a dot on each point: 0 for nobody, otherwise the seat's number.
    first: Box<[u8; PLACES]>,
    placed: Vec<Place>,
}

impl Playout {
    pub(crate) fn new() -> Self {
        Self {
            free: Vec::with_capacity(PLACES),
            bag: Vec::with_capacity(PLACES),
            houses: Vec::with_capacity(PLACES),
            first: table(0),
            placed: Vec::with_capacity(PLACES),
        }
    }

    /// Lists the free points of a position; all playouts begin from it or from positions after it.
    pub(crate) fn begin(&mut self, dots: &Dots) {
        self.free.clear();
        self.free.extend(dots.free_points().map(Place::of));
    }

    /// Forgets the last playout.
    pub(crate) fn clear(&mut self) {
        for place in self.placed.drain(..) {
            self.first[place.index()] = 0;
        }
    }

    /// Notes a dot that is placed in the tree.
    #[inline]
    pub(crate) fn note(&mut self, seat: Seat, at: Place) {
        let first = &mut self.first[at.index()];
        if *first == 0 {
            *first = seat.number();
            self.placed.push(at);
        }
    }

    /// Returns whether the seat was the first to place a dot on the point.
    #[inline]
    pub(crate) fn was_first(&self, seat: Seat, at: Place) -> bool {
        self.first[at.index()] == seat.number()
    }

    /// Plays to the end of the game and back. Returns the lead of the first seat at the end, and the number of dots placed.
    pub(crate) fn run(&mut self, dots: &mut Dots, mut last: Place, rng: &mut Rng) -> (i32, u32) {
        self.bag.clear();
        self.bag.extend_from_slice(&self.free);
        self.houses.clear();
        let mut count = 0;
        let mut reason = Reason::Other;
        while let Some(seat) = dots.to_move() {
            let at = match reply(dots, seat, last, reason, rng) {
                Some((at, why)) => {
                    reason = why;
                    at
                }
                None => match self
                    .draw(dots, rng)
                    .or_else(|| self.draw_from_houses(dots, seat))
                {
                    Some(at) => {
                        reason = Reason::Other;
                        at
                    }
                    None => break,
                },
            };
            if dots.play_as(seat, at.point()).is_err() {
                debug_assert!(false, "a playout places dots on free points only");
                break;
            }
            self.note(seat, at);
            count += 1;
            last = at;
        }
        let result = lead(dots, Seat::First);
        for _ in 0..count {
            dots.undo();
        }
        (result, count)
    }

    /// Draws a free point by lot, points in houses left for later.
    #[inline]
    fn draw(&mut self, dots: &Dots, rng: &mut Rng) -> Option<Place> {
        while !self.bag.is_empty() {
            let at = self
                .bag
                .swap_remove(rng.below(self.bag.len() as u32) as usize);
            let point = at.point();
            if dots.is_free(point).is_ok() {
                if dots.house(point).is_none() {
                    return Some(at);
                }
                self.houses.push(at);
            }
        }
        None
    }

    /// Draws a free point of an own house, or else of any.
    fn draw_from_houses(&mut self, dots: &Dots, seat: Seat) -> Option<Place> {
        self.houses.retain(|at| dots.is_free(at.point()).is_ok());
        let own = |at: &Place| dots.house(at.point()) != Some(seat.other());
        let index = self.houses.iter().position(own).unwrap_or(0);
        (index < self.houses.len()).then(|| self.houses.swap_remove(index))
    }
}

/// The reason why a dot of a playout is placed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// The other side would have captured by a dot there.
    Saves,
    Other,
}

/// Finds an answer next to the last dot: to capture it, to save dots that it threatens, to go on with a ladder if it was the
/// answer to a threat, or to link own dots that it is about to cut.
#[inline]
fn reply(
    dots: &Dots,
    seat: Seat,
    last: Place,
    reason: Reason,
    rng: &mut Rng,
) -> Option<(Place, Reason)> {
    let point = last.point();
    if last == Place::NONE {
        return None;
    }
    let own = dots.ring(point, seat);
    if own == 0 {
        return None;
    }
    let answer = answer_to_threat(dots, seat, last, own, reason);
    if answer.is_some() {
        return answer;
    }
    let mut links = dots.links_around(point, seat);
    if links == 0 {
        return None;
    }
    for _ in 0..rng.below(links.count_ones()) {
        links &= links - 1;
    }
    let at = neighbour(last, links);
    let is_open = dots.house(at.point()).is_none();
    is_open.then_some((at, Reason::Other))
}

/// Finds the capture of the last dot, a dot that saves a dot beside it, or the next dot of a ladder.
#[inline]
fn answer_to_threat(
    dots: &Dots,
    seat: Seat,
    last: Place,
    own: u8,
    reason: Reason,
) -> Option<(Place, Reason)> {
    if let Some(at) = last_opening(dots, last, seat) {
        return Some((at, Reason::Other));
    }
    let mut beside = own & STRAIGHT;
    while beside != 0 {
        if let Some(at) = last_opening(dots, neighbour(last, beside), seat.other()) {
            return Some((at, Reason::Saves));
        }
        beside &= beside - 1;
    }
    let goes_on = reason == Reason::Saves;
    goes_on
        .then(|| ladder_move(dots, seat, last))
        .flatten()
        .map(|at| (at, Reason::Other))
}

/// The bits of the straight neighbours in a ring.
const STRAIGHT: u8 = 0b1010_1010;

/// The neighbour of the lowest bit that is set.
#[inline]
fn neighbour(place: Place, bits: u8) -> Place {
    place.neighbours()[bits.trailing_zeros() as usize % 8]
}

/// The free point where a dot of the captor closes the face of one or two dots of the other side, if nothing else is open.
#[inline]
fn last_opening(dots: &Dots, dot: Place, captor: Seat) -> Option<Place> {
    let open = !dots.ring(dot.point(), captor) & STRAIGHT;
    if open.count_ones() > 2 {
        return None;
    }
    let beside = open & dots.ring(dot.point(), captor.other());
    let near = open & !beside;
    let at = if beside == 0 {
        near.is_power_of_two().then(|| neighbour(dot, near))?
    } else if beside.is_power_of_two() {
        // A second dot, of which the way back to the first one is not counted.
        let second = neighbour(dot, beside);
        let far = !dots.ring(second.point(), captor) & STRAIGHT & !beside.rotate_left(4);
        match (near.count_ones(), far.count_ones()) {
            (1, 0) => neighbour(dot, near),
            (0, 1) => neighbour(second, far),
            _ => return None,
        }
    } else {
        return None;
    };
    dots.is_free(at.point()).is_ok().then_some(at)
}

/// Of the two ways on of the runner's last dot, the point to close, so that the runner has to go where there are more dots of the
/// seat.
fn ladder_move(dots: &Dots, seat: Seat, runner: Place) -> Option<Place> {
    // The runner has a dot of its own on the way that it came.
    let taken = dots.ring(runner.point(), seat) | dots.ring(runner.point(), seat.other());
    let open = !taken & STRAIGHT;
    let is_free = |at: &Place| dots.is_free(at.point()).is_ok();
    let beside = |at: Place| dots.ring(at.point(), seat).count_ones();
    let one = Some(neighbour(runner, open)).filter(is_free)?;
    let other = Some(neighbour(runner, open & open.wrapping_sub(1))).filter(is_free)?;
    let closed = if beside(one) <= beside(other) {
        one
    } else {
        other
    };
    (open.count_ones() == 2).then_some(closed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dots::tests::read;
    use tochki_rules::dots::Point;

    /// Red answers blue's dot on that point by a dot on the marked one.
    #[track_caller]
    fn check(drawing: &str, last: (u8, u8), before: Reason, expected: Reason) {
        let (dots, marked) = read(drawing);
        let last = Place::of(Point::new(last.0, last.1));
        for seed in 0..8 {
            let answer = reply(&dots, Seat::First, last, before, &mut Rng::new(seed));
            assert_eq!(answer, Some((Place::of(marked[0]), expected)));
        }
    }

    #[test]
    fn a_playout_saves_what_the_last_dot_threatens() {
        check(
            ". . . . . . .
             . . . B . . .
             . . B R * . .
             . . . B . . .
             . . . . . . .",
            (3, 3),
            Reason::Other,
            Reason::Saves,
        );
        check(
            ". . . . . . .
             . . . B B . .
             . . B R R * .
             . . . B B . .
             . . . . . . .",
            (4, 3),
            Reason::Other,
            Reason::Saves,
        );
    }

    #[test]
    fn a_playout_captures_before_it_saves() {
        check(
            ". . . . . . .
             . . . B . . .
             . . B R . . .
             . . R B R . .
             . . . * . . .
             . . . . . . .",
            (3, 3),
            Reason::Other,
            Reason::Other,
        );
    }

    #[test]
    fn a_playout_goes_on_with_a_ladder() {
        // Blue has just saved its dots; beside the wall it can only be closed from the open side.
        check(
            ". . . . . .
             . . R . . .
             . R B R . .
             . R B * . .
             . R . . . .
             . R . . . .
             . . . . . .",
            (2, 3),
            Reason::Saves,
            Reason::Other,
        );
    }

    #[test]
    fn what_touches_the_edge_needs_no_saving() {
        let (dots, _) = read(
            ". B R . . .
             . . B . . .
             . . . . . .
             . . . . . .",
        );
        let last = Place::of(Point::new(2, 1));
        let answer = answer_to_threat(&dots, Seat::First, last, 0b10, Reason::Other);
        assert_eq!(answer, None);
    }
}
