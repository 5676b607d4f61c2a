//! The setup of a game of Dots and Boxes: the number of boxes.

use super::Line;
use crate::InvalidSetup;

/// A board of 1 to 10 boxes each way.
///
/// As JSON it is `{"cols": 3, "rows": 3}`, where an omitted field takes the default.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(
    feature = "serde",
    derive(serde::Serialize, serde::Deserialize),
    serde(try_from = "Fields")
)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[cfg_attr(feature = "schema", schemars(rename = "BoxesSetup"))]
pub struct Setup {
    cols: u8,
    rows: u8,
}

impl Setup {
    /// The usual board: 3 × 3 boxes, that is 4 × 4 dots.
    pub const DEFAULT: Self = Self { cols: 3, rows: 3 };

    /// The most boxes that a board has each way.
    pub const LONGEST: u8 = 10;

    /// The fewest boxes that a board has each way in a match of two players.
    pub const SHORTEST_IN_MATCH: u8 = 2;

    /// A board of `cols × rows` boxes.
    ///
    /// # Errors
    ///
    /// If `cols` or `rows` is not 1 to 10.
    pub fn new(cols: u8, rows: u8) -> Result<Self, InvalidSetup> {
        if !(1..=Self::LONGEST).contains(&cols) || !(1..=Self::LONGEST).contains(&rows) {
            return Err(InvalidSetup::new("cols and rows are 1 to 10"));
        }
        Ok(Self { cols, rows })
    }

    /// Returns this setup, if it is large enough for a match of two players.
    ///
    /// # Errors
    ///
    /// If the board is too small for a match.
    pub fn for_match(self) -> Result<Self, InvalidSetup> {
        if self.cols.min(self.rows) < Self::SHORTEST_IN_MATCH {
            return Err(InvalidSetup::new("a match needs 2 to 10 boxes each way"));
        }
        Ok(self)
    }

    /// Boxes in a row.
    #[must_use]
    pub const fn cols(&self) -> u8 {
        self.cols
    }

    /// Boxes in a column.
    #[must_use]
    pub const fn rows(&self) -> u8 {
        self.rows
    }

    /// All boxes of the board.
    #[must_use]
    pub const fn area(&self) -> u8 {
        self.cols * self.rows
    }

    /// Returns whether the line is on this board.
    #[must_use]
    pub const fn contains(&self, line: Line) -> bool {
        line.y <= self.rows && line.row() <= 2 * self.rows && line.x < self.lines_in(line.row())
    }

    /// All lines of the board, in the order of [`Line::in_row`].
    pub fn lines(self) -> impl Iterator<Item = Line> {
        (0..=2 * self.rows)
            .flat_map(move |row| (0..self.lines_in(row)).map(move |x| Line::in_row(row, x)))
    }

    /// The number of lines of the board.
    #[must_use]
    pub const fn line_count(&self) -> u16 {
        let (cols, rows) = (self.cols as u16, self.rows as u16);
        cols * (rows + 1) + rows * (cols + 1)
    }

    /// The number of lines in a row of [`Line::in_row`].
    const fn lines_in(self, row: u8) -> u8 {
        self.cols + row % 2
    }
}

#[cfg(feature = "serde")]
crate::fields::fields!(cols: crate::fields::Length, rows: crate::fields::Length);

impl Default for Setup {
    fn default() -> Self {
        Self::DEFAULT
    }
}
