//! The engine of Reversi.

mod board;
mod coder;
mod endgame;
mod engine;
mod evaluation;
mod last;
mod levels;
mod patterns;
mod probcut;
mod search;
mod shallow;
mod stability;
mod table;
#[cfg(test)]
mod tests;

pub use board::Board;
pub use endgame::Solver;
pub use engine::ReversiEngine;
pub use evaluation::{STAGES, UNIT, Weights, stage};
pub use patterns::{FEATURES, WEIGHTS, features, representatives};
pub use shallow::Shallow;
