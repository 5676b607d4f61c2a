//! Dots on the pages.

mod fields;
mod rules;

pub(super) use fields::DotsFields;
pub(super) use rules::rules;
