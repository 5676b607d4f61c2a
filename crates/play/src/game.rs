//! The state of a match, and `apply`, which advances it by an event.

use super::vacation::MatchVacation;
use super::{
    Adjournment, ClientId, ClockReading, Event, MatchResult, Millis, Offer, OfferKind, Terms,
    Timestamp, TournamentMatch,
};
use std::collections::HashMap;
use std::fmt;
use tochki_rules::{Move, MoveError, Position, Seat};

/// A match of any game: its terms, and the state that its events have made.
#[derive(Clone, Debug)]
pub struct Match {
    terms: Terms,
    /// The rules of the tournament that it is a match of.
    tournament: Option<TournamentMatch>,
    position: Position,
    plies: Vec<Ply>,
    /// The time that the clock of its side has gained by each of these moves.
    gained: Vec<Millis>,
    /// The time gained by a sealed move, until that is made.
    gained_by_seal: Millis,
    version: u32,
    clock: Option<ClockReading>,
    /// By how much later than its clock and `move_by` say the turn of the side to move ends.
    grace: Millis,
    /// The time by which the side to move has to have moved, where the match itself limits it.
    move_by: Option<Timestamp>,
    /// Whether both have made a move, at any time. Only such a match can be won, lost or drawn other than by the rules.
    begun: bool,
    /// The version of the last event that changed the board.
    board_version: u32,
    /// The open offer, of which there is one at most.
    offer: Option<Offer>,
    /// The kinds of offers that each side has made since its last move.
    offered: [Vec<OfferKind>; 2],
    /// The adjournment, until the match is resumed or ends.
    adjournment: Option<Adjournment>,
    result: Option<MatchResult>,
    /// The vacation of each side.
    vacations: [MatchVacation; 2],
    /// Whether each side has halved its clock.
    berserk: [bool; 2],
    /// Moves that came with a name, so that a client that asks again gets the first answer.
    identified: HashMap<(Seat, ClientId), IdentifiedMove>,
}

/// A move and the side that made it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The side that made the move.
    pub seat: Seat,
    /// The move.
    pub mv: Move,
}

/// The error that a stored or received event cannot have happened in the match that the events before it make: the record is
/// broken.
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
    /// The rules give another score or turn than the event has.
    Outcome { mv: String },
}

impl fmt::Display for BrokenRecord {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "event {} cannot have happened: ", self.version)?;
        match &self.cause {
            Cause::Move { mv, error } => write!(f, "move {mv:?} is refused: {error:?}"),
            Cause::TakenBack(count) => write!(f, "{count} moves cannot be taken back"),
            Cause::AfterEnd => f.write_str("the match had ended"),
            Cause::Outcome { mv } => {
                write!(
                    f,
                    "move {mv:?} leads to another score or turn than was stored"
                )
            }
        }
    }
}

impl std::error::Error for BrokenRecord {}

/// A move that came with a `client_id`. Taking the move back does not remove it.
#[derive(Clone, Debug)]
pub(super) struct IdentifiedMove {
    /// The move in its text form.
    pub(super) mv: String,
    /// The version of the last event the command made.
    pub(super) version: u32,
}

/// The state of a match as a client knows it that has its moves, but not all events.
#[derive(Clone, Debug)]
pub struct Resumed {
    /// The version of the last event.
    pub version: u32,
    /// The reading of the clocks.
    pub clock: Option<ClockReading>,
    /// The time by which the side to move has to have moved; see [`Match::move_by`].
    pub move_by: Option<Timestamp>,
    /// Whether the match has begun; see [`Match::has_begun`].
    pub begun: bool,
    /// The open offer.
    pub offer: Option<Offer>,
    /// The adjournment.
    pub adjournment: Option<Adjournment>,
    /// The result, once there is one.
    pub result: Option<MatchResult>,
    /// The end of each side's vacation; see [`Match::vacation_until`].
    pub vacation_until: [Option<Timestamp>; 2],
    /// Whether each side has halved its clock; see [`Match::berserk`].
    pub berserk: [bool; 2],
}

impl Match {
    /// Creates a match before its first move. Clocks run from `now`, the start of the match.
    pub fn new(terms: Terms, now: Timestamp) -> Self {
        Self {
            terms,
            tournament: None,
            position: Position::new(&terms.setup),
            plies: Vec::new(),
            gained: Vec::new(),
            gained_by_seal: Millis::ZERO,
            version: 0,
            clock: ClockReading::start(terms.clock, now),
            grace: Millis::ZERO,
            move_by: Some(now + terms.pace().first_move_timeout()),
            begun: false,
            board_version: 0,
            offer: None,
            offered: [const { Vec::new() }; 2],
            adjournment: None,
            result: None,
            vacations: [MatchVacation::default(); 2],
            berserk: [false; 2],
            identified: HashMap::new(),
        }
    }

