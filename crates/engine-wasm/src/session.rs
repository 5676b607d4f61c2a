//! A game and the engine that searches its position, with everything in and out as text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use tochki_engine::{Engine, Level, Limits, Progress};
use tochki_rules::{Game, MoveError};

/// How many of the best moves a report lists.
const LISTED: usize = 10;

/// A game, and its engine once there was a search.
#[derive(Debug)]
pub struct Session<E: Engine> {
    position: E::Game,
    engine: Option<E>,
}

/// Why something is refused.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SessionError {
    /// The setup is no JSON, or no setup of this game.
    Setup,
    /// There is no such level.
    Level,
    /// No move of this game, or an illegal one.
    Move(MoveError),
    /// The game is over.
    Finished,
}

impl fmt::Display for SessionError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup => f.write_str("invalid_setup"),
            Self::Level => f.write_str("invalid_level"),
            Self::Finished => f.write_str("finished"),
            Self::Move(error) => f.write_str(error.code()),
        }
    }
}

impl std::error::Error for SessionError {}

/// A report as JSON. Moves are in their text form.
#[derive(Serialize)]
struct ReportText {
    choice: Option<String>,
    settled: bool,
    nodes: u64,
    moves: Vec<CandidateText>,
}

#[derive(Serialize)]
struct CandidateText {
    #[serde(rename = "move")]
    mv: String,
    value: f32,
    exact: bool,
    visits: u64,
    depth: u16,
    pv: Vec<String>,
}

impl<E> Session<E>
where
    E: Engine,
    E::Game: Game<Setup: DeserializeOwned>,
{
    /// A game before its first move. The setup is JSON; an empty text is `{}`, the usual setup.
    ///
    /// # Errors
    ///
    /// [`SessionError::Setup`].
    pub fn new(setup: &str) -> Result<Self, SessionError> {
        let setup = if setup.is_empty() { "{}" } else { setup };
        let setup = serde_json::from_str(setup).map_err(|_| SessionError::Setup)?;
        Ok(Self {
            position: E::Game::new(&setup),
            engine: None,
        })
    }
}

impl<E: Engine> Session<E> {
    /// Plays a move of the side to move.
    ///
    /// # Errors
    ///
    /// If the game is over, or the text is no legal move.
    pub fn play(&mut self, mv: &str) -> Result<(), SessionError> {
        let mv = E::Game::parse_move(mv).map_err(SessionError::Move)?;
        if self.position.outcome().is_some() {
            return Err(SessionError::Finished);
        }
        let played = self.position.play(mv);
        played
            .map(|_| ())
            .map_err(|illegal| SessionError::Move(illegal.into()))
    }

    /// Takes the last move back; whether there was one.
    pub fn undo(&mut self) -> bool {
        self.position.undo().is_some()
    }

    /// Begins to search the position, at most so many nodes, at a level from 1 to 8, in so many bytes.
    ///
    /// # Errors
    ///
    /// [`SessionError::Level`].
    pub fn search(
        &mut self,
        nodes: u64,
        level: u8,
        memory: usize,
        seed: u64,
    ) -> Result<(), SessionError> {
        let limits = Limits {
            nodes,
            memory,
            level: Level::new(level).map_err(|_| SessionError::Level)?,
            ..Limits::NONE
        };
        match &mut self.engine {
            Some(engine) => engine.set_position(&self.position, limits, seed),
            None => self.engine = Some(E::new(&self.position, limits, seed)),
        }
        Ok(())
    }

    /// Searches about so many nodes further; whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let engine = self.engine.as_mut();
        engine.is_some_and(|engine| engine.step(budget) == Progress::Running)
    }

    /// What is known so far, as JSON; `null` before the first search.
    #[must_use]
    pub fn best(&self) -> String {
        let report = self.engine.as_ref().map(|engine| {
            let report = engine.best();
            let moves = report.moves.into_iter().take(LISTED);
            ReportText {
                choice: report.choice.map(|mv| mv.to_string()),
                settled: report.settled,
                nodes: report.nodes,
                moves: moves
                    .map(|candidate| CandidateText {
                        mv: candidate.mv.to_string(),
                        value: candidate.value,
                        exact: candidate.exact,
                        visits: candidate.visits,
                        depth: candidate.depth,
                        pv: candidate.pv.iter().map(ToString::to_string).collect(),
                    })
                    .collect(),
            }
        });
        serde_json::to_string(&report).unwrap_or_else(|_| "null".to_owned())
    }
}
