//! The interface for the trainer of the weights: the moves of a position with their features, and an engine that plays with other
//! weights.

pub use super::patterns::{CLASSES, FEATURES, KINDS, MoveFeatures, UNIT, Weights, class};
use super::{
    DotsEngine,
    field::Field,
    patterns::Glance,
    place::{GAPS, PLACES, Place},
};
use crate::Limits;
use tochki_rules::{
    Game,
    dots::{Dots, Point},
};

/// The number of openings between the dots of a ring of neighbours, clockwise from up and left: a dot with less than two links
/// nothing.
#[must_use]
pub fn gaps(ring: u8) -> u8 {
    GAPS[usize::from(ring)]
}

/// The moves of a position that a search weighs by their features, row by row; none at its end.
#[must_use]
pub fn moves(position: &Dots) -> Vec<(Point, MoveFeatures)> {
    let Some(seat) = position.to_move() else {
        return Vec::new();
    };
    let mut past = position.clone();
    let last = [(); 2].map(|()| past.undo().map_or(Place::NONE, Place::of));
    let mut field = Field::new(position);
    let mut glance = Glance::new();
    let mut near = [0; 64];
    glance.look(&field);
    glance.find_near(&mut near);
    let mut moves = Vec::with_capacity(PLACES);
    for point in position.free_points() {
        if near[usize::from(point.y)] >> point.x & 1 == 1
            && let Some(features) = glance.features(&mut field, seat, last, Place::of(point))
        {
            moves.push((point, features));
        }
    }
    moves
}

/// The engine with these weights instead of its own, as long as the limit of its memory stays the same.
#[must_use]
pub fn engine(position: &Dots, limits: Limits, seed: u64, weights: &Weights) -> DotsEngine {
    DotsEngine::with_weights(position, limits, seed, weights.clone())
}
