//! Dots on the pages.

mod fields;
mod rules;

pub(super) use fields::DotsFields;
pub(super) use rules::rules;

/// A dot inside a closed line.
pub(super) const SIGN: &str = r#"<path class="red-line" d="M20 6 34 20 20 34 6 20Z"/><circle class="red" cx="20" cy="6" r="4"/><circle class="red" cx="34" cy="20" r="4"/><circle class="red" cx="20" cy="34" r="4"/><circle class="red" cx="6" cy="20" r="4"/><circle class="blue" cx="20" cy="20" r="3"/>"#;
