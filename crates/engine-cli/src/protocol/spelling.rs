//! Spellings that several protocols share.

use tochki_rules::Point;

/// The name of the engine.
pub(super) const NAME: &str = "Tochki";

/// The part of a line that may be repeated in an answer: its first word, cut and without control characters.
pub(super) fn quoted(word: &str) -> String {
    word.chars()
        .filter(|character| !character.is_control())
        .take(30)
        .collect()
}

/// The point in the algebraic form: `d3`, the column from the left and the row from the top.
pub(crate) fn algebraic(point: Point) -> String {
    format!("{}{}", char::from(b'a' + point.x), point.y + 1)
}

/// A value with at most three digits after the point.
pub(super) fn rounded(value: f32) -> f32 {
    // Adding zero makes −0 a 0.
    (value * 1000.0).round() / 1000.0 + 0.0
}
