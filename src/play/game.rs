//! The match itself: `decide` what a command does, `apply` what happened.

use super::{ClientId, ClockReading, Event, MatchResult, Millis, Reason, Terms};
use crate::rules::{Illegal, Move, MoveError, Position, Seat};
use std::collections::HashMap;

/// A match of any game: its terms, and all that its events have made of it.
#[derive(Clone, Debug)]
pub struct Match {
    terms: Terms,
    position: Position,
    plies: Vec<Ply>,
    version: u32,
    clock: Option<ClockReading>,
    result: Option<MatchResult>,
    /// Moves that came with a name, so that a client that asks again gets the first answer.
    named: HashMap<(Seat, ClientId), Named>,
}

/// One move and who made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// Who made it.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
}

#[derive(Clone, Debug)]
struct Named {
    mv: String,
    /// The version of the last event the command made.
    version: u32,
}

/// What can be asked of a running match.
#[derive(Clone, Debug)]
pub enum Command {
    /// Make a move.
    Move {
        /// Who asks.
        seat: Seat,
        /// The move in its text form.
        mv: String,
        /// The version the client moved from, if it says so.
        version: Option<u32>,
        /// The client's own name for this move, if it gives one.
        client_id: Option<ClientId>,
    },
    /// Give up.
    Resign {
        /// Who gives up.
        seat: Seat,
    },
    /// Time has passed: end the match if its time is over.
    Tick,
}

/// Why a command is refused. The match is unchanged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// It does not read as a move of this game.
    Malformed,
    /// It is the other side's turn.
    NotYourTurn,
    /// The match is over.
    Finished,
    /// The client moved from a version that is not the present one.
    Stale,
    /// The name stands for another move already.
    ClientIdReused,
    /// The rules forbid it.
    Illegal(Illegal),
}

impl From<MoveError> for Refusal {
    fn from(error: MoveError) -> Self {
        match error {
            MoveError::Malformed => Self::Malformed,
            MoveError::Illegal(illegal) => Self::Illegal(illegal),
        }
    }
}

/// What a command comes to.
#[derive(Clone, Debug, PartialEq)]
pub enum Decision {
    /// These events happen, in this order.
    Happens(Vec<Event>),
    /// The very same command was carried out before; its last event has this version.
    Known(u32),
}

impl Match {
    /// A match before its first move. Clocks run from `now`, the start of the match.
    pub fn new(terms: Terms, now: Millis) -> Self {
        Self {
            terms,
            position: Position::new(&terms.setup),
            plies: Vec::new(),
            version: 0,
            clock: ClockReading::start(terms.clock, now),
            result: None,
            named: HashMap::new(),
        }
    }

    /// May this be done, and what happens then? Nothing changes.
    ///
    /// A repeated `client_id` is answered first, so that a lost answer can be had again at any time; then what cannot
    /// be read at all, then what comes too late, then what comes too early, then what the rules forbid.
    pub fn decide(&self, command: &Command, now: Millis) -> Result<Decision, Refusal> {
        match command {
            Command::Move {
                seat,
                mv,
                version,
                client_id,
            } => {
                let read = self.position.parse_move(mv);
                if let Some(version) = self.answered(*seat, client_id.as_ref(), mv)? {
                    return Ok(Decision::Known(version));
                }
                if read == Err(MoveError::Malformed) {
                    return Err(Refusal::Malformed);
                }
                self.running()?;
                if version.is_some_and(|version| version != self.version) {
                    return Err(Refusal::Stale);
                }
                if self.to_move() != Some(*seat) {
                    return Err(Refusal::NotYourTurn);
                }
                if self.flag_fallen(now).is_some() {
                    return Err(Refusal::Finished);
                }
                let events = self.decide_move(*seat, read?, client_id.clone(), now)?;
                Ok(Decision::Happens(events))
            }
            Command::Resign { seat } => {
                self.running()?;
                let result = MatchResult::won(seat.other(), Reason::Resigned);
                Ok(Decision::Happens(vec![Event::Finished { result }]))
            }
            Command::Tick => {
                self.running()?;
                let events = self.flag_fallen(now).map(|seat| {
                    let result = MatchResult::won(seat.other(), Reason::Time);
                    Event::Finished { result }
                });
                Ok(Decision::Happens(events.into_iter().collect()))
            }
        }
    }

