//! What several protocols write alike.

use tochki_rules::Point;

/// What the engine is called.
pub(super) const NAME: &str = "Tochki";

/// What of a line may be repeated in an answer: its first word, cut and without control characters.
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
