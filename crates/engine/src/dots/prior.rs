//! How promising a move looks before it was ever tried: its distance to the last dots, what it links and cuts, the edge.

use super::{
    field::Field,
    place::{GAPS, PLACES, Place},
};
use tochki_rules::{Game, Seat};

/// Moves that a node of the tree has at most.
pub(crate) const WIDEST: usize = 60;

/// Buffers for the priors of one node.
#[derive(Clone, Debug)]
pub(crate) struct Prior {
    /// Weight and place of each candidate.
    candidates: Vec<(f32, Place)>,
    rows: [u64; 64],
}

/// What a node knows when it weighs its moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Context {
    pub(crate) seat: Seat,
    /// The dot that the other side has just placed, and the one before it.
    pub(crate) last: [Place; 2],
}

impl Prior {
    pub(crate) fn new() -> Self {
        Self {
            candidates: Vec::with_capacity(PLACES),
            rows: [0; 64],
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
        let (width, height) = (setup.width(), setup.height());
        self.find_near(field);
        let nothing_near = self.rows.iter().all(|&row| row == 0);
        for point in setup.points() {
            if field.dots.is_free(point).is_err() {
                continue;
            }
            let at = Place::of(point);
            let near = nothing_near || self.rows[usize::from(point.y)] >> point.x & 1 == 1;
            let weight = if near {
                weigh_one(field, context, at, width, height) * bonus(at)
            } else {
                0.002
            };
            self.candidates.push((weight, at));
        }
        let order = |a: &(f32, Place), b: &(f32, Place)| b.0.total_cmp(&a.0).then(a.1.cmp(&b.1));
        // There may be over two thousand of them, and only the best are put in order.
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

    /// Sets a bit for each point within three steps of a dot.
    fn find_near(&mut self, field: &Field) {
        self.rows.fill(0);
        let setup = *field.dots.setup();
        let mut dots = [0_u64; 64];
        for point in setup.points() {
            if field.dots.live(point).is_some() {
                dots[usize::from(point.y)] |= 1 << point.x;
            }
        }
        for (y, row) in dots.iter().enumerate().take(usize::from(setup.height())) {
            let wide = row | row << 1 | row << 2 | row << 3 | row >> 1 | row >> 2 | row >> 3;
            for near in y.saturating_sub(3)..=(y + 3).min(63) {
                self.rows[near] |= wide;
            }
        }
    }
}

fn weigh_one(field: &mut Field, context: Context, at: Place, width: u8, height: u8) -> f32 {
    let Context { seat, last } = context;
    let point = at.point();
    match field.dots.house(point) {
        Some(owner) if owner == seat => return 0.0005,
        Some(_) => {
            // Only a dot that captures something may enter.
            if GAPS[usize::from(field.ring(at, seat))] < 2 || field.play_captures(seat, at) == 0 {
                return 0.0001;
            }
            return 5.0;
        }
        None => {}
    }
    let own = field.ring(at, seat);
    let enemy = field.ring(at, seat.other());
    let mut weight = 1.0;
    let distance = |place: Place| {
        if place == Place::NONE {
            9
        } else {
            usize::from(place.distance(at)).min(9)
        }
    };
    weight *= [1.0, 5.0, 4.0, 2.5, 1.5, 1.2, 1.0, 1.0, 1.0, 1.0][distance(last[0])];
    weight *= [1.0, 2.0, 2.5, 1.8, 1.3, 1.1, 1.0, 1.0, 1.0, 1.0][distance(last[1])];
    weight *= [1.0, 1.3, 1.0, 0.7, 0.4, 0.2, 0.1, 0.1, 0.1][own.count_ones() as usize];
    weight *= [0.7, 1.2, 1.3, 1.1, 0.8, 0.5, 0.3, 0.2, 0.1][enemy.count_ones() as usize];
    if GAPS[usize::from(own)] >= 2 {
        weight *= if enemy == 0 { 1.2 } else { 2.0 };
        let won = field.play_captures(seat, at);
        if won > 0 {
            weight *= 30.0 + 10.0 * won as f32;
        }
    }
    if GAPS[usize::from(enemy)] >= 2 {
        weight *= if own == 0 { 1.2 } else { 2.0 };
        let lost = field.play_captures(seat.other(), at);
        if lost > 0 {
            weight *= 20.0 + 10.0 * lost as f32;
        }
    }
    let edge = point
        .x
        .min(point.y)
        .min(width - 1 - point.x)
        .min(height - 1 - point.y);
    weight *= [0.15, 0.6, 0.9, 1.0][usize::from(edge.min(3))];
    weight
}
