//! A line between two neighbouring dots, and its written form `h:x,y` or `v:x,y`.

use crate::{MoveError, Point};
use std::{fmt, str::FromStr};

/// The direction of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Orientation {
    /// A line from a dot to the next one to the right: `h`.
    Horizontal,
    /// A line from a dot to the next one below: `v`.
    Vertical,
}

/// The line that begins at the dot `(x, y)`: `x` to the right, `y` down, both from zero. It need not be on any particular board.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Line {
    /// The direction from its first dot.
    pub orientation: Orientation,
    /// The column of its first dot, from the left.
    pub x: u8,
    /// The row of its first dot, from the top.
    pub y: u8,
}

impl Line {
    /// The line from the dot `(x, y)` to its right neighbour.
    #[must_use]
    pub const fn across(x: u8, y: u8) -> Self {
        let orientation = Orientation::Horizontal;
        Self { orientation, x, y }
    }

    /// The line from the dot `(x, y)` to the one below.
    #[must_use]
    pub const fn down(x: u8, y: u8) -> Self {
        let orientation = Orientation::Vertical;
        Self { orientation, x, y }
    }

    /// The line of that number: rows of lines are counted from the top, the even ones run across and the odd ones down, and `x`
    /// counts the lines of a row from the left. The line protocol of native clients numbers lines like this.
    #[must_use]
    pub const fn in_row(row: u8, x: u8) -> Self {
        match row % 2 {
            0 => Self::across(x, row / 2),
            _ => Self::down(x, row / 2),
        }
    }

    /// The row of lines that contains this line, as [`Line::in_row`] counts rows. Below the 127th row of dots, where no board
    /// reaches, it stays at the last row.
    #[must_use]
    pub const fn row(self) -> u8 {
        let row = self.y.saturating_mul(2);
        match self.orientation {
            Orientation::Horizontal => row,
            Orientation::Vertical => row.saturating_add(1),
        }
    }

    /// The boxes on both sides, by their columns and rows: above and below, or left and right. Boxes beyond the edge of a board
    /// are among them as boxes that no board has.
    pub(super) const fn sides(self) -> [(u8, u8); 2] {
        let Self { orientation, x, y } = self;
        match orientation {
            Orientation::Horizontal => [(x, y.wrapping_sub(1)), (x, y)],
            Orientation::Vertical => [(x.wrapping_sub(1), y), (x, y)],
        }
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let orientation = match self.orientation {
            Orientation::Horizontal => 'h',
            Orientation::Vertical => 'v',
        };
        write!(f, "{orientation}:{},{}", self.x, self.y)
    }
}

/// Reads `h` or `v`, a colon, and the first dot as a [`Point`]: blanks and numbers that no board reaches are as there.
///
/// ```
/// use tochki_rules::{Illegal, MoveError, boxes::Line};
///
/// assert_eq!("v:3,0".parse(), Ok(Line::down(3, 0)));
/// assert_eq!("h:-1,0".parse::<Line>(), Err(MoveError::Illegal(Illegal::OffBoard)));
/// assert_eq!("3,0".parse::<Line>(), Err(MoveError::Malformed));
/// ```
impl FromStr for Line {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (orientation, dot) = text.split_once(':').ok_or(MoveError::Malformed)?;
        let orientation = match orientation.trim() {
            "h" => Orientation::Horizontal,
            "v" => Orientation::Vertical,
            _ => return Err(MoveError::Malformed),
        };
        let Point { x, y } = dot.parse()?;
        Ok(Self { orientation, x, y })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Illegal;

    #[track_caller]
    fn check(text: &str, expected: Result<Line, MoveError>) {
        assert_eq!(text.parse(), expected, "{text:?}");
    }

    #[test]
    fn a_line_is_an_orientation_and_its_first_dot() {
        check("h:0,3", Ok(Line::across(0, 3)));
        check("v:3,0", Ok(Line::down(3, 0)));
        check(" v : 03 ,\t4 ", Ok(Line::down(3, 4)));
        check("h:255,255", Ok(Line::across(255, 255)));
        for line in [Line::across(10, 0), Line::down(0, 10)] {
            check(&line.to_string(), Ok(line));
        }
    }

    #[test]
    fn numbers_beyond_every_board_are_off_it() {
        for text in ["h:-1,0", "v:0,-1", "v:256,0", "h:0,99999999999999999999"] {
            check(text, Err(MoveError::Illegal(Illegal::OffBoard)));
        }
    }

    #[test]
    fn anything_else_is_malformed() {
        for text in [
            "", ":", "h", "h:", "0,0", "x:0,0", "H:0,0", "hv:0,0", "h:0", "h:0,0,0", "h;0,0",
            "h:a,0", "h:-1,b", "x:-1,0", "h::0,0",
        ] {
            check(text, Err(MoveError::Malformed));
        }
    }

    #[test]
    fn even_rows_run_across_and_odd_ones_down() {
        for (row, x, line) in [
            (0, 2, "h:2,0"),
            (1, 3, "v:3,0"),
            (4, 0, "h:0,2"),
            (19, 10, "v:10,9"),
            (20, 9, "h:9,10"),
        ] {
            assert_eq!(Line::in_row(row, x).to_string(), line);
            assert_eq!(Line::in_row(row, x).row(), row);
        }
    }
}
