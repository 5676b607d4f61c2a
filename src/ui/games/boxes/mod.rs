//! Dots and Boxes on the pages.

mod fields;
mod rules;

pub(super) use fields::BoxesFields;
pub(super) use rules::rules;

/// A box taken by its fourth side, and one with two.
pub(super) const SIGN: &str = r#"<path class="red-area" d="M6 10H20V24H6Z"/><path class="red-line" d="M6 10H20V24"/><path class="blue-line" d="M6 10V24H20M20 10H34"/><path class="dots" d="M6 10h0M20 10h0M34 10h0M6 24h0M20 24h0M34 24h0"/>"#;
