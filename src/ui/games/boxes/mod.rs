//! Dots and Boxes, as it is seen.

mod face;

use crate::rules::boxes::{Line, Way};
use crate::ui::texts::{Language, say};

/// Where a line is, by the dot where it begins.
pub(super) fn place(language: Language, line: Line) -> String {
    let Line { way, x, y } = line;
    match way {
        Way::Across => say!(language, boxes.across, x, y),
        Way::Down => say!(language, boxes.down, x, y),
    }
}

/// Whoever takes a box moves again.
pub(super) fn gain(language: Language, own: u32) -> Option<String> {
    (own > 0).then(|| say!(language, boxes.takes, count = own))
}
