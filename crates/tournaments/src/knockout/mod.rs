//! Knockouts: a bracket of pairs, and the games in which each pair is decided.

mod bracket;
mod duel;
mod play_off;

pub use bracket::{Bracket, BracketPair, PLAYERS};
pub use duel::{BestOf, Duel, NextGame, Step, TimeControl};
pub use play_off::{half_clock, play_off_setup};