    /// Makes this match, before its first move, one of a tournament.
    #[must_use]
    pub fn in_tournament(self, tournament: Option<TournamentMatch>, now: Timestamp) -> Self {
        Self {
            move_by: match tournament {
                Some(rules) => Some(now + rules.first_move),
                None => self.move_by,
            },
            tournament,
            ..self
        }
    }

    /// Creates a match of a player with themselves or with an engine, in which nobody waits for anybody: it counts as begun.
    pub fn alone(terms: Terms, now: Timestamp) -> Self {
        Self {
            begun: true,
            move_by: None,
            ..Self::new(terms, now)
        }
    }

    /// Returns the match as a snapshot shows it, once its moves have been made.
    #[must_use]
    pub fn resume(self, state: Resumed) -> Self {
        Self {
            version: state.version,
            board_version: state.version,
            clock: state.clock,
            move_by: state.move_by,
            begun: state.begun,
            offer: state.offer,
            adjournment: state.adjournment,
            result: state.result,
            vacations: state.vacation_until.map(MatchVacation::resumed),
            berserk: state.berserk,
            ..self
        }
    }

    /// Applies an event. An event of [`Match::decide`] is always possible in the match that decided it; an event that was stored
    /// or sent may not be.
    ///
    /// # Errors
    ///
    /// If the event cannot have happened at this point. The match is unchanged then, and of no further use to a reader of its
    /// events: the ones after it belong to another match.
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
                move_by,
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
                // Nothing is charged for a sealed move, or given, when it is made.
                let gained = self.gain(*seat, *clock) + self.gained_by_seal;
                self.gained_by_seal = Millis::ZERO;
                self.gained.push(gained);
                self.begun = self.begun || self.has_moved(seat.other());
                self.offered[seat.index()].clear();
                self.board_version = version;
                self.clock = *clock;
                self.grace = Millis::ZERO;
                self.move_by = *move_by;
                if let Some(client_id) = client_id {
                    let identified = IdentifiedMove {
                        mv: mv.to_string(),
                        version,
                    };
                    self.identified
                        .insert((*seat, client_id.clone()), identified);
                }
            }
            Event::Offered {
                seat,
                kind,
                expires_at,
                resume_at,
            } => {
                self.offered[seat.index()].push(*kind);
                self.offer = Some(Offer {
                    kind: *kind,
                    seat: *seat,
                    version,
                    expires_at: *expires_at,
                    resume_at: *resume_at,
                });
            }
            Event::OfferClosed { .. } => self.offer = None,
            Event::TakenBack {
                count,
                clock,
                move_by,
            } => {
                if *count as usize > self.plies.len() {
                    return Err(broken(Cause::TakenBack(*count)));
                }
                for _ in 0..*count {
                    self.position.undo();
                    self.plies.pop();
                    self.gained.pop();
                }
                self.board_version = version;
                self.clock = *clock;
                self.grace = Millis::ZERO;
                self.move_by = *move_by;
            }
            Event::VacationChanged {
                seat,
                at,
                until,
                clock,
                move_by,
            } => {
                self.vacations[seat.index()].change(*at, *until);
                if self.to_move() == Some(*seat) {
                    self.grace = Millis::ZERO;
                }
                self.clock = *clock;
                self.move_by = *move_by;
            }
            Event::Adjourned { resume_at, move_by } => {
                self.move_by = *move_by;
                // Engines and friends help in the break.
                self.terms.rated = false;
                self.adjournment = Some(Adjournment {
                    resume_at: *resume_at,
                    ..Adjournment::default()
                });
            }
            Event::Sealed {
                seat,
                clock,
                expires_at,
            } => {
                self.gained_by_seal = self.gain(*seat, *clock);
                self.clock = *clock;
                self.move_by = None;
                self.adjournment = Some(Adjournment {
                    sealed_by: Some(*seat),
                    expires_at: Some(*expires_at),
                    ..self.adjournment.unwrap_or_default()
                });
            }
            Event::Resumed {
                clock,
                time_control,
            } => {
                self.clock = *clock;
                if let Some(rule) = time_control {
                    self.terms.clock = *rule;
                    // These clocks have begun anew.
                    self.gained.fill(Millis::ZERO);
                    self.gained_by_seal = Millis::ZERO;
                }
                self.adjournment = None;
            }
            Event::Berserked { seat, clock } => {
                self.berserk[seat.index()] = true;
                self.clock = *clock;
            }
            Event::Finished { result } => {
                if self.position.outcome().is_some() {
                    // The last move's own command ended the match, so this is its last event.
                    for identified in self
                        .identified
                        .values_mut()
                        .filter(|identified| identified.version == self.version)
                    {
                        identified.version = version;
                    }
                }
                self.clock = self.clock.map(|clock| clock.stopped(result));
                self.move_by = None;
                self.offer = None;
                self.adjournment = None;
                self.result = Some(result.clone());
            }
        }
        self.version = version;
        Ok(())
    }

    /// Applies an event that was stored, as [`Match::apply`] does: the rules must give the score and the turn of the event.
    ///
    /// # Errors
    ///
    /// If the event cannot have happened at this point, or the rules do not reproduce it. The match is of no further use.
    pub fn reproduce(&mut self, event: &Event) -> Result<(), BrokenRecord> {
        self.apply(event)?;
        match event {
            Event::Moved {
                mv, score, to_move, ..
            } if *score != self.score() || *to_move != self.position.to_move() => {
                Err(BrokenRecord {
                    version: self.version,
                    cause: Cause::Outcome { mv: mv.clone() },
                })
            }
            _ => Ok(()),
        }
    }

    /// Gives back time that counts for nobody: clock and offer go on as if it had not passed.
    ///
    /// The shift is not an event: only deadlines and clock readings change.
    pub fn postpone(&mut self, by: Millis) {
        if let Some(clock) = self.clock.as_mut().filter(|clock| clock.running.is_some()) {
            clock.at = clock.at + by;
        }
        if let Some(move_by) = &mut self.move_by {
            *move_by = *move_by + by;
        }
        if let Some(expires_at) = self
            .offer
            .as_mut()
            .and_then(|offer| offer.expires_at.as_mut())
        {
            *expires_at = *expires_at + by;
        }
        // The time agreed on stays: players have written it down.
        if let Some(expires_at) = self
            .adjournment
            .as_mut()
            .and_then(|adjournment| adjournment.expires_at.as_mut())
        {
            *expires_at = *expires_at + by;
        }
    }

    /// Returns the time at which the vacation of this side ends that is on at `now`, if one is.
    pub fn vacation(&self, seat: Seat, now: Timestamp) -> Option<Timestamp> {
        self.vacations[seat.index()].until(now)
    }

    /// Returns the end of the last vacation of each side, be it on or over, unless it was ended before.
    pub fn vacation_until(&self) -> [Option<Timestamp>; 2] {
        self.vacations.map(|vacation| vacation.last_until())
    }

    /// Returns whether each side has halved its clock.
    pub fn berserk(&self) -> [bool; 2] {
        self.berserk
    }

    /// Returns how much more vacation this side may have in this match.
    pub(super) fn vacation_left(&self, seat: Seat, now: Timestamp) -> Millis {
        self.vacations[seat.index()].left(now)
    }

    /// Returns the time from which on the clock of this side runs, if its turn begins `now`.
    pub(super) fn turn_start(&self, seat: Seat, now: Timestamp) -> Timestamp {
        self.vacation(seat, now).unwrap_or(now)
    }

    /// Lets the turn of the side to move end later than its clock and [`Match::move_by`] say, until an event sets that clock again.
    /// Lets the side on turn think longer than its clock, without a charge.
    ///
    /// Like the shift of [`Match::postpone`], it is not an event.
    pub fn extend_turn(&mut self, grace: Millis) {
        self.grace = grace;
    }

    /// Returns by how much later than its clock and [`Match::move_by`] say the turn of the side to move ends.
    pub fn grace(&self) -> Millis {
        self.grace
    }

    /// Returns the time at which the turn of the side to move ends without any grace: its flag falls, or it has to have moved.
    pub fn turn_end(&self) -> Option<Timestamp> {
        let flag = self.clock.and_then(|clock| clock.flag_at());
        flag.into_iter().chain(self.move_by).min()
    }

    /// Returns the time at which the flag of the running side falls.
    pub fn flag_at(&self) -> Option<Timestamp> {
        let flag = self.clock.and_then(|clock| clock.flag_at());
        flag.map(|flag| flag + self.grace)
    }

    /// Returns whether this player has made such an offer since their last move.
    pub(super) fn has_offered(&self, seat: Seat, kind: OfferKind) -> bool {
        self.offered[seat.index()].contains(&kind)
    }

    /// Returns whether this player has made a move that stands, or did before the match had begun.
    pub(super) fn has_moved(&self, seat: Seat) -> bool {
        self.begun || self.plies.iter().any(|ply| ply.seat == seat)
    }

    /// Returns the version of the last event that changed the board.
    pub fn board_version(&self) -> u32 {
        self.board_version
    }

    /// Returns the move this player made with this `client_id`.
    pub(super) fn identified_move(&self, seat: Seat, id: &ClientId) -> Option<&IdentifiedMove> {
        self.identified.get(&(seat, id.clone()))
    }

    /// Returns the terms of the match.
    pub fn terms(&self) -> &Terms {
        &self.terms
    }

    /// Returns the rules of the tournament that it is a match of.
    pub fn tournament(&self) -> Option<TournamentMatch> {
        self.tournament
    }

    /// Returns the position after all moves.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Returns the moves so far.
    pub fn plies(&self) -> &[Ply] {
        &self.plies
    }

    /// Returns the number of events so far.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// Returns the side to move; `None` once there is a result, and while a sealed move waits.
    pub fn to_move(&self) -> Option<Seat> {
        if self.result.is_some() || self.sealed_by().is_some() {
            None
        } else {
            self.position.to_move()
        }
    }

    /// Returns the side that the match waits for: the side to move, or the one that resumes it; `None` once there is a result.
    pub fn awaited(&self) -> Option<Seat> {
        self.to_move().or(self.sealed_by().map(Seat::other))
    }

    /// Returns the adjournment, until the match is resumed or ends.
    pub fn adjournment(&self) -> Option<Adjournment> {
        self.adjournment
    }

    /// Returns the side whose sealed move waits for the opponent.
    pub fn sealed_by(&self) -> Option<Seat> {
        self.adjournment?.sealed_by
    }

    /// Returns what the clock of a side gains by a move after which the clocks are these.
    fn gain(&self, seat: Seat, after: Option<ClockReading>) -> Millis {
        match (self.clock, after) {
            (Some(before), Some(after)) => before.gained(self.terms.clock, seat, &after),
            _ => Millis::ZERO,
        }
    }

    /// Returns what the clocks of both sides have gained by the last `count` moves.
    pub(super) fn gained_by_last(&self, count: usize) -> [Millis; 2] {
        let mut gained = [Millis::ZERO; 2];
        for (ply, by_ply) in self.plies.iter().zip(&self.gained).rev().take(count) {
            let of_side = &mut gained[ply.seat.index()];
            *of_side = *of_side + *by_ply;
        }
        gained
    }

    /// Returns the points of both seats.
    pub fn score(&self) -> [u32; 2] {
        self.position.score()
    }

    /// Returns the reading of the clocks.
    pub fn clock(&self) -> Option<ClockReading> {
        self.clock
    }

    /// Returns the time by which the side to move has to have moved, where the match itself limits it:
    /// [`Pace::first_move_timeout`](crate::Pace::first_move_timeout) for a player's first move, then the match is aborted;
    /// [`UNTIMED_MOVE_TIMEOUT`](crate::UNTIMED_MOVE_TIMEOUT) in a rated match without a clock, then it is lost on time.
    pub fn move_by(&self) -> Option<Timestamp> {
        self.move_by
    }

    /// Returns the time of [`Match::move_by`] with the grace of a night.
    pub fn extended_move_by(&self) -> Option<Timestamp> {
        self.move_by.map(|by| by + self.grace)
    }

    /// Returns whether both players have made a move, also if moves are taken back afterwards. A match that has not begun can be
    /// aborted, and not be lost.
    pub fn has_begun(&self) -> bool {
        self.begun
    }

    /// Returns the result, once there is one.
    pub fn result(&self) -> Option<&MatchResult> {
        self.result.as_ref()
    }

    /// Returns the open offer.
    pub fn offer(&self) -> Option<Offer> {
        self.offer
    }

    /// Returns the time at which an event happens by itself if nobody does anything: a flag falls, a move is overdue, an offer ends,
    /// or the opponent of a sealed move has not come.
    pub fn deadline(&self) -> Option<Timestamp> {
        if self.result.is_some() {
            return None;
        }
        let flag = self.flag_at();
        let offer = self.offer.and_then(|offer| offer.expires_at);
        let come_by = self.adjournment.and_then(|adjourned| adjourned.expires_at);
        flag.into_iter()
            .chain(self.extended_move_by())
            .chain(offer)
            .chain(come_by)
            .min()
    }
}
