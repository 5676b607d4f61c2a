//! Dots, as it is seen.

mod face;
mod preview;

use crate::rules::Seat;
use crate::ui::texts::{Language, say};
use crate::ui::words;

/// Whoever moved may have captured, or stepped into a house and been captured.
pub(super) fn gain(language: Language, seat: Seat, own: u32, others: u32) -> Option<String> {
    match (own, others) {
        (0, 0) => None,
        (0, others) => {
            let side = words::colour(language, seat.other());
            let words = say!(language, speech.captured_by, side = side, count = others);
            Some(words)
        }
        (own, _) => Some(say!(language, speech.captures, count = own)),
    }
}
