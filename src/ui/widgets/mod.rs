//! Small components that several pages use.

pub(crate) mod list;
pub(crate) mod pieces;
pub(crate) mod player_name;