    fn decide_move(
        &self,
        seat: Seat,
        mv: Move,
        client_id: Option<ClientId>,
        now: Millis,
    ) -> Result<Vec<Event>, Refusal> {
        let mut after = self.position.clone();
        after.play(mv)?;
        let outcome = after.outcome();
        let to_move = after.to_move();
        let moved = Event::Moved {
            seat,
            mv: mv.to_string(),
            score: after.score(),
            to_move,
            passed: outcome.is_none() && after.passed(),
            clock: self
                .clock
                .map(|clock| clock.moved(self.terms.clock, seat, to_move, now)),
            client_id,
        };
        let finished = outcome.map(|outcome| Event::Finished {
            result: outcome.into(),
        });
        Ok(std::iter::once(moved).chain(finished).collect())
    }

    /// Takes in what happened. Events come from `decide`, so none is refused; one that this match cannot understand
    /// (it cannot come from `decide`) changes nothing but the version.
    pub fn apply(&mut self, event: &Event) {
        self.version += 1;
        match event {
            Event::Moved {
                seat,
                mv,
                clock,
                client_id,
                ..
            } => {
                let Ok(mv) = self.position.parse_move(mv) else {
                    return;
                };
                if self.position.play_as(*seat, mv).is_err() {
                    return;
                }
                self.plies.push(Ply { seat: *seat, mv });
                self.clock = *clock;
                if let Some(client_id) = client_id {
                    let named = Named {
                        mv: mv.to_string(),
                        version: self.version,
                    };
                    self.named.insert((*seat, client_id.clone()), named);
                }
            }
            Event::Finished { result } => {
                if self.position.outcome().is_some() {
                    // The last move's own command ended the match, so this is its last event.
                    let before = self.version - 1;
                    for named in self
                        .named
                        .values_mut()
                        .filter(|named| named.version == before)
                    {
                        named.version = self.version;
                    }
                }
                self.clock = self.clock.map(|clock| ClockReading {
                    running: None,
                    ..clock
                });
                self.result = Some(result.clone());
            }
        }
    }

    /// The version of the first answer, if this very move was made under this name before.
    fn answered(
        &self,
        seat: Seat,
        client_id: Option<&ClientId>,
        mv: &str,
    ) -> Result<Option<u32>, Refusal> {
        let Some(named) = client_id.and_then(|id| self.named.get(&(seat, id.clone()))) else {
            return Ok(None);
        };
        let same = self
            .position
            .parse_move(mv)
            .is_ok_and(|mv| mv.to_string() == named.mv);
        if same {
            Ok(Some(named.version))
        } else {
            Err(Refusal::ClientIdReused)
        }
    }

    fn running(&self) -> Result<(), Refusal> {
        if self.result.is_none() {
            Ok(())
        } else {
            Err(Refusal::Finished)
        }
    }

    fn flag_fallen(&self, now: Millis) -> Option<Seat> {
        let clock = self.clock?;
        clock.running.filter(|seat| clock.left(*seat, now) <= 0)
    }

    /// What was agreed on.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// The position after all moves.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The moves so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// How many events have happened.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Who moves; nobody once there is a result.
    pub fn to_move(&self) -> Option<Seat> {
        if self.result.is_some() {
            None
        } else {
            self.position.to_move()
        }
    }

    /// Points of both seats.
    pub fn score(&self) -> [u32; 2] {
        self.position.score()
    }

    /// What the clocks show.
    pub fn clock(&self) -> Option<ClockReading> {
        self.clock
    }

    /// The result, once there is one.
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// When something happens by itself if nobody does anything: a flag falls.
    pub fn deadline(&self) -> Option<Millis> {
        if self.result.is_some() {
            None
        } else {
            self.clock.and_then(|clock| clock.flag_at())
        }
    }
}
