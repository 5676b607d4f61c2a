//! The match itself: all that its events have made of it, and `apply`, which takes in the next.

use super::{ClientId, ClockReading, Event, MatchResult, Millis, Offer, Terms, Timestamp};
use std::collections::HashMap;
use std::fmt;
use tochki_rules::{Move, MoveError, Position, Seat};

/// A match of any game: its terms, and all that its events have made of it.
#[derive(Clone, Debug)]
pub struct Match {
    terms: Terms,
    position: Position,
    plies: Vec<Ply>,
    version: u32,
    clock: Option<ClockReading>,
    /// At most one is open.
    offer: Option<Offer>,
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

/// A stored or received event cannot have happened in the match that the events before it make: the record is broken.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenRecord {
    /// The version that the event would have had.
    pub version: u32,
    cause: Cause,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    /// A move that the rules refuse.
    Move { mv: String, error: MoveError },
    /// More moves taken back than were made.
    TakenBack(u32),
    /// The match had ended before.
    AfterEnd,
}

impl fmt::Display for BrokenRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} cannot have happened: ", self.version)?;
        match &self.cause {
            Cause::Move { mv, error } => write!(f, "move {mv:?} is refused: {error:?}"),
            Cause::TakenBack(count) => write!(f, "{count} moves cannot be taken back"),
            Cause::AfterEnd => f.write_str("the match had ended"),
        }
    }
}

impl std::error::Error for BrokenRecord {}

/// A move that came with a name. Taking the move back leaves it known.
#[derive(Clone, Debug)]
pub(super) struct Named {
    /// The move in its text form.
    pub(super) mv: String,
    /// The version of the last event the command made.
    pub(super) version: u32,
}

impl Match {
    /// A match before its first move. Clocks run from `now`, the start of the match.
    pub fn new(terms: Terms, now: Timestamp) -> Self {
        Self {
            terms,
            position: Position::new(&terms.setup),
            plies: Vec::new(),
            version: 0,
            clock: ClockReading::start(terms.clock, now),
            offer: None,
            result: None,
            named: HashMap::new(),
        }
    }

    /// Takes in what happened. An event of [`Match::decide`] is always possible in the match that decided it; one that was
    /// stored or sent may not be.
    ///
    /// # Errors
    ///
    /// If the event cannot have happened at this point. The match is unchanged then, and of no further use to whoever reads
    /// its events: the ones after it belong to another match.
    pub fn apply(&mut self, event: &Event) -> Result<(), BrokenRecord> {
        let version = self.version + 1;
        let broken = |cause| BrokenRecord { version, cause };
        if self.result.is_some() {
            return Err(broken(Cause::AfterEnd));
        }
        match event {
            Event::Moved {
                seat,
                mv,
                clock,
                client_id,
                ..
            } => {
                let refused = |error| {
                    broken(Cause::Move {
                        mv: mv.clone(),
                        error,
                    })
                };
                let mv = self.position.parse_move(mv).map_err(refused)?;
                self.position.play_as(*seat, mv).map_err(refused)?;
                self.plies.push(Ply { seat: *seat, mv });
                self.clock = *clock;
                if let Some(client_id) = client_id {
                    let named = Named {
                        mv: mv.to_string(),
                        version,
                    };
                    self.named.insert((*seat, client_id.clone()), named);
                }
            }
            Event::Offered {
                seat,
                kind,
                expires_at,
            } => {
                self.offer = Some(Offer {
                    kind: *kind,
                    seat: *seat,
                    expires_at: *expires_at,
                });
            }
            Event::OfferClosed { .. } => self.offer = None,
            Event::TakenBack { count, clock } => {
                if *count as usize > self.plies.len() {
                    return Err(broken(Cause::TakenBack(*count)));
                }
                for _ in 0..*count {
                    self.position.undo();
                    self.plies.pop();
                }
                self.clock = *clock;
            }
            Event::Finished { result } => {
                if self.position.outcome().is_some() {
                    // The last move's own command ended the match, so this is its last event.
                    for named in self
                        .named
                        .values_mut()
                        .filter(|named| named.version == self.version)
                    {
                        named.version = version;
                    }
                }
                self.clock = self.clock.map(|clock| clock.stopped(result));
                self.offer = None;
                self.result = Some(result.clone());
            }
        }
        self.version = version;
        Ok(())
    }

    /// Gives back time that counts for nobody: clock and offer go on as if it had not passed.
    ///
    /// The match is no other for it, so this is no event: readings and deadlines are later by it, and that is all.
    pub fn postpone(&mut self, by: Millis) {
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.running.is_some()) {
            clock.at = clock.at + by;
        }
        if let Some(offer) = &mut self.offer {
            offer.expires_at = offer.expires_at + by;
        }
    }

    /// The move this player made under this name.
    pub(super) fn named(&self, seat: Seat, id: &ClientId) -> Option<&Named> {
        self.named.get(&(seat, id.clone()))
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

    /// The open offer.
    pub fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// When something happens by itself if nobody does anything: a flag falls, or an offer ends.
    pub fn deadline(&self) -> Option<Timestamp> {
        if self.result.is_some() {
            return None;
        }
        let flag = self.clock.and_then(|clock| clock.flag_at());
        let offer = self.offer.map(|offer| offer.expires_at);
        flag.into_iter().chain(offer).min()
    }
}
