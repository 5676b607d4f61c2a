//! The engines of all games as one closed enum: what has a position of some game finds its engine here.

use super::dots::DotsEngine;
use super::{Engine, Limits, Progress, Report};
use tochki_rules::{Move, Position};

/// The engine of some game.
#[derive(Clone, Debug)]
pub enum AnyEngine {
    /// That of Dots.
    Dots(Box<DotsEngine>),
}

/// The same for whichever engine it is.
macro_rules! each {
    ($of:expr, $engine:ident => $what:expr) => {
        match $of {
            Self::Dots($engine) => $what,
        }
    };
}

impl AnyEngine {
    /// As [`Engine::new`]; nothing if there is no engine for the game.
    #[must_use]
    pub fn new(position: &Position, limits: Limits, seed: u64) -> Option<Self> {
        match position {
            Position::Dots(dots) => Some(Self::Dots(Box::new(Engine::new(dots, limits, seed)))),
            Position::Boxes(_) | Position::Gomoku(_) | Position::Reversi(_) => None,
        }
    }

    /// As [`Engine::set_position`], if the position is of the same game; otherwise nothing changes and it is `false`.
    #[must_use]
    pub fn set_position(&mut self, position: &Position, limits: Limits, seed: u64) -> bool {
        match (self, position) {
            (Self::Dots(engine), Position::Dots(dots)) => engine.set_position(dots, limits, seed),
            _ => return false,
        }
        true
    }

    /// As [`Engine::step`].
    pub fn step(&mut self, budget: u64) -> Progress {
        each!(self, engine => engine.step(budget))
    }

    /// As [`Engine::best`].
    #[must_use]
    pub fn best(&self) -> Report<Move> {
        match self {
            Self::Dots(engine) => engine.best().map(Move::Dots),
        }
    }
}
