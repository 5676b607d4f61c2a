//! Opponents for the engine of Dots, to measure its strength: the engines that public descriptions tell of, as strong and as fast
//! as can be, each by the same trait as the engine.
//!
//! - [`Uct`]: UCT with UCB1-tuned, candidates within three steps of the dots, random playouts and dynamic komi.
//! - [`LadderUct`]: [`Uct`], but a ladder that works is played first.
//! - [`Minimax`]: `NegaScout` over trajectories, and a heuristic for one ply where there is nothing to capture.
//! - [`Beginner`]: a person who learnt the rules today, whom the first level has to lose to.

mod beginner;
mod heuristic;
mod minimax;
mod tactics;
mod trajectories;
mod uct;

pub use beginner::Beginner;
pub use minimax::Minimax;
pub use uct::{LadderUct, Uct};
