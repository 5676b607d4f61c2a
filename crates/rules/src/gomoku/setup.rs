//! The setup of a game of Gomoku: the size of the board, and whether an overline wins.

use crate::{Illegal, InvalidSetup, MoveError, Point};

/// A square board of 5 to 22 intersections each way, and a rule.
///
/// As JSON it is `{"size": 19, "rule": "freestyle"}`, where an omitted field takes the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Fields")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GomokuSetup"))]
pub struct Setup {
    size: u8,
    rule: Rule,
}

/// The length of a row that wins.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(rename_all = "snake_case")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "GomokuRule"))]
pub enum Rule {
    /// Five stones or more.
    #[default]
    Freestyle,
    /// Exactly five; a longer row, an overline, does not win.
    Standard,
}

impl Rule {
    /// Both rules, in the order in which they are offered.
    pub const ALL: [Self; 2] = [Self::Freestyle, Self::Standard];

    /// The name in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Freestyle => "freestyle",
            Self::Standard => "standard",
        }
    }

    /// Returns whether an unbroken row of so many stones wins.
    #[must_use]
    pub const fn wins(self, stones: u8) -> bool {
        match self {
            Self::Freestyle => stones >= 5,
            Self::Standard => stones == 5,
        }
    }
}

impl Setup {
    /// The usual board: 19 × 19 intersections, five or more win.
    pub const DEFAULT: Self = Self {
        size: 19,
        rule: Rule::Freestyle,
    };

    /// The most intersections that a board has each way. No match is played on a board of this size: managers of the Gomocup
    /// protocol have boards of 20 and more.
    pub const LONGEST: u8 = 22;

    /// The fewest intersections that a board has each way: five fit.
    pub const SHORTEST: u8 = 5;

    /// The sizes that are played in a match of two players, in the order in which they are offered.
    pub const SIZES_IN_MATCH: [u8; 2] = [19, 15];

    /// A board of `size × size` intersections.
    ///
    /// # Errors
    ///
    /// If `size` is not 5 to 22.
    pub fn new(size: u8, rule: Rule) -> Result<Self, InvalidSetup> {
        if !(Self::SHORTEST..=Self::LONGEST).contains(&size) {
            return Err(InvalidSetup::new("size is 5 to 22"));
        }
        Ok(Self { size, rule })
    }

    /// Returns this setup, if two players may play a match on it.
    ///
    /// # Errors
    ///
    /// If no match is played on a board of this size.
    pub fn for_match(self) -> Result<Self, InvalidSetup> {
        if !Self::SIZES_IN_MATCH.contains(&self.size) {
            return Err(InvalidSetup::new("a match is played on size 15 or 19"));
        }
        Ok(self)
    }

    /// Intersections each way.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// The rule.
    #[must_use]
    pub const fn rule(&self) -> Rule {
        self.rule
    }

    /// All intersections of the board.
    #[must_use]
    pub const fn area(&self) -> u16 {
        self.size as u16 * self.size as u16
    }

    /// Returns whether the point is on this board.
    #[must_use]
    pub const fn contains(&self, point: Point) -> bool {
        point.x < self.size && point.y < self.size
    }

    /// The name of a point as players write it: the letter of its column, from `A` at the left, and the number of its row, from 1 at
    /// the bottom. No letter is left out.
    ///
    /// ```
    /// use tochki_rules::{Point, gomoku::{Rule, Setup}};
    ///
    /// let board = Setup::new(15, Rule::Freestyle)?;
    /// assert_eq!(board.point_name(Point::new(7, 7)), "H8");
    /// assert_eq!(board.point_name(Point::new(0, 14)), "A1");
    /// assert_eq!(board.parse_point("h8"), Ok(Point::new(7, 7)));
    /// assert_eq!(board.parse_point("7,7"), Ok(Point::new(7, 7)));
    /// # Ok::<(), tochki_rules::InvalidSetup>(())
    /// ```
    #[must_use]
    pub fn point_name(&self, Point { x, y }: Point) -> String {
        let column = char::from(b'A'.saturating_add(x));
        format!("{column}{}", self.row_number(y))
    }

    /// The number of a row, counted from the bottom.
    #[must_use]
    pub const fn row_number(&self, y: u8) -> u8 {
        self.size.saturating_sub(y)
    }

    /// Reads a point: its name, in letters of either case, or its text form. The point may be off this board.
    ///
    /// # Errors
    ///
    /// [`MoveError::Malformed`] if the text is no point, [`Illegal::OffBoard`] if it has a row that no board has.
    pub fn parse_point(&self, text: &str) -> Result<Point, MoveError> {
        let text = text.trim();
        match text.as_bytes() {
            [letter, row @ ..]
                if letter.is_ascii_alphabetic()
                    && !row.is_empty()
                    && row.iter().all(u8::is_ascii_digit) =>
            {
                let x = letter.to_ascii_lowercase() - b'a';
                // Only digits are left, so a number that cannot be parsed is too large. Row 0 is below the board.
                let row = text[1..].parse::<u8>().ok();
                let y = row.and_then(|row| self.size.checked_sub(row));
                y.map(|y| Point { x, y }).ok_or(Illegal::OffBoard.into())
            }
            _ => text.parse(),
        }
    }

    /// All points of the board, row by row.
    pub fn points(self) -> impl Iterator<Item = Point> {
        (0..self.size).flat_map(move |y| (0..self.size).map(move |x| Point { x, y }))
    }
}

#[cfg(feature = "serde")]
crate::fields::fields!(size: crate::fields::Length, rule: Rule);

impl Default for Setup {
    fn default() -> Self {
        Self::DEFAULT
    }
}
