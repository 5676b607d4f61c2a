//! The board that the searches play on: the rules' position with a Zobrist hash.

use super::place::Place;
use tochki_rules::{Game, Seat, dots::Dots};

/// A position with the hash of its dots and areas.
#[derive(Clone, Debug)]
pub struct Field {
    pub(crate) dots: Dots,
    hash: u64,
    /// The hashes before each move that was played here.
    past: Vec<u64>,
}

impl Field {
    /// The field of a position.
    pub fn new(dots: &Dots) -> Self {
        let mut hash = 0;
        for point in dots.setup().points() {
            let spot = dots.at(point);
            if let Some(dot) = spot.dot {
                hash ^= dot_key(Place::of(point), dot.seat);
            }
            if let Some(seat) = spot.area {
                hash ^= area_key(Place::of(point), seat);
            }
        }
        Self {
            dots: dots.clone(),
            hash,
            past: Vec::with_capacity(64),
        }
    }

    /// The position.
    pub fn dots(&self) -> &Dots {
        &self.dots
    }

    /// The hash: equal for equal dots and areas, whatever their order (but for areas that were captured more than once).
    #[inline]
    pub(crate) fn hash(&self) -> u64 {
        self.hash
    }

    #[inline]
    pub(crate) fn is_free(&self, at: Place) -> bool {
        self.dots.is_free(at.point()).is_ok()
    }

    /// The neighbours that are live dots of the seat.
    #[inline]
    pub(crate) fn ring(&self, at: Place, seat: Seat) -> u8 {
        self.dots.ring(at.point(), seat)
    }

    /// Places a dot on a free point. Returns the seat that captured something, if any did.
    #[inline]
    pub(crate) fn play(&mut self, seat: Seat, at: Place) -> Option<Seat> {
        self.past.push(self.hash);
        let change = self
            .dots
            .play_as(seat, at.point())
            .expect("the search places dots on free points only");
        self.hash ^= dot_key(at, seat);
        if let Some(captor) = change.captor {
            for capture in self.dots.captures_of(&change) {
                for point in capture.area() {
                    self.hash ^= area_key(Place::of(point), captor);
                }
            }
        }
        change.captor
    }

    /// Takes back the last move of [`Field::play`].
    #[inline]
    pub(crate) fn undo(&mut self) {
        if let Some(hash) = self.past.pop() {
            self.hash = hash;
            self.dots.undo();
        }
    }

    /// Dots that the seat would capture by a dot on the free point.
    #[inline]
    pub(crate) fn play_captures(&mut self, seat: Seat, at: Place) -> u32 {
        self.dots
            .preview(seat, at.point(), |_, change| {
                if change.captor == Some(seat) {
                    change.won
                } else {
                    0
                }
            })
            .unwrap_or(0)
    }

    /// Points of the seat minus points of the other side.
    #[inline]
    pub(crate) fn lead(&self, seat: Seat) -> i32 {
        lead(&self.dots, seat)
    }
}

/// Points of the seat minus points of the other side.
#[inline]
pub(crate) fn lead(dots: &Dots, seat: Seat) -> i32 {
    let score = dots.score();
    score[seat.index()] as i32 - score[seat.other().index()] as i32
}

#[inline]
fn dot_key(at: Place, seat: Seat) -> u64 {
    key(at, seat.index() as u64)
}

#[inline]
fn area_key(at: Place, seat: Seat) -> u64 {
    key(at, 2 + seat.index() as u64)
}

/// A number that looks random for each place and purpose (`SplitMix64`).
#[inline]
pub(crate) fn key(at: Place, purpose: u64) -> u64 {
    let seed = (at.index() as u64) << 3 | purpose;
    let mut mixed = seed.wrapping_add(1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    mixed ^ (mixed >> 31)
}
