//! Features of a move that are seen at a glance, and their weights: the 3 × 3 points round it, the distance to the last dots, the
//! edge, the dots that it captures and saves.
//!
//! The weights are strengths of the Bradley–Terry model (R. Coulom, "Computing Elo ratings of move patterns in the game of
//! Go", 2007): a move competes as a team of its features, whose strengths are multiplied, and the share of a move among all
//! is the probability that it is played. `tochki-train dots` learns them from games of the engine itself. They are in
//! `patterns.bin`, a byte each, as logarithms.

use super::{
    field::Field,
    place::{GAPS, Place},
};
use std::{borrow::Cow, sync::LazyLock};
use tochki_rules::{Game, Seat};

/// Classes of the 3 × 3 points round a move: four states of eight neighbours, without symmetric ones.
pub const CLASSES: usize = 8740;

/// The number of values of each kind of feature: the neighbours, the distances to the last dot and to the one before, the edge,
/// captured dots, saved dots, the dots two steps away.
pub const KINDS: [usize; 7] = [CLASSES, DISTANCES, DISTANCES, EDGES, GAINS, GAINS, WIDE];

/// The number of features.
pub const FEATURES: usize = CLASSES + 2 * DISTANCES + EDGES + 2 * GAINS + WIDE;

/// Units of the file to one of the natural logarithm.
pub const UNIT: f32 = 16.0;

const DISTANCES: usize = 16;
const EDGES: usize = 5;
const GAINS: usize = 5;
const WIDE: usize = 16;

/// The first feature of each kind.
const FIRST: [u16; 7] = {
    let mut first = [0; 7];
    let mut kind = 1;
    while kind < 7 {
        first[kind] = first[kind - 1] + KINDS[kind - 1] as u16;
        kind += 1;
    }
    first
};

static TRAINED: &[u8; FEATURES] = include_bytes!("patterns.bin");

/// The features of a move, one of each kind in the order of [`KINDS`], as indices below [`FEATURES`].
pub type MoveFeatures = [u16; 7];

/// The eight symmetries of the square, of a ring of neighbours clockwise from up and left.
pub(crate) fn symmetries(ring: u8) -> [u8; 8] {
    let mirrored = ring.reverse_bits().rotate_left(3);
    std::array::from_fn(|number| {
        let turned = if number < 4 { ring } else { mirrored };
        turned.rotate_left(2 * (number as u32 % 4))
    })
}

/// The class of each pattern, whose index is the ring of the mover's dots, and above it the ring of the other's. A neighbour that
/// is in both is off the board or captured.
static CLASS: LazyLock<Box<[u16]>> = LazyLock::new(|| {
    let mut classes = vec![u16::MAX; 1 << 16].into_boxed_slice();
    let mut next = 0;
    for pattern in 0..1 << 16 {
        if classes[pattern] == u16::MAX {
            let [low, high] = [pattern as u8, (pattern >> 8) as u8].map(symmetries);
            for (low, high) in low.into_iter().zip(high) {
                classes[usize::from(low) | usize::from(high) << 8] = next;
            }
            next += 1;
        }
    }
    classes
});

/// The class of the neighbours of a move, by the rings of the mover's dots, of the other's, and of points off the board or
/// captured.
#[inline]
#[must_use]
pub fn class(own: u8, enemy: u8, closed: u8) -> u16 {
    CLASS[usize::from(own | closed) | usize::from(enemy | closed) << 8]
}

/// The board in bits, for the features of the side to move.
#[derive(Clone, Debug)]
pub(crate) struct Glance {
    /// Live dots of the seats, and points that hold a live dot or are free; a point's column and row are one more than its
    /// own, so that there is room round the board.
    live: [[u64; ROWS]; 2],
    open: [u64; ROWS],
    width: u8,
    height: u8,
}

/// Rows of the largest board, and one or two on each side.
const ROWS: usize = 64;

/// The room on each side of the board.
const MARGIN: u8 = 2;

impl Glance {
    pub(crate) fn new() -> Self {
        Self {
            live: [[0; ROWS]; 2],
            open: [0; ROWS],
            width: 0,
            height: 0,
        }
    }

    /// Looks at a position.
    pub(crate) fn look(&mut self, field: &Field) {
        let setup = *field.dots.setup();
        (self.width, self.height) = (setup.width(), setup.height());
        self.live = [[0; ROWS]; 2];
        self.open = [0; ROWS];
        for point in setup.points() {
            let row = usize::from(point.y + MARGIN);
            let bit = 1 << (point.x + MARGIN);
            if let Some(seat) = field.dots.live(point) {
                self.live[seat.index()][row] |= bit;
                self.open[row] |= bit;
            } else if field.dots.is_free(point).is_ok() {
                self.open[row] |= bit;
            }
        }
    }

