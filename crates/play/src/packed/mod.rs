//! The events of a finished match as a few hundred bytes: moves by their number on the board, the rest of them only where it does not
//! follow from the rules and the clock of before. Other events, and moves that break a rule, are JSON. Everything is read back, but
//! for the names that clients gave their moves.
//!
//! A pack begins with its version and the number of its events. Integers are LEB128, signed ones zigzag. An event is a byte of flags,
//! and then, as these say:
//!
//! ```text
//! move:  number on the board; time since the clock of before, time gained (both if there is a clock); the row's time after the
//!        clock's, or after the row of before; the length of the next turn from the row's time on, less that of the turn before; grace
//! end:   the row's time after the row of before; grace; the result (`ends`)
//! other: the row's time after the row of before; grace; length; JSON
//! ```

mod bytes;
mod damage;
mod ends;
mod moves;

#[cfg(test)]
mod tests;

use crate::{ClockReading, Event, Millis, Terms, Timestamp};
use bytes::{Input, Output};
pub use damage::DamagedPack;
use moves::Numbers;
use tochki_rules::{Position, Seat};

/// The form of these bytes.
const VERSION: u8 = 1;

/// The event is a move that follows the rules and the clock.
const MOVE: u8 = 1;
/// The move has a clock.
const CLOCK: u8 = 2;
/// The time gained is that of the side's move before.
const SAME_GAIN: u8 = 4;
/// The side has as much time left as before.
const SAME_LEFT: u8 = 8;
/// The end of the next turn follows.
const MOVE_BY: u8 = 16;
/// The grace of the turn follows.
const GRACE: u8 = 32;
/// The event is the end of the match.
const END: u8 = 64;

/// An event of a match as its row has it.
#[derive(Clone, Debug, PartialEq)]
pub struct PastEvent {
    /// The event.
    pub event: Event,
    /// The time at which the row was written.
    pub at: Timestamp,
    /// The grace that the next turn has at night.
    pub grace: Millis,
}

/// Packs the events of a match, all from the first one on.
///
/// # Errors
///
/// If an event cannot be written as JSON, which would be a bug.
pub fn pack(
    terms: &Terms,
    started_at: Timestamp,
    events: &[PastEvent],
) -> Result<Vec<u8>, serde_json::Error> {
    let mut output = Output::default();
    output.byte(VERSION);
    output.unsigned(events.len() as u64);
    let mut state = State::new(terms, started_at);
    for past in events {
        match state.packed_move(past) {
            Some(packed) => output.extend(&packed),
            None => literal(&mut output, past, state.row_at)?,
        }
        state.follow(past);
    }
    Ok(output.into_bytes())
}

/// Writes an event that is no move that follows the rules.
fn literal(
    output: &mut Output,
    past: &PastEvent,
    row_at: Timestamp,
) -> Result<(), serde_json::Error> {
    let has_grace = past.grace != Millis::ZERO;
    let is_end = matches!(past.event, Event::Finished { .. });
    output.byte(if has_grace { GRACE } else { 0 } | if is_end { END } else { 0 });
    output.signed(past.at.0.wrapping_sub(row_at.0));
    if has_grace {
        output.signed(past.grace.0);
    }
    if let Event::Finished { result } = &past.event {
        ends::write(output, result);
        return Ok(());
    }
    let json = serde_json::to_vec(&past.event.clone().without_client_id())?;
    output.unsigned(json.len() as u64);
    output.extend(&json);
    Ok(())
}

/// Reads the events of a match back.
///
/// # Errors
///
/// If the bytes are of another version, or not of a match of these terms.
pub fn unpack(
    terms: &Terms,
    started_at: Timestamp,
    bytes: &[u8],
) -> Result<Vec<PastEvent>, DamagedPack> {
    let mut input = Input::new(bytes);
    let version = input.byte()?;
    if version != VERSION {
        return Err(DamagedPack(format!("version {version} is not known")));
    }
    let count = input.unsigned()?;
    let mut state = State::new(terms, started_at);
    let mut events = Vec::new();
    for _ in 0..count {
        let past = state.read(&mut input)?;
        state.follow(&past);
        events.push(past);
    }
    if input.is_empty() {
        Ok(events)
    } else {
        Err(DamagedPack("bytes after the last event".to_owned()))
    }
}

