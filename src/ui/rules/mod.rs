//! How a page tells the rules of a game: in plain words, with small boards to click through. What it tells is the
//! games' own.

mod index;
pub(crate) use index::{Rules, RulesOfAll};
mod case;
mod page;
mod tried;

pub(crate) use case::Case;
pub(crate) use page::{Chapter, Explained, RulesPage};
pub(crate) use tried::Tried;