    /// The points within three steps of a live dot, as bits of rows and columns from 0.
    pub(crate) fn find_near(&self, near: &mut [u64; ROWS]) {
        near.fill(0);
        let dots = |y: usize| self.live[0][y] | self.live[1][y];
        for y in 0..usize::from(self.height) {
            let row = dots(y + usize::from(MARGIN)) >> MARGIN;
            let wide = row | row << 1 | row << 2 | row << 3 | row >> 1 | row >> 2 | row >> 3;
            for near in &mut near[y.saturating_sub(3)..=(y + 3).min(ROWS - 1)] {
                *near |= wide;
            }
        }
    }

    /// The neighbours of a point that are set, clockwise from up and left.
    #[inline]
    fn ring(rows: &[u64; ROWS], x: u8, y: u8) -> u8 {
        let row = |step: u8| rows[usize::from(y + MARGIN - 1 + step) % ROWS] >> (x + MARGIN - 1);
        let (above, beside, below) = (row(0), row(1), row(2));
        // The three bits below come in the other direction.
        let turned = (below & 1) << 6 | (below & 2) << 4 | (below & 4) << 2;
        ((above & 7) | (beside & 4) << 1 | turned | (beside & 1) << 7) as u8
    }

    /// The number of set points two steps away.
    #[inline]
    fn wide(rows: &[u64; ROWS], x: u8, y: u8) -> u32 {
        let row = |step: u8| rows[usize::from(y + MARGIN - 2 + step) % ROWS] >> (x + MARGIN - 2);
        let sides = row(1) & 0b10001 | (row(2) & 0b10001) << 8 | (row(3) & 0b10001) << 16;
        let all = row(0) & 0b11111 | (row(4) & 0b11111) << 24;
        (sides << 32 | all).count_ones()
    }

    /// The features of a free point for the side to move after the last two dots, or nothing if it is a house that a dot would be
    /// placed in without need: an own house, or the other's where it captures nothing.
    #[inline]
    pub(crate) fn features(
        &self,
        field: &mut Field,
        seat: Seat,
        last: [Place; 2],
        at: Place,
    ) -> Option<MoveFeatures> {
        let point = at.point();
        let own = field.ring(at, seat);
        let enemy = field.ring(at, seat.other());
        let mut gain = |seat: Seat, ring: u8| {
            if GAPS[usize::from(ring)] < 2 {
                0
            } else {
                field.play_captures(seat, at)
            }
        };
        let won = gain(seat, own);
        let saved = gain(seat.other(), enemy);
        if let Some(owner) = field.dots.house(point)
            && (owner == seat || won == 0)
        {
            return None;
        }
        let closed = !Self::ring(&self.open, point.x, point.y);
        let (right, below) = (self.width - 1 - point.x, self.height - 1 - point.y);
        let edge = point.x.min(point.y).min(right).min(below);
        let [own_wide, enemy_wide] = [seat, seat.other()]
            .map(|seat| Self::wide(&self.live[seat.index()], point.x, point.y).min(3) as u16);
        Some([
            class(own, enemy, closed),
            FIRST[1] + distance(last[0], at),
            FIRST[2] + distance(last[1], at),
            FIRST[3] + u16::from(edge).min(EDGES as u16 - 1),
            FIRST[4] + gain_class(won),
            FIRST[5] + gain_class(saved),
            FIRST[6] + 4 * own_wide + enemy_wide,
        ])
    }
}

/// Coulom's distance, from 2 for a neighbour: columns and rows between two points, and the larger of both once again.
#[inline]
fn distance(last: Place, at: Place) -> u16 {
    const FAR: u16 = DISTANCES as u16 - 1;
    if last == Place::NONE {
        return FAR;
    }
    (last.steps(at) + last.distance(at))
        .saturating_sub(2)
        .min(FAR)
}

/// The class of a number of dots: 0, 1, 2, 3 or 4, or more.
const fn gain_class(dots: u32) -> u16 {
    match dots {
        0..=2 => dots as u16,
        3..=4 => 3,
        _ => 4,
    }
}

/// The weights of features, as logarithms in units of [`UNIT`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights(Cow<'static, [u8]>);

impl Weights {
    /// The weights that the engine plays with.
    #[must_use]
    pub fn trained() -> Self {
        Self(Cow::Borrowed(TRAINED))
    }

    /// Makes weights of one number for each feature: missing ones are 0, further ones are left out.
    #[must_use]
    pub fn new(weights: impl IntoIterator<Item = i8>) -> Self {
        let mut bytes: Vec<u8> = weights.into_iter().map(|weight| weight as u8).collect();
        bytes.resize(FEATURES, 0);
        Self(Cow::Owned(bytes))
    }

    /// The bytes of the file.
    #[must_use]
    pub fn encode(&self) -> Vec<u8> {
        self.0.to_vec()
    }

    /// The logarithm of a move's strength.
    #[inline]
    fn sum(&self, features: &MoveFeatures) -> i32 {
        features
            .iter()
            .map(|&feature| {
                let byte = self.0.get(usize::from(feature)).copied();
                i32::from(byte.unwrap_or(0) as i8)
            })
            .sum()
    }
}