/// The match before an event, as far as events are predicted from it.
struct State {
    numbers: Numbers,
    position: Position,
    clock: Option<ClockReading>,
    row_at: Timestamp,
    /// The time that each side gained with its last move.
    gained: [i64; 2],
    /// The time from the last move's row to the end of the turn after it.
    turn: i64,
}

impl State {
    fn new(terms: &Terms, started_at: Timestamp) -> Self {
        Self {
            numbers: Numbers::new(terms.setup),
            position: Position::new(&terms.setup),
            clock: ClockReading::start(terms.clock, started_at),
            row_at: started_at,
            gained: [0; 2],
            turn: 0,
        }
    }

    /// The bytes of a move that follows the rules and the clock; `None` of any other event. The position stays as it is.
    fn packed_move(&mut self, past: &PastEvent) -> Option<Vec<u8>> {
        let Event::Moved {
            seat,
            mv,
            score,
            to_move,
            passed,
            clock,
            client_id: _,
            move_by,
        } = &past.event
        else {
            return None;
        };
        let seat = *seat;
        let parsed = self.position.parse_move(mv).ok()?;
        if self.position.to_move() != Some(seat) || parsed.to_string() != *mv {
            return None;
        }
        let number = self.numbers.of(parsed)?;
        self.position.play_as(seat, parsed).ok()?;
        let expected = self.consequences();
        self.position.undo();
        if expected != (*score, *to_move, *passed) {
            return None;
        }
        let mut flags = MOVE;
        let mut output = Output::default();
        output.number(number, self.numbers.is_wide());
        let mut before = self.row_at;
        if let Some(clock) = clock {
            let gained = self.gained_by(seat, clock)?;
            if clock.running != *to_move {
                return None;
            }
            flags |= CLOCK;
            let spent = clock.at.0.wrapping_sub(self.clock?.at.0);
            output.signed(spent);
            if gained == self.gained[seat.index()] {
                flags |= SAME_GAIN;
            } else if gained == spent {
                flags |= SAME_LEFT;
            } else {
                output.signed(gained);
            }
            before = clock.at;
        } else if self.clock.is_some() {
            return None;
        }
        output.signed(past.at.0.wrapping_sub(before.0));
        if let Some(by) = move_by {
            flags |= MOVE_BY;
            let turn = by.0.wrapping_sub(past.at.0);
            output.signed(turn.wrapping_sub(self.turn));
        }
        if past.grace != Millis::ZERO {
            flags |= GRACE;
            output.signed(past.grace.0);
        }
        let mut bytes = output.into_bytes();
        bytes.insert(0, flags);
        Some(bytes)
    }

    /// The score, the side on turn and whether the other one was passed over, of the position.
    fn consequences(&self) -> ([u32; 2], Option<Seat>, bool) {
        let to_move = self.position.to_move();
        let passed = to_move.is_some() && self.position.passed();
        (self.position.score(), to_move, passed)
    }

    /// The time that a side gained by the move after which its clock reads so; `None` if there was no clock, or the other side's has
    /// changed.
    fn gained_by(&self, seat: Seat, after: &ClockReading) -> Option<i64> {
        let before = self.clock?;
        let (own, other) = (seat.index(), seat.other().index());
        let spent = after.at.0.wrapping_sub(before.at.0);
        let left = before.left[own].0.wrapping_sub(spent);
        (after.left[other] == before.left[other]).then(|| after.left[own].0.wrapping_sub(left))
    }

