//! The engine of Reversi.
//!
//! `engine` deepens a search of the moves step by step (`search`: principal variation search on a stack of its own, with a
//! transposition table, enhanced transposition cut-offs and Multi-ProbCut); its leaves are searched by `shallow` and
//! valued by `evaluation`, a sum of trained weights of `patterns`. Near the end it searches the rest of the game instead;
//! from ten empty squares on in `endgame`, the last four of them in `last`.
//!
//! Numbers are integers all through, so that a search is the same on every platform.

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
