//! Reversi on the pages.

mod fields;
mod rules;

pub(super) use fields::ReversiFields;
pub(super) use rules::rules;

/// The four discs of the start.
pub(super) const SIGN: &str = r#"<path class="grid" d="M20 4V36M4 20H36"/><circle class="blue" cx="12" cy="12" r="4.6"/><circle class="red" cx="28" cy="12" r="6"/><circle class="red" cx="12" cy="28" r="6"/><circle class="blue" cx="28" cy="28" r="4.6"/>"#;
