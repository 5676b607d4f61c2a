//! An event as it is stored and sent.

use crate::Error;
use tochki_play::{EncodedEvent, Event, Match, Millis};
use tochki_protocol::{ClientId, MatchId};
use tochki_rules::Seat;

/// An event as it is stored and sent.
#[derive(Clone, Debug)]
pub struct StoredEvent {
    /// Its number, from 1.
    pub version: u32,
    /// Its name.
    pub kind: String,
    /// Its body as JSON.
    pub body: String,
    /// By how much later the turn ends than the clock says that it has set ([`Match::grace`]).
    pub grace: Millis,
}

/// The sender of the command of an event, and its `client_id`.
pub(crate) fn sender(event: &Event) -> (Option<Seat>, Option<&ClientId>) {
    match event {
        Event::Moved {
            seat, client_id, ..
        } => (Some(*seat), client_id.as_ref()),
        Event::Offered { seat, .. }
        | Event::Sealed { seat, .. }
        | Event::Berserked { seat, .. } => (Some(*seat), None),
        _ => (None, None),
    }
}

impl StoredEvent {
    /// The event of this version.
    pub fn of(version: u32, event: &Event) -> Result<Self, Error> {
        let EncodedEvent { name, body } = event.encode()?;
        Ok(Self {
            version,
            kind: name.to_owned(),
            body,
            grace: Millis::ZERO,
        })
    }

    /// The event of this version, the last one of this match that goes on: with its grace, if the event sets the clock.
    pub fn last_of(after: &Match, event: &Event) -> Result<Self, Error> {
        let stored = Self::of(after.version(), event)?;
        Ok(Self {
            grace: if event.sets_clocks() {
                after.grace()
            } else {
                Millis::ZERO
            },
            ..stored
        })
    }

    /// Reads the event of this match back.
    pub fn read(&self, id: MatchId) -> Result<Event, Error> {
        Event::read(&self.kind, &self.body).map_err(|unknown| {
            Error::broken_record(id, format!("event {}: {unknown}", self.version))
        })
    }
}
