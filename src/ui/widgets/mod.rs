//! Small components that several pages use.

pub(crate) mod list;
pub(crate) mod name;
pub(crate) mod pieces;
