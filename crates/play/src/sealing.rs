//! Decisions on an adjournment: the offer, the seal of the move, and the end of the break.

use super::adjournment::{RESUME_TIMEOUT, RESUMED_CLOCK};
use super::{ClockReading, Event, Match, Millis, OfferKind, Refusal, Timestamp};
use tochki_rules::Seat;

impl Match {
    /// Decides on an offer to adjourn.
    pub(super) fn decide_adjourn_offer(
        &self,
        seat: Seat,
        resume_in: Option<Millis>,
        received_at: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        let kind = OfferKind::Adjourn;
        self.may_offer(seat, kind, received_at)?;
        Ok(vec![Event::Offered {
            seat,
            kind,
            expires_at: self.terms().pace().offer_timeout().map(|wait| now + wait),
            resume_at: resume_in.map(|wait| now + wait),
        }])
    }

    /// Decides on a seal: the clock of its side stops as after a move.
    pub(super) fn decide_seal(
        &self,
        seat: Seat,
        moves: &[String],
        received_at: Timestamp,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.in_time(received_at)?;
        let Some(adjournment) = self.adjournment() else {
            return Err(Refusal::NotAdjourned);
        };
        if adjournment.sealed_by.is_some() {
            return Err(Refusal::Adjourned);
        }
        self.sealed_run(seat, moves)?;
        let from = adjournment.resume_at.map_or(now, |at| at.max(now));
        let sealed = Event::Sealed {
            seat,
            clock: self
                .clock()
                .map(|clock| clock.moved(self.terms().clock, seat, None, received_at, now)),
            expires_at: from + RESUME_TIMEOUT,
        };
        // No offer is open: the one to adjourn was the last.
        Ok(vec![sealed])
    }

    /// Reads the moves that a side seals, in their canonical text form: one move, or all moves of a turn that goes on after the first.
    ///
    /// # Errors
    ///
    /// The reason why they cannot be sealed: `TurnGoesOn` if the side is still to move after them.
    pub fn sealed_run(&self, seat: Seat, moves: &[String]) -> Result<Vec<String>, Refusal> {
        let mut position = self.position().clone();
        let mut run = Vec::new();
        for mv in moves {
            let mv = position.parse_move(mv)?;
            if position.to_move() != Some(seat) {
                return Err(Refusal::NotYourTurn);
            }
            position.play(mv)?;
            run.push(mv.to_string());
        }
        if run.is_empty() {
            return Err(Refusal::Malformed);
        }
        if position.to_move() == Some(seat) {
            return Err(Refusal::TurnGoesOn);
        }
        Ok(run)
    }

    /// Decides on the end of an adjournment: the sealed moves are made, and nothing is charged for them. A vacation of the side that has
    /// sealed holds its clock from then on, as it holds those of its other matches.
    pub(super) fn decide_resume(
        &self,
        seat: Seat,
        moves: &[String],
        live: bool,
        vacation_until: Option<Timestamp>,
        now: Timestamp,
    ) -> Result<Vec<Event>, Refusal> {
        self.in_time(now)?;
        let adjournment = self.adjournment().ok_or(Refusal::NotAdjourned)?;
        let sealer = adjournment.sealed_by.ok_or(Refusal::NotAdjourned)?;
        if live {
            if !adjournment.is_live_time(now) {
                return Err(Refusal::TooEarly);
            }
        } else if !adjournment.is_correspondence_time(now) {
            return Err(Refusal::TooEarly);
        } else if seat == sealer {
            return Err(Refusal::NotYours);
        }
        let time_control = (!live).then_some(RESUMED_CLOCK);
        let clock = match (time_control, self.clock()) {
            (None, clock) => clock.map(|clock| ClockReading {
                running: Some(sealer),
                at: now,
                ..clock
            }),
            (Some(rule), _) => rule.initial().map(|full| ClockReading {
                left: [full; 2],
                running: Some(sealer),
                at: now,
            }),
        };
        let mut after = self.clone();
        let mut events = vec![Event::Resumed {
            clock,
            time_control,
        }];
        let broken = |_| Refusal::Stale;
        after.apply(&events[0]).map_err(broken)?;
        for mv in moves {
            let read = after.position().parse_move(mv)?;
            let rule = after.terms().clock;
            let moved = after.decide_move(sealer, read, None, now, |clock, next, start| {
                clock.answered(rule, sealer, next, start)
            })?;
            for event in moved {
                after.apply(&event).map_err(broken)?;
                events.push(event);
            }
        }
        if vacation_until.is_some() && after.result().is_none() {
            events.extend(after.change_vacation(sealer, vacation_until, now)?);
        }
        Ok(events)
    }
}