/// The strengths of moves.
#[derive(Clone, Debug)]
pub(crate) struct Strengths {
    weights: Weights,
    /// Powers of e for the sums of weights.
    powers: Box<[f32; 2 * MOST_UNITS + 1]>,
}

/// The largest logarithm of a move's strength, in units of the file.
const MOST_UNITS: usize = 160;

impl Strengths {
    pub(crate) fn new(weights: Weights) -> Self {
        /// e to the power of 1 / [`UNIT`]. Multiplied again and again it gives the same numbers on every platform.
        const STEP: f64 = 1.064_494_458_917_859_3;
        let mut powers = Box::new([1.0; 2 * MOST_UNITS + 1]);
        let mut power = 1.0;
        for step in 1..=MOST_UNITS {
            power *= STEP;
            powers[MOST_UNITS + step] = power as f32;
            powers[MOST_UNITS - step] = (1.0 / power) as f32;
        }
        Self { weights, powers }
    }

    /// The strength of a move with these features, 1 if they say nothing.
    #[inline]
    pub(crate) fn of(&self, features: &MoveFeatures) -> f32 {
        let most = MOST_UNITS as i32;
        let sum = self.weights.sum(features).clamp(-most, most);
        self.powers[(sum + most) as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_rules::dots::{Dots, Opening, Setup};

    #[test]
    fn a_pattern_has_the_class_of_its_turned_and_mirrored_ones() {
        let mut seen = [false; CLASSES];
        for own in 0..=255_u8 {
            for enemy in 0..=255_u8 {
                let known = CLASS[usize::from(own) | usize::from(enemy) << 8];
                seen[usize::from(known)] = true;
                for (own, enemy) in symmetries(own).into_iter().zip(symmetries(enemy)) {
                    assert_eq!(class(own & !enemy, enemy & !own, own & enemy), known);
                }
            }
        }
        // Burnside's lemma gives their number, so no two classes are one.
        assert_eq!(CLASSES, (1 << 16) / 8 + (2 * 16 + 256 + 4 * 1024) / 8);
        assert!(seen.iter().all(|&seen| seen), "each class has a pattern");
    }

    #[test]
    fn the_symmetries_keep_neighbours_neighbours() {
        for number in 0..8 {
            let turned = |bit: u32| symmetries(1 << (bit % 8))[number].trailing_zeros();
            for bit in 0..8 {
                let step = turned(bit).abs_diff(turned(bit + 1));
                assert!(step == 1 || step == 7, "{bit} in symmetry {number}");
                assert_eq!(turned(bit) % 2, bit % 2, "corners stay corners");
            }
        }
        let mut images = symmetries(0b0000_0110);
        images.sort_unstable();
        assert!(
            images.windows(2).all(|pair| pair[0] != pair[1]),
            "all eight"
        );
    }

    #[test]
    fn a_ring_of_bits_is_the_ring_of_the_rules() {
        let setup = Setup::new(50, 50, Opening::Empty).unwrap();
        let mut dots = Dots::new(&setup);
        let mut rng = crate::Rng::new(1);
        for _ in 0..900 {
            let free: Vec<_> = dots.free_points().collect();
            dots.play(free[rng.below(free.len() as u32) as usize])
                .unwrap();
        }
        let mut glance = Glance::new();
        glance.look(&Field::new(&dots));
        for point in setup.points() {
            let mut open = 0;
            for (bit, near) in Place::of(point).neighbours().into_iter().enumerate() {
                let near = near.point();
                let is_open =
                    dots.is_free(near).is_ok() || setup.contains(near) && dots.live(near).is_some();
                open |= u8::from(is_open) << bit;
            }
            assert_eq!(Glance::ring(&glance.open, point.x, point.y), open);
            for seat in Seat::BOTH {
                let live = &glance.live[seat.index()];
                assert_eq!(Glance::ring(live, point.x, point.y), dots.ring(point, seat));
                let two_steps = (Place::of(point).square())
                    .filter(|near| near.distance(Place::of(point)) == 2)
                    .map(Place::point);
                let wide =
                    two_steps.filter(|&near| setup.contains(near) && dots.live(near) == Some(seat));
                assert_eq!(Glance::wide(live, point.x, point.y), wide.count() as u32);
            }
        }
    }

    #[test]
    fn strengths_are_powers_of_e() {
        let unit = Weights::new([UNIT as i8, -(UNIT as i8)]);
        let strengths = Strengths::new(unit.clone());
        let rest = [9, 9, 9, 9, 9, 9];
        let of = |first: u16| {
            let mut features = [first; 7];
            features[1..].copy_from_slice(&rest);
            strengths.of(&features)
        };
        assert!((of(0) / std::f32::consts::E - 1.0).abs() < 1e-5);
        assert!((of(1) * std::f32::consts::E - 1.0).abs() < 1e-5);
        assert!(
            (of(2) - 1.0).abs() < 1e-6,
            "what has no weight says nothing"
        );
        assert_eq!(
            Weights::new(unit.encode().into_iter().map(|it| it as i8)),
            unit
        );
    }
}
