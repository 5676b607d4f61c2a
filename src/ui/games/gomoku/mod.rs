//! Gomoku, as it is seen.

mod face;

use crate::ui::texts::{Language, say};

/// Whoever has a point has won.
pub(super) fn gain(language: Language, own: u32) -> Option<String> {
    (own > 0).then(|| say!(language, reasons.five_in_row).to_owned())
}
