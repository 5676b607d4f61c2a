//! Knockouts: a bracket of pairs, and the games in which each pair is decided.

mod bracket;
mod duel;

pub use bracket::{Bracket, BracketPair, PLAYERS};
pub use duel::{BestOf, Duel, NextGame, Step, TimeControl};
