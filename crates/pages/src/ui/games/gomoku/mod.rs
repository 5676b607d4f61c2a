//! Gomoku on the pages.

mod board;
mod fields;
mod rules;

pub(crate) use fields::GomokuFields;
pub(crate) use rules::{describe_board, rules};

/// Five in a row, and two that came too late.
pub(crate) const ICON: &str = r#"<circle class="red" cx="6" cy="34" r="3.6"/><circle class="red" cx="13" cy="27" r="3.6"/><circle class="red" cx="20" cy="20" r="3.6"/><circle class="red" cx="27" cy="13" r="3.6"/><circle class="red" cx="34" cy="6" r="3.6"/><circle class="blue" cx="20" cy="30" r="2.6"/><circle class="blue" cx="30" cy="22" r="2.6"/>"#;
