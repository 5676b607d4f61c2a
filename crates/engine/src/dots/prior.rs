//! Priors: shares of moves before they were ever tried, by their features.

use super::{
    field::Field,
    patterns::{Glance, Strengths, Weights},
    place::{PLACES, Place},
};
use tochki_rules::{Game, Seat};

/// Moves that a node of the tree has at most.
pub(crate) const WIDEST: usize = 60;

/// The weight of a point in an own house, where the average of the others is 1.
const OWN_HOUSE: f32 = 0.0005;

/// The weight of a point in the other side's house where a dot captures nothing.
const OTHER_HOUSE: f32 = 0.0001;

/// The weight of a point far from all dots.
const FAR: f32 = 0.002;

/// Buffers for the priors of one node.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    /// Weight and place of each candidate.
    candidates: Vec<(f32, Place)>,
    near: [u64; 64],
    glance: Glance,
    strengths: Strengths,
}

/// The state of a node that weighs its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) seat: Seat,
    /// The dot that the other side has just placed, and the dot before it.
    pub(crate) last: [Place; 2],
}

impl Prior {
    pub(crate) fn new(weights: Weights) -> Self {
        Self {
            candidates: Vec::with_capacity(PLACES),
            near: [0; 64],
            glance: Glance::new(),
            strengths: Strengths::new(weights),
        }
    }

    /// The moves worth trying with their shares, the best first. `bonus` multiplies the weight of a point (by 1 if it knows
    /// nothing).
    pub(crate) fn weigh(
        &mut self,
        field: &mut Field,
        context: Context,
        bonus: impl Fn(Place) -> f32,
    ) -> &[(f32, Place)] {
        self.candidates.clear();
        let setup = *field.dots.setup();
        let Context { seat, last } = context;
        self.glance.look(field);
        self.glance.find_near(&mut self.near);
        let nothing_near = self.near.iter().all(|&row| row == 0);
        for point in setup.points() {
            if field.dots.is_free(point).is_err() {
                continue;
            }
            let at = Place::of(point);
            let near = nothing_near || self.near[usize::from(point.y)] >> point.x & 1 == 1;
            let weight = if near {
                match self.glance.features(field, seat, last, at) {
                    Some(features) => self.strengths.of(&features) * bonus(at),
                    None if field.dots.house(point) == Some(seat) => OWN_HOUSE,
                    None => OTHER_HOUSE,
                }
            } else {
                FAR
            };
            self.candidates.push((weight, at));
        }
        let order = |a: &(f32, Place), b: &(f32, Place)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        // There may be over two thousand candidates, and only the best are put in order.
        if self.candidates.len() > WIDEST {
            self.candidates.select_nth_unstable_by(WIDEST, order);
            self.candidates.truncate(WIDEST);
        }
        self.candidates.sort_unstable_by(order);
        let sum: f32 = self.candidates.iter().map(|candidate| candidate.0).sum();
        for candidate in &mut self.candidates {
            candidate.0 /= sum;
        }
        &self.candidates
    }
}
