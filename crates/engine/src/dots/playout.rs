//! Playouts: games played to the end by a cheap policy, and who was first to place a dot on each point (for RAVE).

use super::{
    field::lead,
    place::{PLACES, Place, table},
};
use crate::Rng;
use tochki_rules::{Game, Seat, dots::Dots};

/// Buffers of the playouts, and what the last one did.
#[derive(Clone, Debug)]
pub(crate) struct Playout {
    /// The free points of the position that the tree begins from.
    free: Vec<Place>,
    bag: Vec<Place>,
    /// Free points of houses, which are played when nothing else is left.
    houses: Vec<Place>,
    /// Who was the first to place a dot: 0 for nobody, otherwise the seat's number.
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

    /// Whether the seat was the first to place a dot on the point.
    #[inline]
    pub(crate) fn was_first(&self, seat: Seat, at: Place) -> bool {
        self.first[at.index()] == seat.number()
    }

    /// Plays to the end of the game and back. Gives the lead of the first seat at the end, and how many dots it took.
    pub(crate) fn run(&mut self, dots: &mut Dots, mut last: Place, rng: &mut Rng) -> (i32, u32) {
        self.bag.clear();
        self.bag.extend_from_slice(&self.free);
        self.houses.clear();
        let mut count = 0;
        while let Some(seat) = dots.to_move() {
            let at = match reply(dots, seat, last, rng) {
                Some(at) => at,
                None => match self
                    .draw(dots, rng)
                    .or_else(|| self.draw_from_houses(dots, seat))
                {
                    Some(at) => at,
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

    /// A free point by lot, those in houses left for later.
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

    /// A free point of an own house, or else of any.
    fn draw_from_houses(&mut self, dots: &Dots, seat: Seat) -> Option<Place> {
        self.houses.retain(|at| dots.is_free(at.point()).is_ok());
        let own = |at: &Place| dots.house(at.point()) != Some(seat.other());
        let index = self.houses.iter().position(own).unwrap_or(0);
        (index < self.houses.len()).then(|| self.houses.swap_remove(index))
    }
}

/// An answer next to the last dot: to link own dots that it is about to cut.
#[inline]
fn reply(dots: &Dots, seat: Seat, last: Place, rng: &mut Rng) -> Option<Place> {
    let point = last.point();
    if last == Place::NONE || dots.ring(point, seat) == 0 {
        return None;
    }
    let mut links = dots.links_around(point, seat);
    if links == 0 {
        return None;
    }
    for _ in 0..rng.below(links.count_ones()) {
        links &= links - 1;
    }
    let choice = last.neighbours()[links.trailing_zeros() as usize % 8];
    dots.house(choice.point()).is_none().then_some(choice)
}
