//! A match of any game, as a pure value: turn, clocks, offers, resignation, absence, result, rating.
//!
//! A match is its list of events. [`Match::decide`] returns the events of a command, [`Match::apply`] applies them; server and
//! browser run the same two. Nothing here reads a clock or a random source: time and random numbers are arguments.

#![warn(clippy::missing_errors_doc, clippy::missing_panics_doc)]

#[cfg(test)]
mod adjourning;
mod adjournment;
mod berserk;
mod client_id;
mod clock;
mod clock_reading;
mod command;
mod conditional;
pub mod date;
mod decide;
mod elo;
mod encoded;
mod event;
#[cfg(test)]
mod fair_play;
mod game;
mod offer;
mod pace;
mod packed;
#[cfg(test)]
mod properties;
mod record;
mod result;
#[cfg(test)]
mod scenarios;
#[cfg(feature = "schema")]
mod schema;
mod sealing;
mod seats;
#[cfg(test)]
mod stalling;
mod terms;
mod time;
mod tournament;
mod vacation;
mod variant_serializer;

pub use adjournment::{
    Adjournment, LIVE_RESUME_LEAD, LIVE_RESUME_WINDOW, RESUME_TIMEOUT, RESUMED_CLOCK,
};
pub use client_id::ClientId;
pub use clock::{ClockKind, ClockRule, InvalidClock};
pub use clock_reading::{ClockParts, ClockReading};
pub use command::{Command, Decision, Refusal};
pub use conditional::{ConditionalMoves, ConditionalStep, InvalidLine};
pub use decide::{ANSWER_GRACE, UNTIMED_MOVE_TIMEOUT};
pub use elo::{Rating, RatingChange, rate};
pub use encoded::{EncodeError, EncodedEvent};
pub use event::{Event, UnknownEvent};
pub use game::{BrokenRecord, Match, Ply, Resumed};
pub use offer::{Offer, OfferEnd, OfferKind, UnknownOffer};
pub use pace::{
    CORRESPONDENCE_FIRST_MOVE_TIMEOUT, FIRST_MOVE_TIMEOUT, MIN_LEFT_AFTER_TAKEBACK, OFFER_TIMEOUT,
    Pace,
};
pub use packed::{DamagedPack, PastEvent, pack, unpack};
pub use result::{MatchResult, Reason};
pub use seats::draw_seats;
pub use terms::Terms;
pub use time::{Millis, Timestamp};
pub use tournament::TournamentMatch;
pub use vacation::{
    MAX_VACATION_DAYS, MAX_VACATION_IN_MATCH, VACATION_DAY_INTERVAL, VACATION_DAYS_AT_START,
    VacationDays,
};
