//! Dots on the pages.

mod face;
mod fields;
mod preview;
mod rules;

pub(crate) use fields::DotsFields;
pub(crate) use rules::{described, rules};

use crate::ui::text::side;
use crate::ui::text::{Language, say};
use tochki_rules::Seat;

/// A dot inside a closed line.
pub(crate) const SIGN: &str = r#"<path class="red-line" d="M20 6 34 20 20 34 6 20Z"/><circle class="red" cx="20" cy="6" r="4"/><circle class="red" cx="34" cy="20" r="4"/><circle class="red" cx="20" cy="34" r="4"/><circle class="red" cx="6" cy="20" r="4"/><circle class="blue" cx="20" cy="20" r="3"/>"#;

/// Whoever moved may have captured, or stepped into a house and been captured.
pub(crate) fn gain(language: Language, seat: Seat, own: u32, others: u32) -> Option<String> {
    match (own, others) {
        (0, 0) => None,
        (0, others) => {
            let side = side::colour(language, seat.other());
            let words = say!(language, speech.captured_by, side = side, count = others);
            Some(words)
        }
        (own, _) => Some(say!(language, speech.captures, count = own)),
    }
}
