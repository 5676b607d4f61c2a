//! The rules of each game in plain words, with small boards to click through.

mod case;
mod dots;

pub(super) use dots::DotsRules;
