//! Packs: the events of a finished match in one row of `packed_matches` (`tochki_play::pack`), instead of a row each.
//!
//! A pack keeps all of an event but the name that a client gave its move, and less than a millisecond of the time of its row.

use super::stored_event::{StoredEvent, sender};
use crate::Error;
use serde_json::Value;
use tochki_play::{Event, PastEvent, Terms, Timestamp};
use tochki_protocol::MatchId;

/// A row of the table of events.
pub(crate) struct EventRow {
    /// The event.
    pub(crate) stored: StoredEvent,
    /// The seat of the sender of its command.
    pub(crate) seat: Option<i16>,
    /// The time at which the row was written.
    pub(crate) at: Timestamp,
}

impl EventRow {
    /// The row of a packed event.
    pub(crate) fn of(version: u32, past: &PastEvent) -> Result<Self, Error> {
        Ok(Self {
            stored: StoredEvent {
                grace: past.grace,
                ..StoredEvent::of(version, &past.event)?
            },
            seat: sender_seat(&past.event),
            at: past.at,
        })
    }

    /// The event as a pack keeps it; `None` of a row that a pack would not give back.
    pub(crate) fn kept(&self) -> Option<PastEvent> {
        let event = read_whole(&self.stored)?;
        (self.seat == sender_seat(&event)).then(|| PastEvent {
            event: event.without_client_id(),
            at: self.at,
            grace: self.stored.grace,
        })
    }
}

fn sender_seat(event: &Event) -> Option<i16> {
    let (seat, _) = sender(event);
    seat.map(|seat| i16::from(seat.number()))
}

/// Reads an event of which this program writes all members again: one of a later release may have more.
fn read_whole(stored: &StoredEvent) -> Option<Event> {
    let event = Event::read(&stored.kind, &stored.body).ok()?;
    let written = event.encode().ok()?;
    let is_whole = written.body == stored.body || members(&written.body)? == members(&stored.body)?;
    (written.name == stored.kind && is_whole).then_some(event)
}

/// The members of a JSON object. Those that are null are left out, as older releases have left some out.
fn members(body: &str) -> Option<Value> {
    serde_json::from_str(body).ok().map(without_nulls)
}

fn without_nulls(value: Value) -> Value {
    match value {
        Value::Object(members) => members
            .into_iter()
            .filter(|(_, value)| !value.is_null())
            .map(|(name, value)| (name, without_nulls(value)))
            .collect(),
        other => other,
    }
}

/// Packs a finished match that has `count` events, and reads the pack back.
///
/// # Errors
/// The reason why the match cannot be packed without a loss.
pub(crate) fn pack(
    terms: &Terms,
    started_at: Timestamp,
    count: u32,
    rows: &[EventRow],
) -> Result<Vec<u8>, String> {
    let mut events = Vec::with_capacity(rows.len());
    for (version, row) in (1..).zip(rows) {
        if row.stored.version != version {
            return Err(format!("event {version} is missing"));
        }
        let kept = row.kept();
        events.push(kept.ok_or_else(|| format!("event {version} would not read back the same"))?);
    }
    if events.len() != count as usize {
        return Err(format!("{} of {count} events are stored", events.len()));
    }
    let bytes = tochki_play::pack(terms, started_at, &events).map_err(|error| error.to_string())?;
    let again =
        tochki_play::unpack(terms, started_at, &bytes).map_err(|damaged| damaged.to_string())?;
    if again == events {
        Ok(bytes)
    } else {
        Err("its pack reads back to other events".to_owned())
    }
}

/// Reads the events of a packed match, all from the first one on.
///
/// # Errors
/// A broken record, if these bytes are no pack of such a match.
pub(crate) fn unpack(
    id: MatchId,
    terms: &Terms,
    started_at: Timestamp,
    bytes: &[u8],
) -> Result<Vec<PastEvent>, Error> {
    tochki_play::unpack(terms, started_at, bytes)
        .map_err(|damaged| Error::broken_record(id, damaged))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tochki_play::Millis;

    const MOVED: &str = r#"{"seat":1,"mv":"1,1","score":[0,0],"to_move":2,"passed":false,"clock":null,"client_id":"a-1"}"#;

    fn row(kind: &str, body: &str, seat: Option<i16>) -> EventRow {
        EventRow {
            stored: StoredEvent {
                version: 1,
                kind: kind.to_owned(),
                body: body.to_owned(),
                grace: Millis(7),
            },
            seat,
            at: Timestamp(1_700_000_000_123),
        }
    }

    #[test]
    fn a_row_keeps_all_but_the_name_of_the_move() {
        let kept = row("moved", MOVED, Some(1)).kept().unwrap();
        let again = EventRow::of(1, &kept).unwrap();
        let body = MOVED.replace(r#""a-1""#, "null");
        assert_eq!((&*again.stored.kind, again.stored.body), ("moved", body));
        assert_eq!((again.seat, again.at), (Some(1), kept.at));
        assert_eq!(again.stored.grace, Millis(7));
    }

    #[test]
    fn a_rating_reads_back_to_the_last_digit() {
        // A parser that rounds would give another last digit to some of them.
        for part in 0..2_000_u16 {
            let number = format!("{:?}", 1_400.0 + f64::from(part) / 7.0);
            let body = format!(
                r#"{{"result":{{"winner":1,"reason":"resigned","ratings":[{{"before":1600.0,"after":{number}}},{{"before":1600.0,"after":1500.5}}]}}}}"#
            );
            let kept = row("finished", &body, None).kept();
            let kept = kept.unwrap_or_else(|| panic!("{body}"));
            let again = EventRow::of(1, &kept).unwrap().stored.body;
            assert!(
                again.contains(&format!("\"after\":{number}}}")),
                "{number}: {again}"
            );
        }
    }

    #[test]
    fn a_row_that_would_lose_something_is_not_kept() {
        let more = MOVED.replace(r#""passed""#, r#""later":5,"passed""#);
        let without_null = MOVED.replace(r#""clock":null,"#, "");
        assert!(row("moved", &without_null, Some(1)).kept().is_some());
        for (kind, body, seat) in [
            // A member of a later release.
            ("moved", &*more, Some(1)),
            // Another sender than the event says.
            ("moved", MOVED, Some(2)),
            ("moved", MOVED, None),
            ("passed_on", MOVED, Some(1)),
            ("moved", "{}", Some(1)),
            ("moved", "", Some(1)),
        ] {
            assert!(row(kind, body, seat).kept().is_none(), "{kind} {body}");
        }
    }
}
