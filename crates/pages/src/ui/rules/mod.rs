//! The pages that explain the rules. Their content is in `games`, as `rulebook` types.

mod index;
pub(crate) use index::{RulesIndexPage, RulesPage};
mod example_card;
mod exercise_card;
mod page;

pub(crate) use page::RulesView;
