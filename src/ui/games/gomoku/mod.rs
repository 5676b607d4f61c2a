//! Gomoku on the pages.

mod face;
mod fields;
mod rules;

pub(crate) use fields::GomokuFields;
pub(crate) use rules::{described, rules};

use crate::ui::text::{Language, say};

/// Five in a row, and two that came too late.
pub(crate) const SIGN: &str = r#"<circle class="red" cx="6" cy="34" r="3.6"/><circle class="red" cx="13" cy="27" r="3.6"/><circle class="red" cx="20" cy="20" r="3.6"/><circle class="red" cx="27" cy="13" r="3.6"/><circle class="red" cx="34" cy="6" r="3.6"/><circle class="blue" cx="20" cy="30" r="2.6"/><circle class="blue" cx="30" cy="22" r="2.6"/>"#;

/// Whoever has a point has won.
pub(crate) fn gain(language: Language, own: u32) -> Option<String> {
    (own > 0).then(|| say!(language, reasons.five_in_row).to_owned())
}
