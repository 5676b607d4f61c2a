//! Dots on the pages.

mod board;
mod fields;
mod preview;
mod rules;

pub(crate) use fields::DotsFields;
pub(crate) use rules::{describe_board, rules};

/// A dot inside a closed line.
pub(crate) const ICON: &str = r#"<path class="red-line" d="M20 6 34 20 20 34 6 20Z"/><circle class="red" cx="20" cy="6" r="4"/><circle class="red" cx="34" cy="20" r="4"/><circle class="red" cx="20" cy="34" r="4"/><circle class="red" cx="6" cy="20" r="4"/><circle class="blue" cx="20" cy="20" r="3"/>"#;
