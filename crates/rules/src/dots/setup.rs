//! The setup of a game of Dots: the size of the paper and the first dots on it.

use super::Point;
use crate::{InvalidSetup, Seat};

/// A board of 1 to 50 points each way and an opening that fits on it.
///
/// As JSON it is `{"width": 39, "height": 32, "start": "empty"}`, where an omitted field takes the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Fields")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DotsSetup"))]
pub struct Setup {
    width: u8,
    height: u8,
    start: Opening,
}

impl Setup {
    /// The usual paper: 39 × 32 points, empty.
    pub const DEFAULT: Self = Self {
        width: 39,
        height: 32,
        start: Opening::Empty,
    };

    /// The most points that a board has each way.
    pub const LONGEST: u8 = 50;

    /// The fewest points that a board has each way in a match of two players.
    pub const SHORTEST_IN_MATCH: u8 = 5;

    /// A board of `width × height` points with the dots of `start` on it.
    ///
    /// # Errors
    ///
    /// If `width` or `height` is not 1 to 50, or the opening does not fit onto the board.
    pub fn new(width: u8, height: u8, start: Opening) -> Result<Self, InvalidSetup> {
        if !(1..=Self::LONGEST).contains(&width) || !(1..=Self::LONGEST).contains(&height) {
            return Err(InvalidSetup::new("width and height are 1 to 50"));
        }
        let room = start.room();
        if width < room || height < room {
            return Err(InvalidSetup::new("the start does not fit on the board"));
        }
        Ok(Self {
            width,
            height,
            start,
        })
    }

    /// Returns this setup, if it is large enough for a match of two players.
    ///
    /// # Errors
    ///
    /// If the board is too small for a match.
    pub fn for_match(self) -> Result<Self, InvalidSetup> {
        if self.width.min(self.height) < Self::SHORTEST_IN_MATCH {
            return Err(InvalidSetup::new("a match needs 5 to 50 points each way"));
        }
        Ok(self)
    }

    /// Points in a row.
    #[must_use]
    pub const fn width(&self) -> u8 {
        self.width
    }

    /// Points in a column.
    #[must_use]
    pub const fn height(&self) -> u8 {
        self.height
    }

    /// The opening.
    #[must_use]
    pub const fn start(&self) -> Opening {
        self.start
    }

    /// All points of the board.
    #[must_use]
    pub const fn area(&self) -> u16 {
        self.width as u16 * self.height as u16
    }

    /// Returns whether the point is on this board.
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        point.x < self.width && point.y < self.height
    }

    /// All points of the board, row by row.
    pub fn points(&self) -> impl Iterator<Item = Point> + use<> {
        let Self { width, height, .. } = *self;
        (0..height).flat_map(move |y| (0..width).map(move |x| Point { x, y }))
    }

    /// The dots that stand on the board before the first move.
    #[must_use]
    pub fn start_dots(&self) -> Vec<(Point, Seat)> {
        let Self {
            width: w,
            height: h,
            start,
        } = *self;
        match start {
            Opening::Empty => Vec::new(),
            Opening::Cross => cross((w - 1) / 2, (h - 1) / 2).to_vec(),
            Opening::FourCrosses => {
                let (left, right, top, bottom) = (w / 4, w - 2 - w / 4, h / 4, h - 2 - h / 4);
                [
                    cross(left, top),
                    cross(right, top),
                    cross(left, bottom),
                    cross(right, bottom),
                ]
                .concat()
            }
        }
    }
}

#[cfg(feature = "serde")]
crate::fields::fields!(width: crate::fields::Length, height: crate::fields::Length, start: Opening);

impl Default for Setup {
    fn default() -> Self {
        Self::DEFAULT
    }
}

/// Red on one diagonal of a square and blue on the other, from its upper left point.
const fn cross(x: u8, y: u8) -> [(Point, Seat); 4] {
    [
        (Point { x, y }, Seat::First),
        (Point { x: x + 1, y }, Seat::Second),
        (Point { x, y: y + 1 }, Seat::Second),
        (Point { x: x + 1, y: y + 1 }, Seat::First),
    ]
}

/// The dots that stand on the board before the first move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "DotsOpening"))]
pub enum Opening {
    /// No dots.
    #[default]
    Empty,
    /// Four dots crosswise in the middle.
    Cross,
    /// Four such crosses, one in each quarter.
    FourCrosses,
}

impl Opening {
    /// All openings, in the order in which they are offered.
    pub const ALL: [Self; 3] = [Self::Empty, Self::Cross, Self::FourCrosses];

    /// The name in JSON.
    #[must_use]
    pub const fn id(self) -> &'static str {
        match self {
            Self::Empty => "empty",
            Self::Cross => "cross",
            Self::FourCrosses => "four_crosses",
        }
    }

    /// The minimum size of a board each way.
    #[must_use]
    pub const fn room(self) -> u8 {
        match self {
            Self::Empty => 1,
            Self::Cross => 2,
            Self::FourCrosses => 10,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(start: Opening, (width, height): (u8, u8), red: &[(u8, u8)], blue: &[(u8, u8)]) {
        let dots = Setup::new(width, height, start).unwrap().start_dots();
        for (seat, expected) in [(Seat::First, red), (Seat::Second, blue)] {
            let found: Vec<_> = dots
                .iter()
                .filter(|dot| dot.1 == seat)
                .map(|dot| (dot.0.x, dot.0.y))
                .collect();
            assert_eq!(found, expected, "{seat:?}");
        }
    }

    #[test]
    fn the_cross_is_in_the_middle() {
        check(Opening::Empty, (39, 32), &[], &[]);
        check(
            Opening::Cross,
            (39, 32),
            &[(19, 15), (20, 16)],
            &[(20, 15), (19, 16)],
        );
        check(Opening::Cross, (2, 2), &[(0, 0), (1, 1)], &[(1, 0), (0, 1)]);
        check(Opening::Cross, (5, 4), &[(2, 1), (3, 2)], &[(3, 1), (2, 2)]);
    }

    #[test]
    fn four_crosses_are_in_the_quarters() {
        check(
            Opening::FourCrosses,
            (39, 32),
            &[
                (9, 8),
                (10, 9),
                (28, 8),
                (29, 9),
                (9, 22),
                (10, 23),
                (28, 22),
                (29, 23),
            ],
            &[
                (10, 8),
                (9, 9),
                (29, 8),
                (28, 9),
                (10, 22),
                (9, 23),
                (29, 22),
                (28, 23),
            ],
        );
    }

    #[test]
    fn an_opening_must_fit_on_the_board() {
        assert!(Setup::new(1, 1, Opening::Empty).is_ok());
        assert!(Setup::new(50, 50, Opening::FourCrosses).is_ok());
        assert!(Setup::new(10, 10, Opening::FourCrosses).is_ok());
        for (width, height, start) in [
            (0, 1, Opening::Empty),
            (1, 51, Opening::Empty),
            (1, 2, Opening::Cross),
            (10, 9, Opening::FourCrosses),
        ] {
            assert!(
                Setup::new(width, height, start).is_err(),
                "{width} × {height}, {start:?}"
            );
        }
    }

    #[test]
    fn a_match_needs_a_larger_board() {
        let setup = |width, height| Setup::new(width, height, Opening::Empty).unwrap();
        assert_eq!(setup(5, 50).for_match(), Ok(setup(5, 50)));
        assert!(setup(4, 50).for_match().is_err());
        assert!(setup(50, 1).for_match().is_err());
    }
}
