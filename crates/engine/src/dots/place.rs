//! A point as an index with a margin round the board, so that a neighbour is always at the same distance.

use tochki_rules::dots::Point;

/// Places from one row to the next: a power of two, and more than the largest board and its margin are wide.
const ROW: u16 = 64;

/// Length of a table with an entry for each place.
pub(crate) const PLACES: usize = 4096;

/// A table with an entry for each place.
#[expect(
    clippy::unnecessary_box_returns,
    reason = "up to 32 KiB do not belong on the stack of a browser's worker"
)]
pub(crate) fn table<T: Copy + std::fmt::Debug>(value: T) -> Box<[T; PLACES]> {
    vec![value; PLACES].try_into().expect("the length is right")
}

/// A point of the board or of the margin round it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place(u16);

impl Place {
    /// A place in the margin: no point of any board.
    pub(crate) const NONE: Self = Self(0);

    pub(crate) const fn of(point: Point) -> Self {
        Self((point.y as u16 + 1) * ROW + point.x as u16 + 1)
    }

    /// The point; one far off every board if the place is in the margin.
    #[inline]
    pub(crate) const fn point(self) -> Point {
        Point::new(
            (self.0 % ROW).wrapping_sub(1) as u8,
            (self.0 / ROW).wrapping_sub(1) as u8,
        )
    }

    /// The index in a table of [`PLACES`] entries.
    #[inline]
    pub(crate) const fn index(self) -> usize {
        self.0 as usize % PLACES
    }

    /// The neighbours, clockwise from up and left, as in [`tochki_rules::dots::Dots::ring`].
    #[inline]
    pub(crate) fn neighbours(self) -> [Self; 8] {
        const STEPS: [i16; 8] = [
            -(ROW as i16) - 1,
            -(ROW as i16),
            -(ROW as i16) + 1,
            1,
            ROW as i16 + 1,
            ROW as i16,
            ROW as i16 - 1,
            -1,
        ];
        STEPS.map(|step| Self(self.0.wrapping_add_signed(step)))
    }

    /// The places at most two steps away, this one too. Far from the board they are places of the margin.
    pub(crate) fn square(self) -> impl Iterator<Item = Self> {
        let first = self.0.wrapping_sub(2 * ROW + 2);
        (0..25)
            .map(move |index| Self(first.wrapping_add(index / 5 * ROW + index % 5) % PLACES as u16))
    }

    /// The larger of the numbers of columns and rows between two places.
    #[inline]
    pub(crate) fn distance(self, other: Self) -> u16 {
        let columns = (self.0 % ROW).abs_diff(other.0 % ROW);
        columns.max((self.0 / ROW).abs_diff(other.0 / ROW))
    }

    /// The sum of the numbers of columns and rows between two places.
    #[inline]
    pub(crate) fn steps(self, other: Self) -> u16 {
        (self.0 % ROW).abs_diff(other.0 % ROW) + (self.0 / ROW).abs_diff(other.0 / ROW)
    }
}

/// The openings between the walls of a ring, as the rules count them: runs without a wall that have a straight neighbour.
/// A dot with less than two closes nothing.
pub(crate) static GAPS: [u8; 256] = {
    let mut all = [0; 256];
    let mut ring = 0;
    while ring < 256 {
        let mut wall = 0;
        while wall < 8 {
            if ring >> wall & 1 == 1 {
                let mut back = 7;
                let mut open = false;
                while back > 0 && ring >> ((wall + back) % 8) & 1 == 0 {
                    open |= (wall + back) % 2 == 1;
                    back -= 1;
                }
                all[ring] += open as u8;
            }
            wall += 1;
        }
        ring += 1;
    }
    all
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_a_point_with_eight_neighbours() {
        for point in [Point::new(0, 0), Point::new(49, 49), Point::new(3, 7)] {
            let place = Place::of(point);
            assert_eq!(place.point(), point);
            assert!(
                place
                    .neighbours()
                    .iter()
                    .all(|&next| place.distance(next) == 1)
            );
        }
        assert!(Place::NONE.point().x > 50);
        assert_eq!(
            Place::of(Point::new(1, 1)).distance(Place::of(Point::new(4, 2))),
            3
        );
    }

    #[test]
    fn gaps_are_counted_round_the_ring() {
        // Bits: up left, up, up right, right, below right, below, below left, left.
        assert_eq!(GAPS[0b0000_0000], 0);
        assert_eq!(GAPS[0b0000_0001], 1);
        assert_eq!(GAPS[0b0010_0010], 2, "above and below");
        assert_eq!(GAPS[0b0000_1010], 1, "a corner alone lets nothing through");
        assert_eq!(GAPS[0b1010_1010], 0);
        assert_eq!(GAPS[0b0101_0101], 4, "all corners");
        assert_eq!(GAPS[0b1111_1111], 0);
    }
}
