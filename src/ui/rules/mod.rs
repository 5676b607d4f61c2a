//! How a page tells the rules of a game: in plain words, with small boards to click through. What it tells is the
//! games' own.

mod case;
mod page;
mod tried;

pub(super) use case::Case;
pub(super) use page::{Chapter, Explained, RulesPage};
pub(super) use tried::Tried;
