//! Dots, as it is seen.

mod face;
mod preview;

use crate::rules::Seat;
use crate::ui::texts::{Language, say};
use crate::ui::words;

/// Whoever moved may have captured, or stepped into a house and been captured.
pub(super) fn gain(
    language: Language,
    seat: Seat,
    [before, after]: [[u32; 2]; 2],
) -> Option<String> {
    let won = |seat: Seat| after[seat.index()].saturating_sub(before[seat.index()]);
    match (won(seat), won(seat.other())) {
        (0, 0) => None,
        (0, others) => {
            let side = words::colour(language, seat.other());
            Some(say!(
                language,
                speech.captured_by,
                side = side,
                count = others
            ))
        }
        (own, _) => Some(say!(language, speech.captures, count = own)),
    }
}