    /// Reads the next event.
    fn read(&mut self, input: &mut Input) -> Result<PastEvent, DamagedPack> {
        let flags = input.byte()?;
        if flags & MOVE != 0 {
            return self.read_move(input, flags);
        }
        let at = Timestamp(self.row_at.0.wrapping_add(input.signed()?));
        let grace = read_grace(input, flags)?;
        if flags & END != 0 {
            let result = ends::read(input)?;
            let event = Event::Finished { result };
            return Ok(PastEvent { event, at, grace });
        }
        let len = input.unsigned()?;
        let event = serde_json::from_slice(input.bytes(len)?)
            .map_err(|error| DamagedPack(error.to_string()))?;
        Ok(PastEvent { event, at, grace })
    }

    fn read_move(&mut self, input: &mut Input, flags: u8) -> Result<PastEvent, DamagedPack> {
        let number = input.number(self.numbers.is_wide())?;
        let mv = self.numbers.move_of(number);
        let seat = self.position.to_move();
        let seat = seat.ok_or_else(|| DamagedPack("a move after the end".to_owned()))?;
        self.position
            .play_as(seat, mv)
            .map_err(|error| DamagedPack(format!("{mv}: {}", error.code())))?;
        let (score, to_move, passed) = self.consequences();
        self.position.undo();
        let (own, mut before) = (seat.index(), self.row_at);
        let clock = if flags & CLOCK == 0 {
            None
        } else {
            let clock = self
                .clock
                .ok_or_else(|| DamagedPack("a clock in a match without one".to_owned()))?;
            let spent = input.signed()?;
            let gained = match flags & (SAME_GAIN | SAME_LEFT) {
                0 => input.signed()?,
                SAME_LEFT => spent,
                _ => self.gained[own],
            };
            let mut left = clock.left;
            left[own] = Millis(left[own].0.wrapping_sub(spent).wrapping_add(gained));
            before = Timestamp(clock.at.0.wrapping_add(spent));
            Some(ClockReading {
                left,
                running: to_move,
                at: before,
            })
        };
        let at = Timestamp(before.0.wrapping_add(input.signed()?));
        let move_by = if flags & MOVE_BY == 0 {
            None
        } else {
            let turn = self.turn.wrapping_add(input.signed()?);
            Some(Timestamp(at.0.wrapping_add(turn)))
        };
        let grace = read_grace(input, flags)?;
        let event = Event::Moved {
            seat,
            mv: mv.to_string(),
            score,
            to_move,
            passed,
            clock,
            client_id: None,
            move_by,
        };
        Ok(PastEvent { event, at, grace })
    }

    /// Goes on to the match after an event. A move that breaks a rule leaves the position as it is.
    fn follow(&mut self, past: &PastEvent) {
        let after = match &past.event {
            Event::Moved {
                seat,
                mv,
                clock,
                move_by,
                ..
            } => {
                if let Ok(mv) = self.position.parse_move(mv) {
                    let _ = self.position.play_as(*seat, mv);
                }
                if let Some(clock) = clock
                    && let Some(gained) = self.gained_by(*seat, clock)
                {
                    self.gained[seat.index()] = gained;
                }
                if let Some(by) = move_by {
                    self.turn = by.0.wrapping_sub(past.at.0);
                }
                *clock
            }
            Event::TakenBack { count, clock, .. } => {
                for _ in 0..*count {
                    if self.position.undo().is_none() {
                        break;
                    }
                }
                *clock
            }
            Event::VacationChanged { clock, .. }
            | Event::Berserked { clock, .. }
            | Event::Sealed { clock, .. }
            | Event::Resumed { clock, .. } => *clock,
            Event::Offered { .. }
            | Event::OfferClosed { .. }
            | Event::Adjourned { .. }
            | Event::Finished { .. } => None,
        };
        self.clock = after.or(self.clock);
        self.row_at = past.at;
    }
}

fn read_grace(input: &mut Input, flags: u8) -> Result<Millis, DamagedPack> {
    Ok(Millis(if flags & GRACE == 0 {
        0
    } else {
        input.signed()?
    }))
}
