//! The engines of all games as one closed enum: a caller with a position of some game finds its engine here.

use super::boxes::BoxesEngine;
use super::dots::DotsEngine;
use super::gomoku::GomokuEngine;
use super::reversi::ReversiEngine;
use super::{Engine, Limits, Progress, Report};
use tochki_rules::{GameKind, Move, Position};

/// The engine of some game.
#[derive(Debug)]
pub enum AnyEngine {
    /// The engine of Dots.
    Dots(Box<DotsEngine>),
    /// The engine of Dots and Boxes.
    Boxes(Box<BoxesEngine>),
    /// The engine of Gomoku.
    Gomoku(Box<GomokuEngine>),
    /// The engine of Reversi.
    Reversi(Box<ReversiEngine>),
}

impl AnyEngine {
    /// Begins a search as [`Engine::new`] does, for the game of the position.
    #[must_use]
    pub fn new(position: &Position, limits: Limits, seed: u64) -> Self {
        match position {
            Position::Dots(dots) => Self::Dots(Box::new(Engine::new(dots, limits, seed))),
            Position::Boxes(boxes) => Self::Boxes(Box::new(Engine::new(boxes, limits, seed))),
            Position::Gomoku(gomoku) => Self::Gomoku(Box::new(Engine::new(gomoku, limits, seed))),
            Position::Reversi(reversi) => {
                Self::Reversi(Box::new(Engine::new(reversi, limits, seed)))
            }
        }
    }

    /// The game of the engine.
    #[must_use]
    pub const fn kind(&self) -> GameKind {
        match self {
            Self::Dots(_) => GameKind::Dots,
            Self::Boxes(_) => GameKind::Boxes,
            Self::Gomoku(_) => GameKind::Gomoku,
            Self::Reversi(_) => GameKind::Reversi,
        }
    }

    /// Begins another search as [`Engine::set_position`] does. A position of another game needs another engine: then nothing
    /// changes, and the result is `false`.
    #[must_use]
    pub fn set_position(&mut self, position: &Position, limits: Limits, seed: u64) -> bool {
        match (self, position) {
            (Self::Dots(engine), Position::Dots(dots)) => {
                engine.set_position(dots, limits, seed);
            }
            (Self::Boxes(engine), Position::Boxes(boxes)) => {
                engine.set_position(boxes, limits, seed);
            }
            (Self::Gomoku(engine), Position::Gomoku(gomoku)) => {
                engine.set_position(gomoku, limits, seed);
            }
            (Self::Reversi(engine), Position::Reversi(reversi)) => {
                engine.set_position(reversi, limits, seed);
            }
            _ => return false,
        }
        true
    }

    /// Searches further as [`Engine::step`] does.
    pub fn step(&mut self, budget: u64) -> Progress {
        match self {
            Self::Dots(engine) => engine.step(budget),
            Self::Boxes(engine) => engine.step(budget),
            Self::Gomoku(engine) => engine.step(budget),
            Self::Reversi(engine) => engine.step(budget),
        }
    }

    /// Returns the result so far as [`Engine::best`] does.
    #[must_use]
    pub fn best(&self) -> Report<Move> {
        match self {
            Self::Dots(engine) => engine.best().map(Move::Dots),
            Self::Boxes(engine) => engine.best().map(Move::Boxes),
            Self::Gomoku(engine) => engine.best().map(Move::Gomoku),
            Self::Reversi(engine) => engine.best().map(Move::Reversi),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_engine_plays_its_own_game_and_no_other() {
        let start = |kind: GameKind| Position::new(&kind.default_setup());
        let limits = Limits::nodes(50);
        for &kind in GameKind::ALL {
            let mut engine = AnyEngine::new(&start(kind), limits, 1);
            assert_eq!(engine.kind(), kind);
            for &other in GameKind::ALL {
                let set = engine.set_position(&start(other), limits, 1);
                assert_eq!(set, other == kind, "{kind} {other}");
            }
            while engine.step(10) == Progress::Running {}
            let report = engine.best();
            let mut position = start(kind);
            assert!(position.play(report.choice.unwrap()).is_ok(), "{kind}");
            assert!(report.moves.iter().any(|one| Some(one.mv) == report.choice));
        }
    }
}
