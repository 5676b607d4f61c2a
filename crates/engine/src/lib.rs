//! Engines for the four games: searches that are stepped, so that the same code runs in a Web Worker, on the server, on the
//! command line and in tests.
//!
//! An engine has no threads, no I/O, no clock and no random source of its own. Its owner steps it until it is done or the time is
//! over; a number of nodes and a seed fix the move on every platform.
//!
//! Values are floating-point numbers, but only through `+ − × ÷ √`, which IEEE 754 fixes to the last bit. Logarithms and
//! powers come from tables of integers or of constants, never from the platform's library.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(all(
    feature = "boxes",
    feature = "dots",
    feature = "gomoku",
    feature = "reversi"
))]
mod any;
#[cfg(feature = "boxes")]
pub mod boxes;
#[cfg(feature = "dots")]
pub mod dots;
#[cfg(feature = "gomoku")]
pub mod gomoku;
mod level;
mod limits;
mod report;
#[cfg(feature = "reversi")]
pub mod reversi;
mod rng;

#[cfg(all(
    feature = "boxes",
    feature = "dots",
    feature = "gomoku",
    feature = "reversi"
))]
pub use any::AnyEngine;
pub use level::{InvalidLevel, Level};
pub use limits::Limits;
pub use report::{Candidate, Progress, Report};
pub use rng::Rng;

use tochki_rules::Game;

/// The search of a game, and the state that it keeps from one move to the next (its tree, its tables).
///
/// ```ignore
/// let mut engine = DotsEngine::new(&position, Limits::nodes(10_000), 1);
/// while engine.step(1_000) == Progress::Running {}
/// let mv = engine.best().choice;
/// ```
pub trait Engine: Sized {
    /// The game of the engine.
    type Game: Game;

    /// Begins the search of a position. The engine's allocations, then or later, stay below `limits.memory`, if that is
    /// [`Limits::MIN_MEMORY`] or more.
    fn new(position: &Self::Game, limits: Limits, seed: u64) -> Self;

    /// Begins the search of another position, usually a few moves further in the same game, and keeps everything that is still of
    /// use. Any position of any size will do.
    ///
    /// The move then depends on the searches before, too: a reproducible test needs a new engine.
    fn set_position(&mut self, position: &Self::Game, limits: Limits, seed: u64);

    /// Searches about `budget` nodes further (each engine defines its node; a thousand take a few milliseconds at most) and
    /// returns whether there is more to do. After `Done` it does nothing.
    ///
    /// The result does not depend on the sizes of the steps.
    fn step(&mut self, budget: u64) -> Progress;

    /// The result so far. There is a choice as soon as the position has a legal move, even before the first step.
    fn best(&self) -> Report<<Self::Game as Game>::Move>;
}

/// Compiles and runs the example of the README as a documentation test.
#[cfg(all(
    doctest,
    feature = "boxes",
    feature = "dots",
    feature = "gomoku",
    feature = "reversi"
))]
#[doc = include_str!("../README.md")]
struct Readme;
