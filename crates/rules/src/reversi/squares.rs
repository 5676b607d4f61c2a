//! A set of squares in 64 bits.

use crate::Point;
use std::fmt;
use std::ops::{BitAnd, BitOr, BitXor};

/// Any of the 64 squares. Bit `8·y + x` is the square in column `x` of row `y`.
///
/// A set iterates in reading order: row by row, from left to right.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Squares(pub(super) u64);

impl Squares {
    /// The empty set.
    pub const EMPTY: Self = Self(0);

    /// The squares of the set bits.
    #[must_use]
    pub const fn from_bits(bits: u64) -> Self {
        Self(bits)
    }

    /// The bits of the squares.
    #[must_use]
    pub const fn bits(self) -> u64 {
        self.0
    }

    /// The square of a point; none if the point is not on the board.
    #[must_use]
    pub const fn of(point: Point) -> Self {
        match point {
            Point { x: 0..8, y: 0..8 } => Self(1 << (8 * point.y + point.x)),
            _ => Self::EMPTY,
        }
    }

    /// Returns whether the point is in the set.
    #[must_use]
    pub const fn contains(self, point: Point) -> bool {
        self.0 & Self::of(point).0 != 0
    }

    /// The number of squares.
    #[must_use]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Returns whether the set is empty.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }
}

impl IntoIterator for Squares {
    type Item = Point;
    type IntoIter = Points;

    fn into_iter(self) -> Points {
        Points(self)
    }
}

/// An iterator over the points of a set of squares.
#[derive(Clone, Debug)]
pub struct Points(Squares);

impl Iterator for Points {
    type Item = Point;

    fn next(&mut self) -> Option<Point> {
        let Squares(bits) = self.0;
        if bits == 0 {
            return None;
        }
        let first = bits.trailing_zeros() as u8;
        self.0 = Squares(bits & (bits - 1));
        Some(Point::new(first % 8, first / 8))
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        let len = self.0.len() as usize;
        (len, Some(len))
    }
}

impl ExactSizeIterator for Points {}

impl FromIterator<Point> for Squares {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Self {
        points
            .into_iter()
            .map(Self::of)
            .fold(Self::EMPTY, Self::bitor)
    }
}

impl BitOr for Squares {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }
}

impl BitAnd for Squares {
    type Output = Self;

    fn bitand(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }
}

impl BitXor for Squares {
    type Output = Self;

    fn bitxor(self, other: Self) -> Self {
        Self(self.0 ^ other.0)
    }
}

/// `{2,3 3,2}`
impl fmt::Debug for Squares {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("{")?;
        for (number, point) in self.into_iter().enumerate() {
            let gap = if number > 0 { " " } else { "" };
            write!(f, "{gap}{point}")?;
        }
        f.write_str("}")
    }
}
