//! A game and the engine that searches its position, with everything in and out as text.

use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use tochki_engine::{Engine, Level, Limits, Progress};
use tochki_rules::{Game, MoveError, Seat};

/// The number of best moves that a report lists.
const LISTED: usize = 10;

/// A game, and its engine once there was a search.
#[derive(Debug)]
pub struct EngineGame<E: Engine> {
    position: E::Game,
    engine: Option<E>,
    /// The side to move in the next search, if it is not by the rules.
    turn: Option<Seat>,
    /// Whether the next search may go on with the results of the last: an engine takes it for granted that moves are in turn.
    goes_on: bool,
}

/// The reason of a refusal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineGameError {
    /// The setup is no JSON, or no setup of this game.
    Setup,
    /// There is no such level.
    Level,
    /// There is no such seat.
    Seat,
    /// The text is no move of this game, or an illegal one.
    Move(MoveError),
    /// The game is over.
    Finished,
}

impl fmt::Display for EngineGameError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Setup => f.write_str("invalid_setup"),
            Self::Level => f.write_str("invalid_level"),
            Self::Seat => f.write_str("invalid_seat"),
            Self::Finished => f.write_str("finished"),
            Self::Move(error) => f.write_str(error.code()),
        }
    }
}

impl std::error::Error for EngineGameError {}

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

impl<E> EngineGame<E>
where
    E: Engine,
    E::Game: Game<Setup: DeserializeOwned>,
{
    /// Begins a game before its first move. The setup is JSON; an empty text is `{}`, the usual setup.
    ///
    /// # Errors
    ///
    /// [`EngineGameError::Setup`].
    pub fn new(setup: &str) -> Result<Self, EngineGameError> {
        let setup = if setup.is_empty() { "{}" } else { setup };
        let setup = serde_json::from_str(setup).map_err(|_| EngineGameError::Setup)?;
        Ok(Self {
            position: E::Game::new(&setup),
            engine: None,
            turn: None,
            goes_on: false,
        })
    }
}

impl<E: Engine> EngineGame<E> {
    /// Plays a move of the side to move: `5,5`. With the number of a seat before it, the text is a move of that side, whoever's
    /// turn it is: `2.5,5`.
    ///
    /// # Errors
    ///
    /// If the game is over, or the text is no legal move.
    pub fn play(&mut self, mv: &str) -> Result<(), EngineGameError> {
        let (seat, mv) = match mv.split_at_checked(2) {
            Some(("1.", mv)) => (Some(Seat::First), mv),
            Some(("2.", mv)) => (Some(Seat::Second), mv),
            _ => (None, mv),
        };
        let mv = E::Game::parse_move(mv).map_err(EngineGameError::Move)?;
        let to_move = self.position.to_move().ok_or(EngineGameError::Finished)?;
        let seat = seat.unwrap_or(to_move);
        if seat != to_move {
            self.goes_on = false;
        }
        let played = self.position.play_as(seat, mv);
        played
            .map(|_| ())
            .map_err(|illegal| EngineGameError::Move(illegal.into()))
    }

    /// Takes the last move back. Returns whether there was one.
    pub fn undo(&mut self) -> bool {
        self.position.undo().is_some()
    }

    /// Sets the side of the next search, whoever's turn it is by the rules, if it has a move.
    ///
    /// # Errors
    ///
    /// [`EngineGameError::Seat`] unless the number is that of a seat.
    pub fn set_turn(&mut self, seat: u8) -> Result<(), EngineGameError> {
        self.turn = match seat {
            1 => Some(Seat::First),
            2 => Some(Seat::Second),
            _ => return Err(EngineGameError::Seat),
        };
        Ok(())
    }

    /// Begins to search the position, at most so many nodes, at a level from 1 to 8, in so many bytes.
    ///
    /// # Errors
    ///
    /// [`EngineGameError::Level`].
    pub fn search(
        &mut self,
        nodes: u64,
        level: u8,
        memory: usize,
        seed: u64,
    ) -> Result<(), EngineGameError> {
        let limits = Limits {
            nodes,
            memory,
            level: Level::new(level).map_err(|_| EngineGameError::Level)?,
            ..Limits::NONE
        };
        let turn = self.turn.take();
        match &mut self.engine {
            Some(engine) if self.goes_on && turn.is_none() => {
                engine.set_position(&self.position, limits, seed);
            }
            engine => {
                // The old tables are dropped first, so that there are never two.
                *engine = None;
                let mut position = self.position.clone();
                if let Some(seat) = turn {
                    position.give_turn(seat);
                }
                *engine = Some(E::new(&position, limits, seed));
            }
        }
        self.goes_on = turn.is_none();
        Ok(())
    }

    /// Searches about so many nodes further. Returns whether there is more to do.
    pub fn step(&mut self, budget: u64) -> bool {
        let engine = self.engine.as_mut();
        engine.is_some_and(|engine| engine.step(budget) == Progress::Running)
    }

    /// Returns the result so far, as JSON; `null` before the first search.
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
