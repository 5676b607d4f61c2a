//! Points of a Swiss or a round robin, and values of tie-breaks. Both are counted in parts of a point, without floating point.

use serde::{Serialize, Serializer};
use std::fmt;
use std::iter::Sum;
use std::ops::{Add, AddAssign, Sub};

/// Points of a tournament: a win is 1, a draw ½. Displayed with one digit after the point, as in FIDE's files.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Points(u32);

impl Points {
    /// No point.
    pub const ZERO: Self = Self(0);
    /// A draw.
    pub const HALF: Self = Self(1);
    /// A win.
    pub const ONE: Self = Self(2);

    /// Makes points of a number of half points.
    #[must_use]
    pub const fn from_halves(halves: u32) -> Self {
        Self(halves)
    }

    /// Returns the number of half points.
    pub const fn halves(self) -> u32 {
        self.0
    }
}

impl Add for Points {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl AddAssign for Points {
    fn add_assign(&mut self, other: Self) {
        self.0 += other.0;
    }
}

impl Sub for Points {
    type Output = Self;

    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Sum for Points {
    fn sum<I: Iterator<Item = Self>>(points: I) -> Self {
        points.fold(Self::ZERO, Add::add)
    }
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("{}.{}", self.0 / 2, self.0 % 2 * 5))
    }
}

impl Serialize for Points {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        TieBreak::of_points(*self).serialize(serializer)
    }
}

/// The value of a tie-break: the more, the better. A Sonneborn-Berger score of two draws has quarters of a point.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct TieBreak(u32);

impl TieBreak {
    /// Makes a value of a whole number, such as one of wins or of discs.
    #[must_use]
    pub const fn of_count(count: u32) -> Self {
        Self(count * 4)
    }

    /// Makes a value of points.
    #[must_use]
    pub const fn of_points(points: Points) -> Self {
        Self(points.0 * 2)
    }

    /// Makes a value of points that were multiplied with a result: `points` for a win, half of them for a draw.
    #[must_use]
    pub const fn of_product(points: Points, result: Points) -> Self {
        Self(points.0 * result.0)
    }

    /// Returns the number of quarters.
    pub const fn quarters(self) -> u32 {
        self.0
    }
}

impl Add for TieBreak {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sum for TieBreak {
    fn sum<I: Iterator<Item = Self>>(values: I) -> Self {
        values.fold(Self(0), Add::add)
    }
}

impl fmt::Display for TieBreak {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let part = ["", ".25", ".5", ".75"][self.0 as usize % 4];
        write!(f, "{}{part}", self.0 / 4)
    }
}

/// A number in JSON, without a fraction where there is none.
impl Serialize for TieBreak {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_multiple_of(4) {
            serializer.serialize_u32(self.0 / 4)
        } else {
            // Quarters are exact in binary.
            serializer.serialize_f64(f64::from(self.0) / 4.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_written_as_people_write_them() {
        assert_eq!(Points::from_halves(7).to_string(), "3.5");
        assert_eq!(Points::from_halves(20).to_string(), "10.0");
        assert_eq!(
            serde_json::to_string(&Points::from_halves(7)).unwrap(),
            "3.5"
        );
        assert_eq!(serde_json::to_string(&Points::from_halves(6)).unwrap(), "3");
    }

    #[test]
    fn a_draw_with_half_a_point_is_a_quarter() {
        let quarter = TieBreak::of_product(Points::HALF, Points::HALF);
        assert_eq!(quarter.to_string(), "0.25");
        assert_eq!(serde_json::to_string(&quarter).unwrap(), "0.25");
        assert_eq!(
            TieBreak::of_product(Points::ONE, Points::ONE),
            TieBreak::of_count(1)
        );
    }
}
