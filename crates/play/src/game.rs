//! The match itself: all that its events have made of it, and `apply`, which takes in the next.

use super::{ClientId, ClockReading, Event, MatchResult, Millis, Offer, Terms, Timestamp};
use std::collections::HashMap;
use tochki_rules::{Move, Position, Seat};

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
                for _ in 0..*count {
                    if self.position.undo().is_some() {
                        self.plies.pop();
                    }
                }
                self.clock = *clock;
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
                self.clock = self.clock.map(|clock| clock.stopped(result));
                self.offer = None;
                self.result = Some(result.clone());
            }
        }
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
