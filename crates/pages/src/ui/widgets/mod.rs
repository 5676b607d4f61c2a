//! Small components that several pages use.

pub(crate) mod list;
pub(crate) mod markup_list;
pub(crate) mod other_dialects;
pub(crate) mod player_name;
pub(crate) mod rating;
