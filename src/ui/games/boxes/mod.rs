//! Dots and Boxes on the pages.

mod face;
mod fields;
mod rules;

pub(super) use fields::BoxesFields;
pub(super) use rules::{described, rules};

use crate::rules::Seat;
use crate::rules::boxes::{Line, Way};
use crate::ui::board::Place;
use crate::ui::texts::{Language, say};
use crate::ui::words;

/// A box taken by its fourth side, and one with two.
pub(super) const SIGN: &str = r#"<path class="red-area" d="M6 10H20V24H6Z"/><path class="red-line" d="M6 10H20V24"/><path class="blue-line" d="M6 10V24H20M20 10H34"/><path class="dots" d="M6 10h0M20 10h0M34 10h0M6 24h0M20 24h0M34 24h0"/>"#;

/// Where a line is.
pub(super) fn place_of(line: Line) -> Place {
    let Line { way, x, y } = line;
    match way {
        Way::Across => Place::Across(x, y),
        Way::Down => Place::Down(x, y),
    }
}

/// The same in words, by the dot where it begins.
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

/// A line that is drawn.
pub(super) fn made(language: Language, seat: Seat, line: Line) -> String {
    let (side, place) = (words::colour(language, seat), place(language, line));
    say!(language, boxes_rules.draws, side = side, place = place)
}
