//! The values of moves: points as letters, or as players name them; lines of Dots and Boxes as two points.

use tochki_rules::boxes::Line;
use tochki_rules::record::letters;
use tochki_rules::{MoveError, Point, gomoku};

/// The point of a stone: two letters from the upper left, or a letter and a number from the lower left (`h8`).
pub(super) fn of_gomoku(value: &str, setup: gomoku::Setup) -> Result<Point, MoveError> {
    letters::read(value).map_or_else(|| named(value, setup), Ok)
}

/// A text form `x,y` is not of SGF.
fn named(value: &str, setup: gomoku::Setup) -> Result<Point, MoveError> {
    if value.contains(',') {
        return Err(MoveError::Malformed);
    }
    setup.parse_point(value)
}

/// Returns whether a move is a pass: an empty value, a word, or `tt` as in Go on boards of up to 19 lines.
pub(super) fn is_pass(value: &str, setup: gomoku::Setup) -> bool {
    tochki_rules::record::is_no_move(value) || setup.size() < 20 && value.trim() == "tt"
}

/// The line between two neighbouring dots, each of two letters.
pub(super) fn of_boxes(value: &str) -> Result<Line, MoveError> {
    let ends = value.split_at_checked(2).ok_or(MoveError::Malformed)?;
    let point = |text| letters::read(text).ok_or(MoveError::Malformed);
    between(point(ends.0)?, point(ends.1)?).ok_or(MoveError::Malformed)
}

/// The line between two dots, if they are neighbours.
pub(crate) fn between(a: Point, b: Point) -> Option<Line> {
    let (from, to) = (a.min(b), a.max(b));
    if from.y == to.y && from.x + 1 == to.x {
        Some(Line::across(from.x, from.y))
    } else if from.x == to.x && from.y + 1 == to.y {
        Some(Line::down(from.x, from.y))
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_point_has_letters_or_its_name() {
        let setup = gomoku::Setup::new(15, gomoku::Rule::Freestyle).unwrap();
        for (value, point) in [
            ("hh", Some((7, 7))),
            ("aa", Some((0, 0))),
            ("ao", Some((0, 14))),
            ("h8", Some((7, 7))),
            ("A1", Some((0, 14))),
            ("o15", Some((14, 0))),
            ("7,7", None),
            ("h", None),
        ] {
            let expected = point.map(|(x, y)| Point::new(x, y));
            assert_eq!(of_gomoku(value, setup).ok(), expected, "{value}");
        }
    }

    #[test]
    fn a_line_is_two_neighbouring_dots() {
        assert_eq!(of_boxes("aaba"), Ok(Line::across(0, 0)));
        assert_eq!(of_boxes("baaa"), Ok(Line::across(0, 0)));
        assert_eq!(of_boxes("cdcc"), Ok(Line::down(2, 2)));
        for value in ["", "aa", "aaaa", "aabb", "aaca", "ёё", "aab", "aabac"] {
            assert_eq!(of_boxes(value), Err(MoveError::Malformed), "{value}");
        }
    }
}
