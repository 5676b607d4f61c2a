//! Adjournments: a live match stops by agreement. The side on turn seals its move, which nobody sees until the match is resumed: by
//! correspondence when the opponent comes, or live at a time that both have agreed on.

use super::{ClockReading, ClockRule, Event, Match, Millis, OfferKind, Refusal, Timestamp};
use serde::{Deserialize, Serialize};
use tochki_rules::Seat;

/// The time control of a match that is resumed by correspondence.
pub const RESUMED_CLOCK: ClockRule = ClockRule::DaysPerMove { days: 3 };

/// The time for which the opponent of a sealed move may stay away, from the seal or from the time agreed on; then the match is lost.
pub const RESUME_TIMEOUT: Millis = Millis::from_hours(14 * 24);

/// The time after the one agreed on in which a match is resumed live, if both come; afterwards it is by correspondence.
pub const LIVE_RESUME_WINDOW: Millis = Millis::from_secs(15 * 60);

/// The time before the one agreed on from which players may come.
pub const LIVE_RESUME_LEAD: Millis = Millis::from_secs(10 * 60);

/// An adjournment. Until the move is sealed the clock of the side on turn runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Adjournment {
    /// The time at which the match goes on live, if that was agreed on.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub resume_at: Option<Timestamp>,
    /// The side that has sealed its move. Omitted before that.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub sealed_by: Option<Seat>,
    /// The time at which the match is lost for the other side, if it has not come. Omitted before the move is sealed.
    #[cfg_attr(target_arch = "wasm32", serde(skip_deserializing))]
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub expires_at: Option<Timestamp>,
}

impl Adjournment {
    /// Returns whether the match can be resumed live at this time, if both are there.
    pub fn is_live_time(&self, now: Timestamp) -> bool {
        self.resume_at
            .is_some_and(|at| now + LIVE_RESUME_LEAD >= at && now < at + LIVE_RESUME_WINDOW)
    }

    /// Returns whether the opponent of the sealed move can resume the match by correspondence at this time.
    pub fn is_correspondence_time(&self, now: Timestamp) -> bool {
        self.resume_at
            .is_none_or(|at| now >= at + LIVE_RESUME_WINDOW)
    }
}

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

    /// Decides on the end of an adjournment: the sealed moves are made, and nothing is charged for them.
    pub(super) fn decide_resume(
        &self,
        seat: Seat,
        moves: &[String],
        live: bool,
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
        Ok(events)
    }
}
