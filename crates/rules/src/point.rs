//! A point of the squared paper, and its written form `x,y`.

use super::{Illegal, MoveError};
use std::{fmt, str::FromStr};

/// A crossing of two lines: `x` to the right, `y` down, both from zero. It need not be on any particular board.
///
/// Points are in reading order: row by row, from left to right.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Point {
    /// The column, from the left.
    pub x: u8,
    /// The row, from the top.
    pub y: u8,
}

impl Point {
    /// The point in column `x` of row `y`.
    #[must_use]
    pub const fn new(x: u8, y: u8) -> Self {
        Self { x, y }
    }
}

impl Ord for Point {
    fn cmp(&self, other: &Self) -> std::cmp::Ordering {
        (self.y, self.x).cmp(&(other.y, other.x))
    }
}

impl PartialOrd for Point {
    fn partial_cmp(&self, other: &Self) -> Option<std::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Point {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{},{}", self.x, self.y)
    }
}

/// Reads two whole numbers with a comma between them.
///
/// Blanks around a number are ignored, and so are leading zeros; a minus sign is read, a plus sign is not. Numbers that
/// no board reaches, negative ones too, make a point that is [`Illegal::OffBoard`]; anything else is
/// [`MoveError::Malformed`].
///
/// ```
/// use tochki_rules::{Illegal, MoveError, Point};
///
/// assert_eq!("12,7".parse(), Ok(Point::new(12, 7)));
/// assert_eq!("-1,3".parse::<Point>(), Err(MoveError::Illegal(Illegal::OffBoard)));
/// assert_eq!("1;2".parse::<Point>(), Err(MoveError::Malformed));
/// ```
impl FromStr for Point {
    type Err = MoveError;

    fn from_str(text: &str) -> Result<Self, MoveError> {
        let (x, y) = text.split_once(',').ok_or(MoveError::Malformed)?;
        // Both halves are read before either is judged, so that `-1,b` is malformed and not off the board.
        match (coordinate(x)?, coordinate(y)?) {
            (Some(x), Some(y)) => Ok(Self { x, y }),
            _ => Err(Illegal::OffBoard.into()),
        }
    }
}

/// A whole number of any size: `None` if it is too large, or too small, for any board.
fn coordinate(text: &str) -> Result<Option<u8>, MoveError> {
    let text = text.trim();
    let (negative, digits) = text
        .strip_prefix('-')
        .map_or((false, text), |digits| (true, digits));
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(MoveError::Malformed);
    }
    // Only digits are left, so a number that cannot be parsed is too large.
    Ok(digits
        .parse()
        .ok()
        .filter(|&number: &u8| !negative || number == 0))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Result<Point, MoveError>) {
        assert_eq!(text.parse(), expected, "{text:?}");
    }

    #[test]
    fn points_are_two_whole_numbers() {
        check("12,7", Ok(Point::new(12, 7)));
        check("0,0", Ok(Point::new(0, 0)));
        check(" 3 ,\t4 ", Ok(Point::new(3, 4)));
        check("007,-0", Ok(Point::new(7, 0)));
        check("255,255", Ok(Point::new(255, 255)));
    }

    #[test]
    fn numbers_beyond_every_board_are_off_it() {
        for text in [
            "-1,3",
            "3,-1",
            "256,0",
            "99999999999999999999,0",
            "0,-99999999999999999999",
        ] {
            check(text, Err(MoveError::Illegal(Illegal::OffBoard)));
        }
    }

    #[test]
    fn anything_else_is_malformed() {
        for text in [
            "", ",", "1;2", "a,b", "1,2,3", "1.5,2", "1,", ",2", "+1,2", "- 1,2", "--1,2", "1 2",
            "١,٢", "-1,b",
        ] {
            check(text, Err(MoveError::Malformed));
        }
    }

    #[test]
    fn the_written_form_reads_back() {
        let point = Point::new(49, 3);
        assert_eq!(point.to_string(), "49,3");
        check(&point.to_string(), Ok(point));
    }
}
